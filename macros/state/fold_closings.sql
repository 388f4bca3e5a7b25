{#-
    SELECT: one row with all complete snapshots of a table with `close_unseen`. From the whole
    staged log, as a snapshot may land over several runs, in any order (docs/semantics.md, closing).
-#}
{%- macro fold_closings(config, staging) -%}
select
    collect_list(
        named_struct('topic', topic, 'incarnation', incarnation,
            'timestamp', started_at, 'starts', starts)
    ) as list
from (
    select
        topic,
        incarnation,
        min(started_at) as started_at,
        map_from_entries(collect_list(named_struct('partition', `partition`,
            'offset', first_offset))) as starts
    from (
        select
            topic,
            incarnation,
            epoch_stream_pos,
            run_id,
            `partition`,
            min(`offset`) as first_offset,
            min(`timestamp`) as started_at,
            max(is_last) as has_last
        from (
            select
                _cdc_topic as topic,
                {{ debezium_spark.event_incarnation(config) }} as incarnation,
                concat_ws('/', {{ debezium_spark.event_epoch(config) }},
                    _cdc_stream_pos) as epoch_stream_pos,
                _cdc_run_id as run_id,
                _cdc_partition as `partition`,
                _cdc_offset as `offset`,
                _cdc_timestamp as `timestamp`,
                _cdc_snapshot in ('last', 'last_in_data_collection') as is_last
            from {{ staging }}
            where
                _cdc_op = 'r'
                and _cdc_snapshot != 'incremental'
                and _cdc_stream_pos is not null
        ) as full_reads
        group by
            topic,
            incarnation,
            epoch_stream_pos,
            run_id,
            `partition`
    ) as parts
    group by
        topic,
        incarnation,
        epoch_stream_pos,
        run_id
    having max(has_last)
) as complete_snapshots
{%- endmacro -%}


{#-
    SQL: a complete snapshot began after the winner, so it did not see the row. `fold`: the winner's
    struct; the snapshots are `closings.list`.
-#}
{%- macro is_closed(fold) -%}
exists(
    closings.list,
    s -> {{ debezium_spark.table_of('s.topic') }} = {{ debezium_spark.table_of(fold ~ '.topic') }}
    and coalesce(
        case
            when s.topic = {{ fold }}.topic
                and try_element_at(s.starts, {{ fold }}.`partition`) is not null
                then {{ fold }}.incarnation < s.incarnation
                    or ({{ fold }}.incarnation = s.incarnation
                        and {{ fold }}.`offset` < try_element_at(s.starts, {{ fold }}.`partition`))
            else {{ fold }}.`timestamp` < s.`timestamp`
        end,
        false
    )
)
{%- endmacro -%}
