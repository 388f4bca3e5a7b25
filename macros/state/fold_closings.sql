{#-
    SELECT: one row with all complete snapshots of a table with `close_unseen`. From the whole
    staged log, as a snapshot may land over several runs, in any order (docs/semantics.md, closing).
-#}
{%- macro fold_closings(config, staging, feed=false) -%}
{%- set snapshot = 'topic, incarnation, epoch_stream_pos, run_id' -%}
select
    collect_list(
        named_struct('topic', topic, 'incarnation', incarnation,
            'timestamp', started_at, 'starts', starts,
            'epoch_stream_pos', epoch_stream_pos, 'run_id', run_id,
            'source_at', source_at, 'event_id', event_id
            {%- if feed %},
            'completed', completed, 'landing', last_landing, 'began', first_read.landing,
            'first_timestamp', first_started_at,
            'first_starts', first_starts, 'later_partitions', later_partitions
            {%- endif %})
    ) as list
from (
    select
        topic,
        incarnation,
        epoch_stream_pos,
        run_id,
        {%- if feed %}
        min(completed) as completed,
        max(last_landing) as last_landing,
        min(first_read) as first_read,
        min(first_started_at) as first_started_at,
        map_from_entries(collect_list(named_struct('partition', `partition`,
            'start', struct(first_start as `offset`, first_start_time as `timestamp`))))
            as first_starts,
        collect_list(case when is_later then `partition` end) as later_partitions,
        {%- endif %}
        min(started_at) as started_at,
        min(source_at) as source_at,
        min_by(concat_ws(':', topic, `partition`, first_offset), `partition`) as event_id,
        map_from_entries(collect_list(named_struct('partition', `partition`,
            'start', struct(first_offset as `offset`, started_at as `timestamp`)))) as starts
    from (
        select
            topic,
            incarnation,
            epoch_stream_pos,
            run_id,
            `partition`,
            min(`offset`) as first_offset,
            min(`timestamp`) as started_at,
            min(source_at) as source_at,
            {%- if feed %}
            min(completed) as completed,
            max(landing) as last_landing,
            min(case when `timestamp` is not null then struct(`timestamp`, landing) end)
                as first_read,
            min(case when landing.batch_id <= completed.batch_id then `timestamp` end)
                as first_started_at,
            {%- for name, column in [
                ('first_start', 'offset'), ('first_start_time', 'timestamp')
            ] %}
            min(case
                when landing.batch_id <= greatest(completed.batch_id, appeared_in)
                    then `{{ column }}`
            end) as {{ name }},
            {%- endfor %}
            min(landing.batch_id) > min(completed.batch_id) as is_later,
            {%- endif %}
            max(is_last) as has_last
        from (
            {%- if feed %}
            {# when the end of the snapshot landed, and its first read in each partition #}
            select
                *,
                min(case when is_last then landing end) over (
                    partition by {{ snapshot }}
                ) as completed,
                min(landing.batch_id) over (
                    partition by {{ snapshot }}, `partition`
                ) as appeared_in
            from (
            {%- endif %}
            select
                _cdc_topic as topic,
                {{ debezium_spark.event_incarnation(config) }} as incarnation,
                {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
                _cdc_run_id as run_id,
                _cdc_partition as `partition`,
                _cdc_offset as `offset`,
                _cdc_timestamp as `timestamp`,
                {%- if feed %}
                {{ debezium_spark.landing_struct('_cdc_batch_id', '_cdc_landed_at') }} as landing,
                {%- endif %}
                coalesce(_cdc_source_at, _cdc_timestamp) as source_at,
                _cdc_snapshot in ('last', 'last_in_data_collection') as is_last
            from {{ staging }}
            where
                _cdc_op = 'r'
                and _cdc_snapshot != 'incremental'
                and _cdc_stream_pos is not null
            {%- if feed %}
            ) as landed_reads
            {%- endif %}
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
exists(closings.list, s -> {{ debezium_spark.snapshot_closes(fold) }})
{%- endmacro -%}


{#- SQL condition: the snapshot `s` closes the row of a winner, given by its struct. -#}
{%- macro snapshot_closes(fold, starts='s.starts', timestamp='s.`timestamp`') -%}
{%- set start = 'try_element_at(' ~ starts ~ ', ' ~ fold ~ '.`partition`)' -%}
{#- the time keeps a row of a topic created again, without its incarnation -#}
{%- set is_before = fold ~ '.`offset` < beside.`offset` and coalesce(' ~ fold
    ~ '.`timestamp` <= beside.`timestamp`, true)' -%}
{{ debezium_spark.table_of('s.topic') }} = {{ debezium_spark.table_of(fold ~ '.topic') }}
    and coalesce(
        case
            when s.topic = {{ fold }}.topic and {{ start }} is not null
                then {{ fold }}.incarnation < s.incarnation
                    or ({{ fold }}.incarnation = s.incarnation
                        and {{ debezium_spark.let('beside', start, is_before) }})
            else {{ fold }}.`timestamp` < {{ timestamp }}
        end,
        false
    )
{%- endmacro -%}
