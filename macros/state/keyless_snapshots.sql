{#-
    CTE `snapshots`: whether a table's rows lie in several partitions, and its latest snapshot:
    where its reads begin and end, and when its first row arrived (docs/semantics.md, tables without
    a key). Only at the end is it known whether a table is spread: until then both orders are
    followed, so that the log is read once.
-#}
{%- macro _keyless_snapshots() -%}
{%- set orders = [('single', 'false'), ('several', 'true')] -%}
{%- set own_delivery -%}
case when is_shared then struct(topic, incarnation, `partition`, `offset`) end
{%- endset -%}
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
            min_by(topic, {{ debezium_spark.arrival_struct('true') | indent(12) }}) as topic,
            epoch_stream_pos,
            run_id,
            {%- for name, is_moved in orders %}
            min({{ debezium_spark._beginning_struct(is_moved) | indent(12) }}) as {{ name }}
            {{- ',' if not loop.last }}
            {%- endfor %}
        from staged_events
        where op = 'r' and is_first_read
        group by
            of_table,
            epoch_stream_pos,
            run_id,
            identity,
            {{ own_delivery }}
    ) as first_reads
    group by topic, epoch_stream_pos, run_id

),

deliveries_of_reads as (

    {# each read once: a repeat ends no snapshot; one row stands for what is no read #}
    select
        of_table,
        op = 'r' as is_read,
        case when op = 'r' then epoch_stream_pos end as epoch_stream_pos,
        case when op = 'r' then run_id end as run_id,
        min({{ debezium_spark.partition_struct() }}) as first_place,
        max({{ debezium_spark.partition_struct() }}) as last_place,
        {%- for name, is_moved in orders %}
        min({{ debezium_spark.arrival_struct(is_moved) | indent(8) }}) as {{ name }}_arrival,
        min({{ debezium_spark._beginning_struct(is_moved) | indent(8) }}) as {{ name }}_beginning,
        min_by(
            named_struct('delivery', struct(incarnation, `offset`), 'timestamp', `timestamp`),
            {{ debezium_spark.arrival_struct(is_moved) | indent(12) }}
        ) as {{ name }}_delivery,
        {%- endfor %}
        {# a table in one partition has only that one #}
        min_by({{ debezium_spark.partition_struct() }},
            {{ debezium_spark.arrival_struct('true') | indent(12) }}) as place
    from staged_events
    where op != 't'
    group by
        of_table,
        op = 'r',
        case when op = 'r' then epoch_stream_pos end,
        case when op = 'r' then run_id end,
        case when op = 'r' then identity end,
        case when op = 'r' then {{ own_delivery }} end

),

{{ debezium_spark._latest_snapshots(orders) }},
{%- endmacro -%}


{#- CTE `snapshots`, from `deliveries_of_reads` and `beginnings`, for each of the `orders`. -#}
{%- macro _latest_snapshots(orders) -%}
snapshots as (

    select
        of_table,
        min(first_place) != max(last_place) as is_moved,
        case
            when min(first_place) != max(last_place)
                then max_by(several_snapshot, several_snapshot.last_arrival)
            else max_by(single_snapshot, single_snapshot.last_arrival)
        end as snapshot
    from (
        select
            of_table,
            min(first_place) as first_place,
            max(last_place) as last_place,
            {%- for name, _ in orders %}
            case
                when is_read
                    then named_struct(
                        'topic', topic,
                        'epoch_stream_pos', epoch_stream_pos,
                        'run_id', run_id,
                        'starts_at', any_value({{ name }}_starts_at),
                        'first_arrival', min({{ name }}_first_arrival),
                        'last_arrival', max({{ name }}_last_arrival),
                        'ends', collect_list(named_struct('partition', `partition`,
                            'delivery', {{ name }}_end.delivery,
                            'timestamp', {{ name }}_end.`timestamp`))
                    )
            end as {{ name }}_snapshot{{ ',' if not loop.last }}
            {%- endfor %}
        from (
            select
                reads.of_table,
                reads.place.topic as topic,
                reads.is_read,
                reads.epoch_stream_pos,
                reads.run_id,
                reads.place.`partition` as `partition`,
                min(reads.first_place) as first_place,
                max(reads.last_place) as last_place,
                {%- for name, _ in orders %}
                {%- set is_in_snapshot = (
                    'coalesce(reads.' ~ name ~ '_beginning >= beginnings.' ~ name ~ ', true)'
                ) %}
                any_value(beginnings.{{ name }}) as {{ name }}_starts_at,
                min(case when {{ is_in_snapshot }} then reads.{{ name }}_arrival end)
                    as {{ name }}_first_arrival,
                max(reads.{{ name }}_arrival) as {{ name }}_last_arrival,
                named_struct(
                    'delivery',
                    max(case when {{ is_in_snapshot }} then reads.{{ name }}_delivery.delivery end),
                    'timestamp',
                    max(case
                        when {{ is_in_snapshot }} then reads.{{ name }}_delivery.`timestamp`
                    end)
                ) as {{ name }}_end{{ ',' if not loop.last }}
                {%- endfor %}
            from deliveries_of_reads as reads
            left join beginnings
                on
                    reads.is_read
                    and reads.place.topic = beginnings.topic
                    and reads.epoch_stream_pos <=> beginnings.epoch_stream_pos
                    and reads.run_id <=> beginnings.run_id
            group by
                reads.of_table,
                reads.place.topic,
                reads.is_read,
                reads.epoch_stream_pos,
                reads.run_id,
                reads.place.`partition`
        ) as parts
        group by of_table, topic, is_read, epoch_stream_pos, run_id
    ) as snapshot_parts
    group by of_table

)
{%- endmacro -%}
