{#-
    SELECT: one row, all complete full snapshots of the table as a list, each with where its reads begin (docs/semantics.md, closing).

    Only of tables with the option `close_unseen`. From the whole staged log, by its narrow columns: a snapshot may have landed over several
    runs, in any order.
-#}
{%- macro fold_closings(config, staging) -%}
select
    collect_list(
        named_struct('topic', topic, 'incarnation', incarnation, 'timestamp', started_at, 'starts', starts)
    ) as list
from (
    select
        topic,
        incarnation,
        min(started_at) as started_at,
        collect_list(named_struct('partition', `partition`, 'offset', first_offset)) as starts
    from (
        select
            _cdc_topic as topic,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            concat_ws('/', {{ debezium_spark.event_epoch(config) }}, _cdc_stream_pos) as epoch_stream_pos,
            _cdc_run_id as run_id,
            _cdc_partition as `partition`,
            min(_cdc_offset) as first_offset,
            min(_cdc_timestamp) as started_at,
            max(_cdc_snapshot in ('last', 'last_in_data_collection')) as has_last
        from {{ staging }}
        where
            _cdc_op = 'r'
            and _cdc_snapshot != 'incremental'
            and _cdc_stream_pos is not null
        group by all
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
    SQL: whether a complete snapshot began after the event that a walk ended with, which then is of a row that it did not see. Over a row of
    `winners` and the list `closings.list`.
-#}
{%- macro is_closed() -%}
exists(
    closings.list,
    s -> s.topic <=> fold.topic
    and coalesce(
        case
            when exists(s.starts, start -> start.`partition` = fold.`partition`)
                then struct(fold.incarnation, fold.`offset`) < struct(
                    s.incarnation,
                    filter(s.starts, start -> start.`partition` = fold.`partition`)[0].`offset`
                )
            else fold.`timestamp` < s.`timestamp`
        end,
        false
    )
)
{%- endmacro -%}
