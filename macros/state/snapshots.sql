{#-
    Complete snapshots (docs/semantics.md, closing): with `close_unseen`, a row is not live if one
    began behind its winner. A snapshot whose reads begin at offset 20 of partition 0, and its end:

    | key | partition | offset | is_closed                              |
    |-----|-----------|--------|----------------------------------------|
    | 1   | 0         | 10     | true                                   |
    | 2   | 0         | 21     | false: the snapshot read it            |
    | 3   | 0         | 40     | false: it was written behind the reads |
-#}


{#- SQL: a complete snapshot of `closings.list` began after the winner, and did not see the row. -#}
{%- macro is_closed(winner) -%}
exists(closings.list, s -> {{ debezium_spark.snapshot_closes(winner) }})
{%- endmacro -%}


{#- SQL condition: the snapshot `s` closes the row of a winner, given by its struct. -#}
{%- macro snapshot_closes(winner, starts='s.starts', timestamp='s.`timestamp`') -%}
{%- set start = 'try_element_at(' ~ starts ~ ', ' ~ winner ~ '.`partition`)' -%}
{#- the time keeps a row of a topic created again, without its incarnation -#}
{%- set is_before = winner ~ '.`offset` < beside.`offset` and coalesce(' ~ winner
    ~ '.`timestamp` <= beside.`timestamp`, true)' -%}
coalesce(
    case
        when s.topic = {{ winner }}.topic and {{ start }} is not null
            then {{ winner }}.incarnation < s.incarnation
                or ({{ winner }}.incarnation = s.incarnation
                    and {{ adapter.debezium().decode.let('beside', start, is_before) }})
        else {{ winner }}.`timestamp` < {{ timestamp }}
    end,
    false
)
{%- endmacro -%}


{#- SELECT: one row with all complete snapshots in `parts` (`known_snapshots`). -#}
{%- macro complete_snapshots(parts) -%}
select
    collect_list(struct(
        topic, incarnation, epoch_stream_pos, run_id, `timestamp`, starts, source_at, event_id
    )) as list
from (
    select
        topic,
        incarnation,
        epoch_stream_pos,
        run_id,
        min(`timestamp`) as `timestamp`,
        min(source_at) as source_at,
        min_by(concat_ws(':', topic, `partition`, `offset`), `partition`) as event_id,
        map_from_entries(collect_list(struct(`partition`, struct(`offset`, `timestamp`)))) as starts
    from (
        select
            topic,
            incarnation,
            epoch_stream_pos,
            run_id,
            `partition`,
            min(`offset`) as `offset`,
            min(`timestamp`) as `timestamp`,
            min(source_at) as source_at,
            bool_or(has_last) as has_last
        from (
            {{ parts | indent(12) }}
        ) as parts
        group by topic, incarnation, epoch_stream_pos, run_id, `partition`
    ) as partitions
    group by topic, incarnation, epoch_stream_pos, run_id
    having bool_or(has_last)
) as snapshots
{%- endmacro -%}


{#- SELECT: the parts of snapshots that a table with `close_unseen` knows, of all batches. -#}
{%- macro known_snapshots(config, staging, plan) -%}
{{ debezium_spark.staged_snapshots(config, staging, plan.watermark) }}
{%- if plan.watermark is not none %}

union all

{{ debezium_spark.snapshots_of_state(this) }}
{%- endif %}
{%- endmacro -%}


{#-
    SELECT: what landed of each snapshot in a partition, by batch: a snapshot may land over several
    runs, in any order. Of the staged log behind a batch.
-#}
{%- macro staged_snapshots(config, staging, watermark=none) -%}
select
    _cdc_topic as topic,
    {{ debezium_spark.event_incarnation(config) }} as incarnation,
    {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
    _cdc_run_id as run_id,
    _cdc_partition as `partition`,
    min(_cdc_offset) as `offset`,
    min(_cdc_timestamp) as `timestamp`,
    max(_cdc_timestamp) as ended_at,
    min(coalesce(_cdc_source_at, _cdc_timestamp)) as source_at,
    bool_or(_cdc_snapshot in ('last', 'last_in_data_collection')) as has_last,
    _cdc_batch_id as batch_id,
    min(_cdc_landed_at) as landed_at
from {{ staging }}
where
    {{ debezium_spark.is_snapshot_read() }}
    {{ 'and _cdc_batch_id > ' ~ watermark if watermark is not none }}
group by 1, 2, 3, 4, 5, _cdc_batch_id
{%- endmacro -%}


{#- SQL: a staged row is a read of a snapshot whose extent shows. -#}
{%- macro is_snapshot_read() -%}
    {{- return(
        "_cdc_op = 'r' and _cdc_snapshot != 'incremental' and _cdc_snapshot not like 'settled/%'"
        ~ ' and _cdc_stream_pos is not null'
    ) -}}
{%- endmacro -%}


{#- SELECT: the same of the control rows of a state. -#}
{%- macro snapshots_of_state(state) -%}
select
    _cdc_fold_topic as topic,
    _cdc_fold_incarnation as incarnation,
    _cdc_fold_epoch_stream_pos as epoch_stream_pos,
    get_json_object(_cdc_marks, '$.run_id') as run_id,
    _cdc_fold_partition as `partition`,
    _cdc_fold_offset as `offset`,
    _cdc_fold_timestamp as `timestamp`,
    cast(null as timestamp) as ended_at,
    _cdc_source_at as source_at,
    get_json_object(_cdc_marks, '$.has_last') = 'true' as has_last,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at
from {{ state }}
where _cdc_key like '!snapshot:%'
{%- endmacro -%}
