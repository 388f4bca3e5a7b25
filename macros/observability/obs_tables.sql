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
    {%- set observed = [] -%}
    {%- for staging in stagings -%}
        {%- set limit = limits.get(staging.source) -%}
        {%- do observed.append({
            'source_name': staging.source, 'table_name': staging.table, 'max_lag_seconds': limit
        }) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
with

observed as (

    select inline(
        from_json(
            {{ debezium_spark.text_literal(tojson(observed)) }},
            'array<struct<source_name: string, table_name: string, max_lag_seconds: bigint>>'
        )
    )

),

{{ debezium_spark._heartbeats_of_sources(raws, limits) }},

batches as (

    {{ debezium_spark._staged_batches(debezium_spark.existing_entries(stagings)) | indent(4) }}

    union all

    {{ debezium_spark._folded_batches(
        debezium_spark.existing_entries(stagings, ['state'])
    ) | indent(4) }}
    {%- for part in debezium_spark._landed_batches(stagings, raws, limits) %}

    union all

    {{ part | indent(4) }}
    {%- endfor %}

),

placed_batches as (

    select
        *,
        case waits_for
            when 'landing' then true
            when 'staging' then batch_id > coalesce(
                max(newest.batch_id) over (partition by source_name, table_name), -1
            )
            when 'state' then batch_id > coalesce(
                max(folded.batch_id) over (partition by source_name, table_name), -1
            )
        end as waits
    from batches

),

known_tables as (

    select
        source_name,
        table_name,
        max_lag_seconds,
        {{ debezium_spark._as_of() }} as as_of,
        max(newest_heartbeat_at) as newest_heartbeat_at,
        max(newest.source_at) as newest_source_at,
        max(newest.captured_at) as newest_captured_at,
        max(newest.landed_at) as newest_landed_at,
        max(newest.batch_id) as newest_batch_id,
        greatest(
            max(newest_heartbeat_at),
            max(max(newest.event_at)) over (partition by source_name)
        ) as heard_at,
        any_value(folded, true) as folded,
        sum(records) filter (where waits) as waiting_records,
        min_by(waits_for, since) filter (where waits and max_lag_seconds > 0) as waits_for,
        min(since) filter (where waits and max_lag_seconds > 0) as waiting_since
    from observed
    left join heartbeats using (source_name)
    left join placed_batches using (source_name, table_name)
    group by source_name, table_name, max_lag_seconds

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
    coalesce(folded.replays, 0) as replays,
    coalesce(folded.unexplained, 0) as unexplained,
    folded.first_unexplained_event_id,
    coalesce(folded.unavailable_values, 0) as unavailable_values,
    folded.unavailable_columns,
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


{#-
    SELECTs for the CTE `batches`, one row for each table and batch: what was staged (`newest`), and
    the batch up to which a state has folded, with what it says of its rows (`folded`). Of a table
    whose batch 8 waits to be folded:

    | waits_for | batch_id | records | newest                  | folded                     |
    |-----------|----------|---------|-------------------------|----------------------------|
    | state     | 8        | 3       | {batch_id: 8, …}        |                            |
    |           |          |         |                         | {batch_id: 7, replays: 2, …} |
-#}
{%- macro _staged_batches(stagings) -%}
select
    source_name,
    table_name,
    'state' as waits_for,
    batch_id,
    count(*) as records,
    min(recorded_at) as since,
    struct(
        batch_id,
        max(source_at) as source_at,
        max(captured_at) as captured_at,
        max(landed_at) as landed_at,
        max(event_at) as event_at
    ) as newest,
    null as folded
from (
    {{ debezium_spark.rows_of_tables(stagings, [
        ('batch_id', 'bigint', '_cdc_batch_id'),
        ('source_at', 'timestamp', '_cdc_source_at'),
        ('captured_at', 'timestamp', '_cdc_captured_at'),
        ('landed_at', 'timestamp', '_cdc_landed_at'),
        ('event_at', 'timestamp', debezium_spark._no_later_than_landed('_cdc_source_at')),
        ('recorded_at', 'timestamp', debezium_spark._no_later_than_landed('_cdc_timestamp')),
    ]) | indent(4) }}
) as staged_events
group by source_name, table_name, batch_id
{%- endmacro -%}


{%- macro _folded_batches(stagings) -%}
select
    source_name,
    table_name,
    null as waits_for,
    null as batch_id,
    null as records,
    null as since,
    null as newest,
    struct(
        max(batch_id) as batch_id,
        sum(replays) as replays,
        sum(unexplained) as unexplained,
        min(first_unexplained) as first_unexplained_event_id,
        sum(row_count) filter (where column_name is not null) as unavailable_values,
        case
            when count(column_name) > 0
                then array_sort(collect_list(struct(column_name, row_count, example_key))
                    filter (where column_name is not null))
        end as unavailable_columns
    ) as folded
from (
    select
        source_name,
        table_name,
        column_name,
        max(case when row_key = '!watermark' then batch_id end) as batch_id,
        {#- a row that lacks several values counts once -#}
        sum(case when coalesce(place, 0) = 0 then replays end) as replays,
        sum(case when coalesce(place, 0) = 0 then unexplained end) as unexplained,
        min(first_unexplained) as first_unexplained,
        count(*) as row_count,
        min(row_key) as example_key
    from (
        {{ debezium_spark.rows_of_tables(stagings, [
            ('row_key', 'string', '_cdc_key'),
            ('batch_id', 'bigint', '_cdc_batch_id'),
            ('unavailable', 'array<string>', 'if(_cdc_is_deleted, null, _cdc_unavailable)'),
            ('replays', 'bigint', '_cdc_fold_replays'),
            ('unexplained', 'bigint', '_cdc_fold_unexplained'),
            ('first_unexplained', 'string', '_cdc_fold_first_unexplained'),
        ], member='state') | indent(8) }}
    ) as folded_rows
    lateral view outer posexplode(unavailable) as place, column_name
    where row_key = '!watermark' or replays > 0 or size(unavailable) > 0
    group by source_name, table_name, column_name
) as folded_values
group by source_name, table_name
{%- endmacro -%}
