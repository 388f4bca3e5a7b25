{#-
    The history of a table: one row for each version that a row had (docs/history.md). A view on the
    model made with `versions`, so that it is never behind it; `columns`: those of the table.
-#}
{%- macro history(source, table, versions, columns=none) -%}
    {%- set columns = debezium_spark.table_columns(versions) if columns is none else columns -%}
    {{- return(
        adapter.dispatch('history', 'debezium_spark')(source, table, versions, columns)
    ) -}}
{%- endmacro -%}


{%- macro default__history(source, table, versions, columns) -%}
    {%- do debezium_spark.check_columns('history', versions, columns) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set options = debezium_spark.history_options(config, table) or {} -%}
    {%- set inputs = debezium_spark.view_inputs([versions]) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set names = debezium_spark.history_names(options) -%}
    {%- for column in columns if column | lower in names.values() -%}
        {%- do debezium_spark._fail(
            'history',
            'table ' ~ table ~ ' has the column ' ~ column ~ ', which `names: dbt` adds.',
            'Leave `names` out of its history, or rename the column.',
        ) -%}
    {%- endfor -%}
    {%- set own = debezium_spark.version_columns() | list -%}
    {%- set own = own + ['_cdc_batch_id'] -%}
    {%- set own = own + (['_cdc_is_deleted'] if options.get('deleted_rows') else []) -%}
select
    {%- for column in columns %}
    {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {%- for column in own %}
    {{ debezium_spark.shown_version_column(column, options) }} as {{ names.get(column, column) }}
    {{- ',' if not loop.last }}
    {%- endfor %}
from (
    {{ debezium_spark.stored_versions(versions, columns, options) | indent(4) }}
) as stored_versions
{%- endmacro -%}


{#- Names of columns that `names: dbt` changes, by their usual names. -#}
{%- macro history_names(options) -%}
    {{- return(
        {
            '_cdc_valid_from': 'dbt_valid_from',
            '_cdc_valid_to': 'dbt_valid_to',
            '_cdc_scd_id': 'dbt_scd_id',
            '_cdc_source_at': 'dbt_updated_at',
            '_cdc_is_deleted': 'dbt_is_deleted',
        }
        if options.get('names') == 'dbt'
        else {}
    ) -}}
{%- endmacro -%}


{#- SQL: a column as the options show it. -#}
{%- macro shown_version_column(column, options) -%}
    {%- if column == '_cdc_valid_from' and options.get('first_from') -%}
        {%- set first = (
            'to_timestamp(' ~ debezium_spark.text_literal(options.first_from) ~ ')'
        ) -%}
        {{- return(
            "case when _cdc_version = 1 and _cdc_began_by = 'read' and _cdc_source_at is not null"
            ~ ' then least(' ~ first ~ ', _cdc_valid_from) else _cdc_valid_from end'
        ) -}}
    {%- elif column == '_cdc_valid_to' and options.get('valid_to_current') -%}
        {{- return(
            'coalesce(_cdc_valid_to, to_timestamp('
            ~ debezium_spark.text_literal(options.valid_to_current) ~ '))'
        ) -}}
    {%- elif column == '_cdc_is_deleted' and options.get('names') == 'dbt' -%}
        {{- return("if(_cdc_is_deleted, 'True', 'False')") -}}
    {%- endif -%}
    {{- return(column) -}}
{%- endmacro -%}
