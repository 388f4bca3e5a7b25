{#-
    Columns of live rows whose value no landed event carries: NULL in the current table until a
    snapshot, possibly an incremental one, reads the row again.
-#}
{%- macro obs_unavailable(states) -%}
    {{- return(adapter.dispatch('obs_unavailable', 'debezium_spark')(states)) -}}
{%- endmacro -%}


{%- macro default__obs_unavailable(states) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs(states | map(attribute='relation') | list) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for state in debezium_spark.existing_entries(states) -%}
        {%- do parts.append(debezium_spark._unavailable_of(state)) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('unavailable', parts)) -}}
{%- endmacro -%}


{%- macro _unavailable_of(state) -%}
select
    {{ debezium_spark.text_literal(state.source) }} as source_name,
    {{ debezium_spark.text_literal(state.table) }} as table_name,
    column_name,
    count(*) as row_count,
    min(_cdc_key) as example_key
from {{ state.relation }}
lateral view explode(_cdc_unavailable) as column_name
where not _cdc_is_deleted and _cdc_unavailable is not null
group by column_name
{%- endmacro -%}
