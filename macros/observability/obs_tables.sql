{#-
    How each table is: how far it is behind its source, what waits, what its connector repeated,
    which values no event contains. Of two tables, the second in a source with `max_lag`:

    | table_name    | lag_seconds | unexplained | unavailable_values | waits_for | late_because |
    |---------------|-------------|-------------|--------------------|-----------|--------------|
    | public.orders | 3           | 0           | 0                  |           |              |
    | erp.goods     | 5           | 2           | 0                  | staging   | waiting      |

    Times serve people only; nothing is ordered by them. `raws`: pairs of a source and its raw
    table; `stagings`: {source, table, relation, state}.
-#}
{%- macro obs_tables(raws, stagings) -%}
    {{- return(adapter.dispatch('obs_tables', 'debezium_spark')(raws, stagings)) -}}
{%- endmacro -%}


{%- macro default__obs_tables(raws, stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set limits = debezium_spark._lag_limits(raws | map('first')) -%}
    {%- set inputs = debezium_spark._observed_inputs(raws, stagings, limits) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set tables, names = [], [] -%}
    {%- for staging in stagings -%}
        {%- set limit = limits.get(staging.source) -%}
        {%- do tables.append(dict(staging, number=loop.index, limit=limit)) -%}
        {%- do names.append({
            'number': loop.index, 'source_name': staging.source, 'table_name': staging.table,
            'max_lag_seconds': limit
        }) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
with

observed as (

    select inline(
        from_json(
            {{ debezium_spark.text_literal(tojson(names)) }},
            'array<struct<number: int, source_name: string, table_name: string, '
            || 'max_lag_seconds: bigint>>'
        )
    )

),

{{ debezium_spark._staged_of_tables(debezium_spark.existing_entries(tables)) }},

{{ debezium_spark._folded_of_tables(debezium_spark.existing_entries(tables, ['state'])) }},

{{ debezium_spark._waiting_of_tables(tables, dict(raws)) }},

{{ debezium_spark._heartbeats_of_sources(raws, limits) }},

known_tables as (

    select
        *,
        {{ debezium_spark._as_of() }} as as_of,
        greatest(
            newest_heartbeat_at, max(newest_event_at) over (partition by source_name)
        ) as heard_at
    from observed
    left join staged using (number)
    left join folded using (number)
    left join unavailable using (number)
    left join waiting using (number)
    left join heartbeats using (source_name)

),

{#- a source of which nothing has landed is late -#}
bounds as (

    select
        *,
        case
            when max_lag_seconds is not null then coalesce(
                timestampadd(second, max_lag_seconds, heard_at), timestamp_seconds(0)
            )
        end as silent_at,
        timestampadd(second, max_lag_seconds, waiting_since) as overdue_at
    from known_tables

)

select
    source_name,
    table_name,
    newest_source_at,
    newest_captured_at,
    newest_landed_at,
    newest_batch_id,
    unix_seconds(newest_landed_at) - unix_seconds(newest_source_at) as lag_seconds,
    coalesce(replays, 0) as replays,
    coalesce(unexplained, 0) as unexplained,
    first_unexplained_event_id,
    coalesce(unavailable_values, 0) as unavailable_values,
    unavailable_columns,
    case when max_lag_seconds is not null then coalesce(waiting_records, 0) end as waiting_records,
    waits_for,
    waiting_since,
    newest_heartbeat_at,
    case when max_lag_seconds is not null then heard_at end as heard_at,
    as_of,
    max_lag_seconds,
    least(silent_at, overdue_at) as late_at,
    coalesce(least(silent_at, overdue_at) <= as_of, false) as is_late,
    case
        when overdue_at <= as_of then 'waiting'
        when silent_at <= as_of then 'silence'
    end as late_because
from bounds
{%- endmacro -%}


{#- CTE `staged`: the newest of each table's staged events, by number of the table. -#}
{%- macro _staged_of_tables(tables) -%}
staged as (

    select
        number,
        max(source_at) as newest_source_at,
        max(captured_at) as newest_captured_at,
        max(landed_at) as newest_landed_at,
        max(batch_id) as newest_batch_id,
        max(least(source_at, landed_at)) as newest_event_at
    from (
        {%- for table in tables %}
        select
            {{ table.number }} as number,
            _cdc_source_at as source_at,
            _cdc_captured_at as captured_at,
            _cdc_landed_at as landed_at,
            _cdc_batch_id as batch_id
        from {{ table.relation }}
        {{- '\n        union all' if not loop.last }}
        {%- else %}
        select
            cast(null as int) as number,
            cast(null as timestamp) as source_at,
            cast(null as timestamp) as captured_at,
            cast(null as timestamp) as landed_at,
            cast(null as bigint) as batch_id
        from range(0)
        {%- endfor %}
    ) as staged_events
    group by number

)
{%- endmacro -%}


{#- CTEs `folded` and `unavailable`: what the states say of each table, by number of the table. -#}
{%- macro _folded_of_tables(tables) -%}
folded_rows as (

    {%- for table in tables %}
    select
        {{ table.number }} as number,
        _cdc_key as row_key,
        _cdc_is_deleted as is_deleted,
        _cdc_unavailable as unavailable,
        _cdc_fold_replays as replays,
        _cdc_fold_unexplained as unexplained,
        _cdc_fold_first_unexplained as first_unexplained
    from {{ table.state }}
    {{- '\n    union all' if not loop.last }}
    {%- else %}
    select
        cast(null as int) as number,
        cast(null as string) as row_key,
        cast(null as boolean) as is_deleted,
        cast(null as array<string>) as unavailable,
        cast(null as bigint) as replays,
        cast(null as bigint) as unexplained,
        cast(null as string) as first_unexplained
    from range(0)
    {%- endfor %}

),

folded as (

    select
        number,
        sum(replays) as replays,
        sum(unexplained) as unexplained,
        min(first_unexplained) as first_unexplained_event_id
    from folded_rows
    where replays > 0
    group by number

),

unavailable as (

    select
        number,
        sum(row_count) as unavailable_values,
        array_sort(collect_list(struct(column_name, row_count, example_key)))
            as unavailable_columns
    from (
        select
            number,
            column_name,
            count(*) as row_count,
            min(row_key) as example_key
        from folded_rows
        lateral view explode(unavailable) as column_name
        where not is_deleted
        group by number, column_name
    ) as unavailable_by_column
    group by number

)
{%- endmacro -%}
