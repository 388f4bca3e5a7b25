{#- CTE `winners`: the event whose image is a key's state, with what the next run must know. -#}
{%- macro fold_winners(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{%- set frame = arrival ~ ' rows between unbounded preceding and current row' -%}
ends as (

    select
        *,
        lead(1) over ({{ arrival }}) is null as is_last,
        last_value(
            case
                when is_applied
                    then struct(
                        image, op, kind, topic, incarnation, `partition`, `offset`, `timestamp`,
                        pos, epoch_pos, epoch_stream_pos, source_at, unavailable, state_fold
                        {%- for column in plan.lookup_columns %}, known_{{ loop.index }}{% endfor %}
                        {%- if plan.feed and plan.lookup_columns %}, origin_landing{% endif %}
                        {%- if plan.heads %}, if(kind = 'state', head.last_tx, tx) as tx{% endif %}
                    )
            end
        ) ignore nulls over ({{ frame }}) as winner,
        last_value(
            case
                when kind = 'full' and is_applied then {{ debezium_spark.delivery_struct() }}
                when kind = 'state' and state_fold.full_read_partition is not null
                    then {{ debezium_spark.full_read_of_state() }}
            end
        ) ignore nulls over ({{ frame }}) as last_full_read,
        max(batch_id) over ({{ frame }}) as last_batch_id,
        {%- if plan.feed %}
        max({{ debezium_spark.landing_struct() }}) over ({{ frame }}) as last_landing,
        {{ debezium_spark.last_values(plan, frame) | indent(8) }} as last_values,
        {%- endif %}
        max(state_fold.was_emptied) over ({{ frame }}) as was_emptied,
        max(case
            when kind = 'state' then state_fold.highest
            when kind = 'stream' then epoch_identity
        end) over ({{ frame }}) as highest,
        sum(case
            when kind = 'state' then state_fold.replays
            when is_replay then 1
            else 0
        end) over ({{ frame }}) as replays,
        sum(case
            when kind = 'state' then state_fold.unexplained
            when is_unexplained then 1
            else 0
        end) over ({{ frame }}) as unexplained,
        first_value(
            case
                when kind = 'state' then state_fold.first_unexplained
                when is_unexplained then concat_ws(':', topic, `partition`, `offset`)
            end
        ) ignore nulls over ({{ frame }}) as first_unexplained
    from {{ 'resolved_events' if plan.lookup_columns else 'walk_events' }}

),

winners as (

    select
        row_key,
        last_batch_id,
        {%- if plan.feed %}
        last_landing,
        last_values,
        {%- endif %}
        winner,
        named_struct(
            {%- for member in [
                'topic', 'incarnation', 'partition', 'offset', 'timestamp', 'kind', 'epoch_pos'
            ] %}
            '{{ member }}', case
                when winner.kind = 'state' then winner.state_fold.`{{ member }}`
                else winner.`{{ member }}`
            end,
            {%- endfor %}
            'epoch_stream_pos', winner.epoch_stream_pos,
            {# a full read is always applied, so none comes after the winner #}
            {%- for member in ['topic', 'incarnation', 'partition', 'offset', 'timestamp'] %}
            'full_read_{{ member }}', last_full_read.`{{ member }}`,
            {%- endfor %}
            'mark', greatest(
                case when mark_before.segment = segment then mark_before.epoch_pos end,
                case when kind in ('stream', 'state') and not is_repeat then epoch_pos end
            ),
            'highest', highest,
            {%- for member in ['incarnation', 'topic', 'partition', 'offset', 'timestamp'] %}
            'last_{{ member }}', `{{ member }}`,
            {%- endfor %}
            'last_op', case
                when kind = 'state' then state_fold.last_op
                when op = 'tombstone' then op_before
                else op
            end,
            'tombstone_at', case
                when kind = 'state' then state_fold.tombstone_at
                when op = 'tombstone' then `timestamp`
                else tombstone_before
            end,
            'new_op', case
                when kind = 'state' then state_fold.new_op
                when kind = 'tombstone' or is_repeat then event_before.op
                when not is_below_mark then op
            end,
            'new_stream_pos', case
                when kind = 'state' then state_fold.new_stream_pos
                when kind = 'tombstone' or is_repeat then event_before.epoch_stream_pos
                else epoch_stream_pos
            end,
            'was_emptied', deleting_tombstones > 0 or coalesce(was_emptied, false),
            'is_moved', is_moved,
            'replays', replays,
            'unexplained', unexplained,
            'first_unexplained', first_unexplained
        ) as fold
    from ends
    where is_last

)
{%- endmacro -%}


{%- macro full_read_of_state() -%}
named_struct('topic', state_fold.full_read_topic,
    'incarnation', state_fold.full_read_incarnation,
    'partition', state_fold.full_read_partition,
    'offset', state_fold.full_read_offset,
    'timestamp', state_fold.full_read_timestamp)
{%- endmacro -%}
