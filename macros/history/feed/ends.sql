{#-
    What ended or brought back a row of the feed, and when that landed (docs/feed.md): SQL over a
    row's `winner` and `full_read`, the lists `truncates` and `closings`.
-#}


{#- SQL: what ended a row, as structs of which the least is the first to end it. -#}
{%- macro _ends(array, time) -%}
    {{- return(
        'transform(' ~ array ~ ', e -> struct(e.' ~ time ~ ' is null as is_undated, e.' ~ time
        ~ ' as ended_at, e.landing as landing))'
    ) -}}
{%- endmacro -%}


{#- SQL: the truncates that removed a row; it has been gone since the first of them landed. -#}
{%- macro _removals() -%}
filter(truncates.list, t -> {{ debezium_spark.truncate_removes('winner', 'full_read') }})
{%- endmacro -%}


{#-
    SQL: the landing that brought a row back: the first delivery of a truncate, which spares the row
    that a later delivery, landed before, removed.
-#}
{%- macro _restored_by() -%}
{%- set removes = debezium_spark.truncate_removes('winner', 'full_read') -%}
array_max(transform(
    filter(
        truncates.repeated,
        r -> exists(r.deliveries, t -> {{ removes | indent(8) }})
            and not exists(array(r.first), t -> {{ removes | indent(8) }})
    ),
    r -> r.first.landing
))
{%- endmacro -%}


{#-
    SQL: the snapshots that close a row. They did when their end landed, unless only reads that
    landed behind it show that; when they began is known from the landing of their first read.
-#}
{%- macro _closings_of() -%}
transform(
    filter(closings.list, s -> {{ debezium_spark.snapshot_closes('winner') | indent(4) }}),
    s -> struct(
        greatest(
            if({{ debezium_spark._closed_at_end() | indent(12) }}, s.completed, s.landing),
            s.began
        ) as landing,
        s.`timestamp` as started_at
    )
)
{%- endmacro -%}


{#-
    SQL: the landing that brought a row back: reads of a snapshot that land behind its end show that
    it began earlier.
-#}
{%- macro _reopened_by() -%}
array_max(transform(
    filter(
        closings.list,
        s -> not ({{ debezium_spark.snapshot_closes('winner') | indent(8) }})
            and ({{ debezium_spark._closed_at_end() | indent(8) }}
                or {{ debezium_spark._closed_by_first_reads() | indent(8) }})
    ),
    s -> s.landing
))
{%- endmacro -%}


{#-
    SQL condition: the snapshot `s` closed a row when its end landed. Of partitions whose reads
    landed later, only times were known then.
-#}
{%- macro _closed_at_end() -%}
if(
    s.topic = winner.topic and array_contains(s.later_partitions, winner.`partition`),
    coalesce(winner.`timestamp` < s.first_timestamp, false),
    {{ debezium_spark._closed_by_first_reads() | indent(4) }}
)
{%- endmacro -%}


{%- macro _closed_by_first_reads() -%}
    {{- return(
        debezium_spark.snapshot_closes('winner', 's.first_starts', 's.first_timestamp')
    ) -}}
{%- endmacro -%}


{#- SELECT: one row with all complete snapshots, and what of them landed when. -#}
{%- macro _dated_snapshots(state) -%}
select
    collect_list(struct(
        topic, incarnation, `timestamp`, starts, completed, landing, first_read.landing as began,
        first_timestamp, first_starts, later_partitions
    )) as list
from (
    select
        topic,
        incarnation,
        min(completed) as completed,
        max(landing) as landing,
        min(first_read) as first_read,
        min(first_timestamp) as first_timestamp,
        min(`timestamp`) as `timestamp`,
        map_from_entries(collect_list(struct(`partition`, struct(`offset`, `timestamp`))))
            as starts,
        map_from_entries(collect_list(struct(
            `partition`, struct(first_offset as `offset`, first_start as `timestamp`)
        ))) as first_starts,
        collect_list(case when is_later then `partition` end) as later_partitions
    from (
        select
            topic,
            incarnation,
            epoch_stream_pos,
            run_id,
            `partition`,
            min(`offset`) as `offset`,
            min(`timestamp`) as `timestamp`,
            min(completed) as completed,
            max(landing) as landing,
            min(case when `timestamp` is not null then struct(`timestamp`, landing) end)
                as first_read,
            min(case when landing.batch_id <= completed.batch_id then `timestamp` end)
                as first_timestamp,
            min(case
                when landing.batch_id <= greatest(completed.batch_id, appeared_in) then `offset`
            end) as first_offset,
            min(case
                when landing.batch_id <= greatest(completed.batch_id, appeared_in)
                    then `timestamp`
            end) as first_start,
            min(landing.batch_id) > min(completed.batch_id) as is_later,
            bool_or(has_last) as has_last
        from (
            {# when the end of the snapshot landed, and its first read in each partition #}
            select
                *,
                min(case when has_last then landing end) over (
                    partition by topic, incarnation, epoch_stream_pos, run_id
                ) as completed,
                min(landing.batch_id) over (
                    partition by topic, incarnation, epoch_stream_pos, run_id, `partition`
                ) as appeared_in
            from (
                select
                    *,
                    struct(batch_id, landed_at) as landing
                from (
                    {{ debezium_spark.snapshots_of_state(state) | indent(20) }}
                ) as parts
            ) as landed_parts
        ) as parts_with_ends
        group by topic, incarnation, epoch_stream_pos, run_id, `partition`
    ) as partitions
    group by topic, incarnation, epoch_stream_pos, run_id
    having bool_or(has_last)
) as snapshots
{%- endmacro -%}
