{#-
    The latest snapshot of a table without a key replaces all that came before it. Reads of one
    snapshot share topic, stream position and run; the one marked as the first begins another one:

    | offset | stream position | run | mark  | snapshot                                |
    |--------|-----------------|-----|-------|-----------------------------------------|
    | 1      | 50              | a   | first | the first one                           |
    | 2      | 50              | a   |       | the first one                           |
    | 7      | 50              | a   | first | the second one: the rows of 1, 2 are gone |
    | 8      | 50              | a   |       | the second one                          |
-#}


{#- CTE `snapshots`: of each table the latest one, and the `reads` that tell it. -#}
{%- macro keyless_snapshots() -%}
reads as (

    {# at its first delivery: a repeat begins no snapshot, and ends none #}
    select
        of_table,
        epoch_stream_pos,
        run_id,
        min(arrival) as arrival,
        inline_outer(array(min_by(
            struct(topic, `partition`, delivery, `timestamp`, begins_at, is_first_read), arrival
        )))
    from arrived_events
    where op = 'r'
    group by
        of_table,
        epoch_stream_pos,
        run_id,
        identity,
        case when is_shared then struct(topic, `partition`, delivery) end

),

snapshots as (

    select
        of_table,
        max_by(
            struct(topic, epoch_stream_pos, run_id, starts_at, first_arrival, ends), last_arrival
        ) as latest
    from (
        select
            of_table,
            topic,
            epoch_stream_pos,
            run_id,
            any_value(starts_at) as starts_at,
            min(first_arrival) as first_arrival,
            max(last_arrival) as last_arrival,
            collect_list(struct(`partition`, last_delivery, last_timestamp)) as ends
        from (
            select
                reads.of_table,
                reads.topic,
                reads.epoch_stream_pos,
                reads.run_id,
                reads.`partition`,
                any_value(starts.starts_at) as starts_at,
                min(reads.arrival) as first_arrival,
                max(reads.arrival) as last_arrival,
                max(reads.delivery) as last_delivery,
                max(reads.`timestamp`) as last_timestamp
            from reads
            left join (
                select
                    of_table,
                    topic,
                    epoch_stream_pos,
                    run_id,
                    max(begins_at) as starts_at
                from reads
                where is_first_read
                group by of_table, topic, epoch_stream_pos, run_id
            ) as starts
                on
                    reads.of_table = starts.of_table
                    and reads.topic = starts.topic
                    and reads.epoch_stream_pos <=> starts.epoch_stream_pos
                    and reads.run_id <=> starts.run_id
            where coalesce(reads.begins_at >= starts.starts_at, true)
            group by
                reads.of_table,
                reads.topic,
                reads.epoch_stream_pos,
                reads.run_id,
                reads.`partition`
        ) as parts
        group by of_table, topic, epoch_stream_pos, run_id
    ) as begun_snapshots
    group by of_table

)
{%- endmacro -%}


{#- SQL: a read belongs to the latest snapshot; a change arrived after its first read. -#}
{%- macro is_behind_snapshot() -%}
case
    when arrived_events.op = 'r'
        then arrived_events.topic = snapshots.latest.topic
            and arrived_events.epoch_stream_pos <=> snapshots.latest.epoch_stream_pos
            and arrived_events.run_id <=> snapshots.latest.run_id
            and coalesce(arrived_events.begins_at >= snapshots.latest.starts_at, true)
    else snapshots.latest is null
        or arrived_events.arrival > snapshots.latest.first_arrival
end
{%- endmacro -%}


{#-
    SQL condition: the truncate `t`, behind all reads of the snapshot, removes the event's row
    (docs/semantics.md, truncates).
-#}
{%- macro keyless_truncate_removes() -%}
not exists(
        coalesce(snapshots.latest.ends, array()),
        r -> case
            when snapshots.latest.topic = t.topic and r.`partition` = t.`partition`
                then r.last_delivery > struct(t.incarnation, t.`offset`)
            else coalesce(r.last_timestamp > t.`timestamp`, false)
        end
    )
    and {{ debezium_spark.lies_before_truncate('arrived_events', "arrived_events.op != 'r'") }}
{%- endmacro -%}
