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

    Whether a topic is spread over partitions is known only at the end: until then both orders are looked at, and the log is read once,
    and once for the few reads that are marked.
-#}
{%- macro _keyless_topics() -%}
{%- set orders = [('kept', 'false'), ('spread', 'true')] -%}
beginnings as (

    {# a repeat of the first read begins nothing #}
    select
        topic,
        epoch_stream_pos,
        run_id,
        {%- for name, is_moved in orders %}
        max({{ name }}) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            topic,
            epoch_stream_pos,
            run_id,
            {%- for name, is_moved in orders %}
            min({{ debezium_spark._beginning_struct(is_moved) | indent(12) }}) as {{ name }}{{ ',' if not loop.last }}
            {%- endfor %}
        from staged
        where op = 'r' and is_first_read
        group by
            topic,
            epoch_stream_pos,
            run_id,
            identity,
            case when is_shared then struct(incarnation, `partition`, `offset`) end
    ) as first_reads
    group by topic, epoch_stream_pos, run_id

),

deliveries_of_reads as (

    {# each read once: a repeat ends no snapshot; a row for each partition stands for what is no read #}
    select
        topic,
        op = 'r' as is_read,
        case when op = 'r' then epoch_stream_pos end as epoch_stream_pos,
        case when op = 'r' then run_id end as run_id,
        min(`partition`) as first_partition,
        max(`partition`) as last_partition,
        {%- for name, is_moved in orders %}
        min({{ debezium_spark._arrival_struct(is_moved) | indent(8) }}) as {{ name }}_arrival,
        min({{ debezium_spark._beginning_struct(is_moved) | indent(8) }}) as {{ name }}_beginning,
        min_by(
            named_struct('partition', `partition`, 'delivery', struct(incarnation, `offset`), 'timestamp', `timestamp`),
            {{ debezium_spark._arrival_struct(is_moved) | indent(12) }}
        ) as {{ name }}_place{{ ',' if not loop.last }}
        {%- endfor %}
    from staged
    where op != 't'
    group by
        topic,
        op = 'r',
        case when op = 'r' then epoch_stream_pos end,
        case when op = 'r' then run_id end,
        case when op = 'r' then identity end,
        case when op = 'r' and is_shared then struct(incarnation, `partition`, `offset`) end

),

topics as (

    select
        topic,
        min(first_partition) != max(last_partition) as is_moved,
        case
            when min(first_partition) != max(last_partition) then max_by(spread_snapshot, spread_snapshot.last_arrival)
            else max_by(kept_snapshot, kept_snapshot.last_arrival)
        end as snapshot
    from (
        select
            topic,
            min(first_partition) as first_partition,
            max(last_partition) as last_partition,
            {%- for name, _ in orders %}
            case
                when is_read
                    then named_struct(
                        'epoch_stream_pos', epoch_stream_pos,
                        'run_id', run_id,
                        'starts_at', any_value({{ name }}_starts_at),
                        'first_arrival', min({{ name }}_first_arrival),
                        'last_arrival', max({{ name }}_last_arrival),
                        'ends', collect_list(named_struct('partition', `partition`, 'delivery', {{ name }}_end.delivery, 'timestamp', {{ name }}_end.`timestamp`))
                    )
            end as {{ name }}_snapshot{{ ',' if not loop.last }}
            {%- endfor %}
        from (
            select
                reads.topic,
                reads.is_read,
                reads.epoch_stream_pos,
                reads.run_id,
                reads.kept_place.`partition` as `partition`,
                min(reads.first_partition) as first_partition,
                max(reads.last_partition) as last_partition,
                {%- for name, _ in orders %}
                {%- set is_of_it = 'coalesce(reads.' ~ name ~ '_beginning >= beginnings.' ~ name ~ ', true)' %}
                any_value(beginnings.{{ name }}) as {{ name }}_starts_at,
                min(case when {{ is_of_it }} then reads.{{ name }}_arrival end) as {{ name }}_first_arrival,
                max(reads.{{ name }}_arrival) as {{ name }}_last_arrival,
                named_struct(
                    'delivery', max(case when {{ is_of_it }} then reads.{{ name }}_place.delivery end),
                    'timestamp', max(case when {{ is_of_it }} then reads.{{ name }}_place.`timestamp` end)
                ) as {{ name }}_end{{ ',' if not loop.last }}
                {%- endfor %}
            from deliveries_of_reads as reads
            left join beginnings
                on
                    reads.is_read
                    and reads.topic = beginnings.topic
                    and reads.epoch_stream_pos <=> beginnings.epoch_stream_pos
                    and reads.run_id <=> beginnings.run_id
            group by reads.topic, reads.is_read, reads.epoch_stream_pos, reads.run_id, reads.kept_place.`partition`
        ) as parts
        group by topic, is_read, epoch_stream_pos, run_id
    ) as snapshots
    group by topic

),
{%- endmacro -%}
