{#-
    Records of each table that wait to be read, for sources with `max_lag`: offsets that the last
    landing run left in Kafka, landed records that staging has not read, and staged events that the
    state has not folded. A table without waiting records is as new as its source.

    `raws`: pairs of a source and its raw table; `stagings`: {source, table, relation, state}.
-#}
{%- macro obs_table_lateness(raws, stagings) -%}
    {{- return(adapter.dispatch('obs_table_lateness', 'debezium_spark')(raws, stagings)) -}}
{%- endmacro -%}


{%- macro default__obs_table_lateness(raws, stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set limits = debezium_spark._lag_limits(raws | map('first')) -%}
    {%- set inputs = debezium_spark._lateness_inputs(raws, stagings, limits) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set raw_tables = dict(raws) -%}
    {%- set parts = [] -%}
    {%- for staging in stagings if staging.source in limits -%}
        {%- do parts.append(
            debezium_spark._waiting_of(
                dict(staging, call=debezium_spark._records_read(staging.relation)),
                raw_tables[staging.source],
                limits[staging.source]
            )
        ) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {%- if not parts -%}
        {{- return(debezium_spark.union_of_parts('table_lateness', [])) -}}
    {%- endif -%}
with

waiting as (

    {{ parts | join('\n\nunion all\n\n') | indent(4) }}

),

bounds as (

    select
        *,
        {{ debezium_spark._as_of() }} as as_of,
        timestampadd(second, max_lag_seconds, waiting_since) as late_at
    from waiting

)

select
    source_name,
    table_name,
    waiting_records,
    waits_for,
    waiting_since,
    as_of,
    unix_seconds(as_of) - unix_seconds(waiting_since) as waited_seconds,
    max_lag_seconds,
    late_at,
    coalesce(late_at <= as_of, false) as is_late
from bounds
{%- endmacro -%}


{#- Topics and origins in the call of a staging model; none if its text does not show them. -#}
{%- macro _records_read(relation) -%}
    {%- set calls = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values()
            if node.resource_type == 'model' and node.alias == relation.identifier -%}
            {%- do calls.append(adapter.debezium().models.records_read(node.raw_code, var)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(calls | first if calls else none) -}}
{%- endmacro -%}


{#- SELECT: one row, what waits of a table, and for which step the oldest of it waits. -#}
{%- macro _waiting_of(staging, raw, limit) -%}
    {%- set config = debezium_spark.source_config(staging.source) -%}
    {%- set sides = {} -%}
    {%- for name, relation in [
        ('raw', raw),
        ('ledger', debezium_spark._ledger_of(raw)),
        ('staging', staging.relation),
        ('state', staging.state),
    ] -%}
        {%- do sides.update({
            name: debezium_spark.existing_entries([{'relation': relation}]) | length > 0
        }) -%}
    {%- endfor -%}
    {%- set parts = [] -%}
    {%- if sides.raw and staging.call -%}
        {%- if config.input.get('max_records_per_run') and sides.ledger -%}
            {%- do parts.append(debezium_spark._waiting_in_kafka(staging.call.topics, raw)) -%}
        {%- endif -%}
        {%- do parts.append(
            debezium_spark._waiting_in_raw(config, staging, raw, sides.staging)
        ) -%}
    {%- endif -%}
    {%- if sides.staging -%}
        {%- do parts.append(debezium_spark._waiting_in_staging(staging, sides.state)) -%}
    {%- endif -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    cast(coalesce(sum(records), 0) as bigint) as waiting_records,
    min_by(waits_for, since) as waits_for,
    min(since) as waiting_since,
    cast({{ limit }} as bigint) as max_lag_seconds
from (
    {{ parts | join('\n    union all\n    ') if parts else
        "select 'landing' as waits_for, 0L as records, cast(null as timestamp) as since" }}
) as waiting_places
where records > 0
{%- endmacro -%}
