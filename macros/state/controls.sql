{#-
    Truncates and complete snapshots (docs/semantics.md, truncates and closing): rules on a key's
    winner, whatever happened before it. `is_truncated` and `is_closed` are the rules; a walk applies
    them to the rows that it writes, and `mark_rows` to all others, when a truncate or a snapshot
    lands. Three winners and a truncate at position 30:

    | key | kind   | epoch_pos | full read     | is_truncated                       |
    |-----|--------|-----------|---------------|------------------------------------|
    | 1   | stream | 20        | before it     | true                               |
    | 2   | stream | 40        | before it     | false: written behind the truncate |
    | 3   | full   |           | behind it     | false: read behind the truncate    |
-#}


{#-
    SQL: a truncate of `truncates.list` removed the row of a winner. `full_read`: the last full read
    up to it.
-#}
{%- macro is_truncated(winner, full_read) -%}
exists(truncates.list, t -> {{ debezium_spark.truncate_removes(winner, full_read) }})
{%- endmacro -%}


{#- SQL condition: the truncate `t` removes the row of a winner. -#}
{%- macro truncate_removes(winner, full_read) -%}
case
        when {{ full_read }}.topic = t.topic and {{ full_read }}.`partition` = t.`partition`
            then struct({{ full_read }}.incarnation, {{ full_read }}.`offset`)
                > struct(t.incarnation, t.`offset`)
        else coalesce({{ full_read }}.`timestamp` > t.`timestamp`, false)
    end is not true
    and {{ debezium_spark.lies_before_truncate(winner, winner ~ ".kind = 'stream'") }}
{%- endmacro -%}


{#-
    SQL: an event lies before the truncate `t`. `is_streamed`: it is no read.
-#}
{%- macro lies_before_truncate(event, is_streamed) -%}
case
        when {{ is_streamed }} and {{ event }}.epoch_pos is not null and t.epoch_pos is not null
            then {{ event }}.epoch_pos < t.epoch_pos
        when {{ is_streamed }}
            and {{ event }}.epoch_stream_pos is not null
            and t.epoch_stream_pos is not null
            then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
        when {{ event }}.topic = t.topic and {{ event }}.`partition` = t.`partition`
            then struct({{ event }}.incarnation, {{ event }}.`offset`)
                < struct(t.incarnation, t.`offset`)
        when {{ event }}.epoch_stream_pos is not null and t.epoch_stream_pos is not null
            then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
        else coalesce({{ event }}.`timestamp` < t.`timestamp`, false)
    end
{%- endmacro -%}


{#- SELECT: one row with all truncates of the table at their first arrival, by their identity. They
    have no key and are few, so every row looks at all. -#}
{%- macro known_truncates(config, staging, plan) -%}
select collect_list(first_delivery) as list
from (
    select
        min(struct(
            incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
        )) as first_delivery
    from (
        select * except (tx_id, tx, is_drop)
        from (
            {{ debezium_spark.staged_truncates(config, staging, plan.watermark) | indent(12) }}
        ) as staged_truncates
        {%- if plan.watermark is not none %}

        union all

        {{ debezium_spark.truncates_of_state(this) | indent(8) }}
        {%- endif %}
    ) as deliveries
    group by {{ debezium_spark.truncate_identity() }}
) as first_deliveries
{%- endmacro -%}


{#- SQL: what the deliveries of one truncate share. -#}
{%- macro truncate_identity() -%}
coalesce(epoch_identity, concat_ws(':', topic, incarnation, `partition`, `offset`))
{%- endmacro -%}


{#- SELECT: truncates of the staged log behind a batch. -#}
{%- macro staged_truncates(config, staging, watermark=none) -%}
select
    _cdc_topic as topic,
    {{ debezium_spark.event_incarnation(config) }} as incarnation,
    _cdc_partition as `partition`,
    _cdc_offset as `offset`,
    _cdc_timestamp as `timestamp`,
    {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
    {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
    {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at,
    _cdc_tx_id as tx_id,
    {{ debezium_spark.event_transaction(config) | indent(4) }} as tx,
    _cdc_snapshot <=> 'drop' as is_drop
from {{ staging }}
where _cdc_op = 't'{{ ' and _cdc_batch_id > ' ~ watermark if watermark is not none }}
{%- endmacro -%}


{#- SELECT: the same of the control rows of a state. -#}
{%- macro truncates_of_state(state) -%}
select
    {%- for column in [
        'topic', 'incarnation', 'partition', 'offset', 'timestamp', 'epoch_pos', 'epoch_stream_pos'
    ] %}
    _cdc_fold_{{ column }} as `{{ column }}`,
    {%- endfor %}
    _cdc_fold_highest as epoch_identity,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at
from {{ state }}
where _cdc_key like '!truncate:%'
{%- endmacro -%}


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
                    and {{ debezium_spark.let('beside', start, is_before) }})
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
    min(coalesce(_cdc_source_at, _cdc_timestamp)) as source_at,
    bool_or(_cdc_snapshot in ('last', 'last_in_data_collection')) as has_last,
    _cdc_batch_id as batch_id,
    min(_cdc_landed_at) as landed_at
from {{ staging }}
where
    _cdc_op = 'r'
    and _cdc_snapshot != 'incremental'
    and _cdc_stream_pos is not null
    {{ 'and _cdc_batch_id > ' ~ watermark if watermark is not none }}
group by 1, 2, 3, 4, 5, _cdc_batch_id
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
    _cdc_source_at as source_at,
    get_json_object(_cdc_marks, '$.has_last') = 'true' as has_last,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at
from {{ state }}
where _cdc_key like '!snapshot:%'
{%- endmacro -%}


{#-
    Mark the rows that a truncate or a snapshot of this batch removes or, as the first delivery of a
    truncate can land late, brings back. Before the batch is folded: an interrupted run does it
    again. Rows of keys that the batch folds are written behind it.
-#}
{%- macro mark_rows(config, staging, plan) -%}
{%- set members, full_read = [], [] -%}
{%- for name in ['topic', 'incarnation', 'partition', 'offset', 'timestamp'] -%}
    {%- do members.append('_cdc_fold_' ~ name ~ ' as `' ~ name ~ '`') -%}
    {%- do full_read.append('_cdc_fold_full_read_' ~ name ~ ' as `' ~ name ~ '`') -%}
{%- endfor -%}
{%- for name in ['kind', 'epoch_pos', 'epoch_stream_pos'] -%}
    {%- do members.append('_cdc_fold_' ~ name ~ ' as `' ~ name ~ '`') -%}
{%- endfor -%}
with

{%- if plan.truncates %}

truncates as (

    {{ debezium_spark.known_truncates(config, staging, plan) | indent(4) }}

),
{%- endif %}
{%- if plan.closes %}

closings as (

    {{ debezium_spark.complete_snapshots(
        debezium_spark.known_snapshots(config, staging, plan)
    ) | indent(4) }}

),
{%- endif %}

marked as (

    select
        _cdc_key,
        _cdc_is_deleted as was_deleted,
        _cdc_op in ('d', 'tombstone')
        {%- if plan.truncates %}
        or {{ debezium_spark.is_truncated('winner', 'full_read') | indent(8) }}
        {%- endif %}
        {%- if plan.closes %}
        or {{ debezium_spark.is_closed('winner') | indent(8) }}
        {%- endif %} as _cdc_is_deleted
    from (
        select
            *,
            struct({{ members | join(', ') }}) as winner,
            struct({{ full_read | join(', ') }}) as full_read
        from {{ this }}
        where _cdc_key not like '!%'
    ) as state
    {%- if plan.truncates %}
    cross join truncates
    {%- endif %}
    {%- if plan.closes %}
    cross join closings
    {%- endif %}

)

select
    _cdc_key,
    _cdc_is_deleted
from marked
where _cdc_is_deleted != was_deleted
{%- endmacro -%}


{#-
    SELECT of the control rows of a batch: the checkpoint, its truncates, and its snapshots. `!` sorts below every
    canonical key, so that file statistics find them, and they count as deleted, so that `cur_`
    never shows them. `merged`: with the column that only a MERGE reads.
-#}
{%- macro control_rows(config, staging, columns, plan, merged=false) -%}
{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "'!watermark'",
    '_cdc_batch_id': 'cast(' ~ plan.highest_batch ~ ' as bigint)',
    '_cdc_marks': debezium_spark.text_literal(plan.checkpoint),
}) }}
{%- if plan.new_truncates %}

union all

{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "concat_ws(':', '!truncate', topic, incarnation, `partition`, `offset`)",
    '_cdc_batch_id': 'batch_id',
    '_cdc_landed_at': 'landed_at',
    '_cdc_op': "'t'",
    '_cdc_source_at': 'source_at',
}, {
    'topic': 'topic',
    'incarnation': 'incarnation',
    'partition': '`partition`',
    'offset': '`offset`',
    'timestamp': '`timestamp`',
    'kind': "'truncate'",
    'epoch_pos': 'epoch_pos',
    'epoch_stream_pos': 'epoch_stream_pos',
    'highest': 'epoch_identity',
}) }}
from (
    {{ debezium_spark.staged_truncates(config, staging, plan.watermark) | indent(4) }}
) as staged_truncates
{%- endif %}
{%- if plan.closes %}

union all

{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "concat_ws(':', '!snapshot', topic, incarnation, `partition`, `offset`, batch_id,"
        ~ ' epoch_stream_pos, run_id)',
    '_cdc_batch_id': 'batch_id',
    '_cdc_landed_at': 'landed_at',
    '_cdc_source_at': 'source_at',
    '_cdc_marks': 'to_json(struct(run_id, has_last))',
}, {
    'topic': 'topic',
    'incarnation': 'incarnation',
    'partition': '`partition`',
    'offset': '`offset`',
    'timestamp': '`timestamp`',
    'kind': "'snapshot'",
    'epoch_stream_pos': 'epoch_stream_pos',
}) }}
from (
    {{ debezium_spark.staged_snapshots(config, staging, plan.watermark) | indent(4) }}
) as staged_snapshots
{%- endif %}
{%- endmacro -%}


{%- macro _control_row(columns, merged, values, members={}) -%}
select
    {{ values['_cdc_key'] }} as _cdc_key,
    {{ values['_cdc_batch_id'] }} as _cdc_batch_id,
    {{ values.get('_cdc_landed_at', 'cast(null as timestamp)') }} as _cdc_landed_at,
    {%- for column in columns %}
    null as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {{ values.get('_cdc_op', 'cast(null as string)') }} as _cdc_op,
    true as _cdc_is_deleted,
    cast(null as string) as _cdc_pos,
    {{ values.get('_cdc_source_at', 'cast(null as timestamp)') }} as _cdc_source_at,
    cast(null as array<string>) as _cdc_unavailable,
    {{ debezium_spark.state_columns(members) | indent(4) }},
    {{ values.get('_cdc_marks', 'cast(null as string)') }} as _cdc_marks
    {%- if merged %},
    true as _cdc_goes_on
    {%- endif %}
{%- endmacro -%}
