{#-
    Every key of a table with its last values, deleted ones included, and the landing that changed
    it last, so that what is built on it can follow by batch (docs/feed.md). A view of the state.
-#}
{%- macro feed(source, table, state, columns=none) -%}
    {%- set columns = debezium_spark.table_columns(state) if columns is none else columns -%}
    {{- return(
        adapter.dispatch('feed', 'debezium_spark')(source, table, state, columns)
    ) -}}
{%- endmacro -%}


{%- macro default__feed(source, table, state, columns) -%}
    {%- do debezium_spark.check_columns('feed', state, columns) -%}
    {%- if execute -%}
        {%- do debezium_spark._check_feed(debezium_spark.source_config(source), table) -%}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs([state]) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
select
    _cdc_key,
    {%- for column in columns %}
    {{ debezium_spark.quote(column) }},
    {%- endfor %}
    _cdc_op,
    _cdc_pos,
    _cdc_source_at,
    _cdc_is_deleted,
    _cdc_deleted_at,
    _cdc_batch_id,
    _cdc_landed_at
from {{ state }}
{#- rows about the table and not about a key #}
where _cdc_key not like '!%'
{%- endmacro -%}


{#- A state without a feed lacks the columns, and Spark's message would not say what to do. -#}
{%- macro _check_feed(config, table) -%}
    {%- if not debezium_spark.has_feed(config, table) -%}
        {%- do debezium_spark._fail(
            'feed',
            "table '" ~ table ~ "' of source '" ~ config.name ~ "' has no change feed.",
            'Set debezium_sources.' ~ config.name ~ '.tables.' ~ table ~ '.feed: true, or delete'
            ~ ' the model.',
        ) -%}
    {%- endif -%}
{%- endmacro -%}
