{#-
    The last sign of each source with `max_lag`: a heartbeat, or an event of a table. Without
    heartbeats, a source in which nothing changes cannot be told from one that is not captured.

    `raws`: pairs of a source and its raw table.
-#}
{%- macro obs_source_lateness(raws, stagings) -%}
    {{- return(
        adapter.dispatch('obs_source_lateness', 'debezium_spark')(raws, stagings)
    ) -}}
{%- endmacro -%}


{%- macro default__obs_source_lateness(raws, stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set limits = debezium_spark._lag_limits(raws | map('first')) -%}
    {%- set inputs = debezium_spark._lateness_inputs(raws, stagings, limits) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for source, raw in raws if source in limits -%}
        {%- set raw_table = {'source': source, 'relation': raw} -%}
        {%- do parts.append(
            debezium_spark._signs_of_source(
                source,
                limits[source],
                debezium_spark.existing_entries([raw_table]),
                debezium_spark.existing_entries(
                    stagings | selectattr('source', 'equalto', source) | list
                )
            )
        ) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {%- if not parts -%}
        {{- return(debezium_spark.union_of_parts('source_lateness', [])) -}}
    {%- endif -%}
with

signs as (

    {{ parts | join('\n\nunion all\n\n') | indent(4) }}

),

bounds as (

    select
        *,
        greatest(newest_heartbeat_at, newest_event_at) as heard_at,
        {{ debezium_spark._as_of() }} as as_of
    from signs

)

select
    source_name,
    newest_heartbeat_at,
    newest_event_at,
    heard_at,
    as_of,
    unix_seconds(as_of) - unix_seconds(heard_at) as lag_seconds,
    max_lag_seconds,
    -- a source of which nothing has landed is late
    coalesce(
        timestampadd(second, max_lag_seconds, heard_at), timestamp_seconds(0)
    ) as late_at,
    coalesce(timestampadd(second, max_lag_seconds, heard_at) <= as_of, true) as is_late
from bounds
{%- endmacro -%}


{#- SELECT: one row, the newest heartbeat and the newest event of a source. -#}
{%- macro _signs_of_source(source, limit, raws, stagings) -%}
    {%- set parts = [] -%}
    {%- for raw in raws -%}
        {%- do parts.append(
            debezium_spark._newest_heartbeat(debezium_spark.source_config(source), raw.relation)
        ) -%}
    {%- endfor -%}
    {%- for staging in stagings -%}
        {%- do parts.append(
            'select cast(null as timestamp) as heartbeat_at, max('
            ~ debezium_spark._no_later_than_landed('_cdc_source_at') ~ ') as event_at from '
            ~ staging.relation
        ) -%}
    {%- endfor -%}
select
    {{ debezium_spark.text_literal(source) }} as source_name,
    max(heartbeat_at) as newest_heartbeat_at,
    max(event_at) as newest_event_at,
    cast({{ limit }} as bigint) as max_lag_seconds
from (
    {{ parts | join('\n    union all\n    ') if parts else
        'select cast(null as timestamp) as heartbeat_at, cast(null as timestamp) as event_at' }}
) as signs_of_source
{%- endmacro -%}


{#- SELECT: the time in the newest heartbeat, else that of its record. -#}
{%- macro _newest_heartbeat(config, raw) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set text = (
        "coalesce(get_json_object(value, '$.payload.ts_ms'), get_json_object(value, '$.ts_ms'))"
    ) -%}
select
        max({{ debezium_spark._no_later_than_landed(
            'coalesce(timestamp_millis(if(' ~ text ~ " rlike '^[0-9]{1,14}$', cast(" ~ text
            ~ ' as bigint), null)), timestamp)'
        ) }}) as heartbeat_at,
        cast(null as timestamp) as event_at
    from {{ raw }}
    where topic = {{ debezium_spark.text_literal(debezium.config.heartbeat_topic(config)) }}
{%- endmacro -%}
