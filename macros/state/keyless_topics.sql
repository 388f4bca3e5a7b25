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
    SELECT: of each topic, whether its rows lie in several partitions, and the latest snapshot: when its first row arrived, and where it
    ended in each partition. The rows of one snapshot share its position and the connector's run.

    One pass over narrow columns: whether a topic is spread is known only afterwards, so both orders are looked at.
-#}
{%- macro _keyless_topics() %}
    select
        topic,
        min(first_partition) != max(last_partition) as is_moved,
        case
            when min(first_partition) != max(last_partition) then max_by(spread_read, spread_read.last_arrival)
            else max_by(kept_read, kept_read.last_arrival)
        end as snapshot
    from (
        select
            topic,
            min(`partition`) as first_partition,
            max(`partition`) as last_partition,
            {%- for name in ['kept', 'spread'] %}
            case
                when op = 'r'
                    then named_struct(
                        'epoch_stream_pos', epoch_stream_pos,
                        'run_id', run_id,
                        'first_arrival', min(first_{{ name }}),
                        'last_arrival', max(last_{{ name }}),
                        'ends', collect_list(named_struct('partition', `partition`, 'delivery', last_delivery, 'timestamp', last_timestamp))
                    )
            end as {{ name }}_read{{ ',' if not loop.last }}
            {%- endfor %}
        from (
            select
                topic,
                case when op = 'r' then op end as op,
                case when op = 'r' then epoch_stream_pos end as epoch_stream_pos,
                case when op = 'r' then run_id end as run_id,
                `partition`,
                {%- for name, is_moved in [('kept', 'false'), ('spread', 'true')] %}
                {%- set arrival = "case when op = 'r' then " ~ debezium_spark._arrival_struct(is_moved) ~ ' end' %}
                min({{ arrival | indent(16) }}) as first_{{ name }},
                max({{ arrival | indent(16) }}) as last_{{ name }},
                {%- endfor %}
                max(case when op = 'r' then struct(incarnation, `offset`) end) as last_delivery,
                max(case when op = 'r' then `timestamp` end) as last_timestamp
            from staged
            where op != 't'
            group by
                topic,
                case when op = 'r' then op end,
                case when op = 'r' then epoch_stream_pos end,
                case when op = 'r' then run_id end,
                `partition`
        ) as partitions
        group by topic, op, epoch_stream_pos, run_id
    ) as reads
    group by topic
{% endmacro -%}
