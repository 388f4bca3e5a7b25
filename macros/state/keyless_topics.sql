{#-
    SQL: where a delivery of `staged` arrived, comparable within its topic. A topic whose rows lie in several partitions has no order of
    offsets: time tells them apart (docs/semantics.md, order).
-#}
{%- macro _arrival_struct(is_moved, prefix='') -%}
named_struct(
    'incarnation', {{ prefix }}incarnation,
    'moved_at', case when {{ is_moved }} then {{ prefix }}`timestamp` end,
    'moved_to', case when {{ is_moved }} then {{ prefix }}`partition` end,
    'offset', {{ prefix }}`offset`,
    'topic', {{ prefix }}topic
)
{%- endmacro -%}


{#-
    SQL: when a read arrived, compared with the first of its snapshot. In several partitions only time tells, and reads of one snapshot
    share milliseconds.
-#}
{%- macro _beginning_struct(is_moved, prefix='') -%}
named_struct(
    'incarnation', {{ prefix }}incarnation,
    'at', case when {{ is_moved }} then unix_micros({{ prefix }}`timestamp`) else {{ prefix }}`offset` end
)
{%- endmacro -%}


{#-
    CTEs, `topics` last: of each topic, whether its rows lie in several partitions, and the latest snapshot: where its reads begin, when its
    first row arrived, and where it ended in each partition. The rows of one snapshot share its position and the connector's run; a read
    that is marked as the first begins another (docs/semantics.md, tables without a key).
-#}
{%- macro _keyless_topics() -%}
spread as (

    select
        topic,
        min(`partition`) != max(`partition`) as is_moved
    from staged
    where op != 't'
    group by topic

),

reads as (

    {# each read once: a repeat begins no snapshot and ends none #}
    select
        staged.topic,
        staged.epoch_stream_pos,
        staged.run_id,
        min_by(
            named_struct(
                'partition', staged.`partition`,
                'delivery', struct(staged.incarnation, staged.`offset`),
                'timestamp', staged.`timestamp`,
                'is_first', staged.is_first_read
            ),
            {{ debezium_spark._arrival_struct('spread.is_moved', 'staged.') | indent(12) }}
        ) as read,
        min({{ debezium_spark._arrival_struct('spread.is_moved', 'staged.') | indent(12) }}) as arrival,
        min({{ debezium_spark._beginning_struct('spread.is_moved', 'staged.') | indent(12) }}) as beginning
    from staged
    inner join spread on staged.topic = spread.topic
    where staged.op = 'r'
    group by
        staged.topic,
        staged.epoch_stream_pos,
        staged.run_id,
        staged.identity,
        case when staged.is_shared then struct(staged.incarnation, staged.`partition`, staged.`offset`) end

),

latest_reads as (

    select
        topic,
        max_by(struct(epoch_stream_pos, run_id, starts_at), last_arrival) as snapshot
    from (
        select
            topic,
            epoch_stream_pos,
            run_id,
            max(case when read.is_first then beginning end) as starts_at,
            max(arrival) as last_arrival
        from reads
        group by topic, epoch_stream_pos, run_id
    ) as snapshots
    group by topic

),

snapshot_parts as (

    select
        reads.topic,
        reads.read.`partition` as `partition`,
        min(reads.arrival) as first_arrival,
        max(reads.read.delivery) as last_delivery,
        max(reads.read.`timestamp`) as last_timestamp
    from reads
    inner join latest_reads on reads.topic = latest_reads.topic
    where
        reads.epoch_stream_pos <=> latest_reads.snapshot.epoch_stream_pos
        and reads.run_id <=> latest_reads.snapshot.run_id
        and coalesce(reads.beginning >= latest_reads.snapshot.starts_at, true)
    group by reads.topic, reads.read.`partition`

),

topics as (

    select
        spread.topic,
        any_value(spread.is_moved) as is_moved,
        case
            when min(parts.first_arrival) is not null
                then named_struct(
                    'epoch_stream_pos', any_value(latest_reads.snapshot.epoch_stream_pos),
                    'run_id', any_value(latest_reads.snapshot.run_id),
                    'starts_at', any_value(latest_reads.snapshot.starts_at),
                    'first_arrival', min(parts.first_arrival),
                    'ends', collect_list(named_struct('partition', parts.`partition`, 'delivery', parts.last_delivery, 'timestamp', parts.last_timestamp))
                )
        end as snapshot
    from spread
    left join latest_reads on spread.topic = latest_reads.topic
    left join snapshot_parts as parts on spread.topic = parts.topic
    group by spread.topic

),
{%- endmacro -%}
