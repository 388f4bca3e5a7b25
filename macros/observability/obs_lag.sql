{#-
    How far each table is behind its source. Times serve people only; nothing is ordered by them.
-#}
{%- macro obs_lag(stagings) -%}
    {{- return(adapter.dispatch('obs_lag', 'debezium_spark')(stagings)) -}}
{%- endmacro -%}


{%- macro default__obs_lag(stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs(stagings | map(attribute='relation') | list) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for staging in debezium_spark.existing_entries(stagings) -%}
        {%- do parts.append(debezium_spark._lag_of(staging)) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('lag', parts)) -}}
{%- endmacro -%}


{%- macro _lag_of(staging) -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    max(_cdc_source_at) as newest_source_at,
    max(_cdc_captured_at) as newest_captured_at,
    max(_cdc_landed_at) as newest_landed_at,
    max(_cdc_batch_id) as newest_batch_id,
    unix_seconds(max(_cdc_landed_at)) - unix_seconds(max(_cdc_source_at)) as lag_seconds
from {{ staging.relation }}
{%- endmacro -%}
