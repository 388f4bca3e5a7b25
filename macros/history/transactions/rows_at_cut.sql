{#-
    The rows of a table as of the newest cut of its source, so that all tables are read as of one
    commit (docs/transactions.md, read all tables as of one commit): a view on its history, made
    with macro `history`. `key`: names of the key's columns; `columns`: those of the table.
-#}
{%- macro rows_at_cut(source, table, history, cut, key, columns=none) -%}
    {%- set columns = debezium_spark.table_columns(history) if columns is none else columns -%}
    {{- return(
        adapter.dispatch('rows_at_cut', 'debezium_spark')(
            source, table, history, cut, key, columns
        )
    ) -}}
{%- endmacro -%}


{%- macro default__rows_at_cut(source, table, history, cut, key, columns) -%}
    {%- do debezium_spark.check_columns('rows_at_cut', history, columns) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set inputs = debezium_spark.view_inputs([history, cut]) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set options = debezium_spark.history_options(config, table) or {} -%}
    {%- set tracked = debezium_spark.tracked_columns(options, columns) -%}
    {#- a run writes the cut behind its histories: what is opened behind the cut has all of it -#}
    {%- set newest -%}
(
    select
        {{ debezium_spark.newest_cut() }} as cut_pos,
        max_by(committed_at, _cdc_batch_id) as committed_at
    from {{ cut }}
) as newest
cross join
    {%- endset -%}
select
    {%- for column in columns if tracked is none or column in tracked + key %}
    versions.{{ debezium_spark.quote(column) }},
    {%- endfor %}
    versions._cdc_key,
    {%- set names = debezium_spark.history_names(options) %}
    versions.{{ names.get('_cdc_source_at', '_cdc_source_at') }} as _cdc_source_at,
    versions._cdc_from_pos,
    versions._cdc_from_event_id,
    versions._cdc_tx_id,
    versions._cdc_unavailable
from {{ debezium_spark.versions_at(
    history, 'newest.cut_pos', 'newest.committed_at', newest ~ '\n'
) }}
{%- endmacro -%}
