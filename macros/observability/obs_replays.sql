{#-
    How often connectors repeated themselves. `replays` are normal after a crash; `unexplained`
    events show a restored or failed-over database whose epoch nobody configured (design §7.4).
-#}
{%- macro obs_replays(states) -%}
    {{- return(adapter.dispatch('obs_replays', 'debezium_spark')(states)) -}}
{%- endmacro -%}


{%- macro default__obs_replays(states) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs(states | map(attribute='relation') | list) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for state in debezium_spark.existing_entries(states) -%}
        {%- do parts.append(debezium_spark._replays_of(state)) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('replays', parts)) -}}
{%- endmacro -%}


{%- macro _replays_of(state) -%}
select
    {{ debezium_spark.text_literal(state.source) }} as source_name,
    {{ debezium_spark.text_literal(state.table) }} as table_name,
    coalesce(sum(_cdc_fold_replays), 0) as replays,
    coalesce(sum(_cdc_fold_unexplained), 0) as unexplained,
    min(_cdc_fold_first_unexplained) as first_unexplained_event_id
from {{ state.relation }}
where _cdc_fold_replays > 0
{%- endmacro -%}
