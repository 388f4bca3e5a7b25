{#-
    CTE `classified_events`: replays, which are repeats or lie below the mark of their segment, and
    those that nothing explains (docs/semantics.md, walking a key's events).
-#}
{%- macro fold_replays(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
segments as (

    select
        *,
        count_if(is_deleting_tombstone or kind = 'full' and not is_repeat) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as segment
    from {{ 'repeats' if plan.checks_repeats else 'tombstones' }}

),

marks as (

    select
        *,
        max(
            case
                when kind in ('stream', 'state') and epoch_pos is not null and not is_repeat
                    then named_struct('segment', segment, 'epoch_pos', epoch_pos
                        {%- if plan.several_partitions %},
                        'moved_at', moved_at, 'moved_topic', moved_topic, 'moved_to', moved_to
                        {%- endif %})
            end
        ) over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as mark_before
    from segments

),

events_below_mark as (

    select
        *,
        coalesce(
            kind = 'stream'
            and not is_repeat
            and mark_before.segment = segment
            and epoch_pos < mark_before.epoch_pos,
            false
        ) as is_below_mark
    from marks

),

predecessors as (

    select
        *,
        last_value(
            case
                when kind = 'state'
                    then struct(state_fold.new_op as op,
                        state_fold.new_stream_pos as epoch_stream_pos)
                when not is_repeat and kind != 'tombstone'
                    then struct(if(is_below_mark, null, op) as op, epoch_stream_pos)
            end
        ) ignore nulls over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as event_before
    from events_below_mark

),

classified_events as (

    select
        *,
        {# no late birth: not an insert behind an applied delete that may commit before it #}
        is_below_mark
        and not coalesce(
            op = 'c'
            and event_before.op = 'd'
            and coalesce(epoch_stream_pos > event_before.epoch_stream_pos, true),
            false
        ) as is_old,
        {%- if plan.several_partitions %}
        {# not one that only its position puts before the event that set the mark #}
        is_old and not coalesce(
            mark_before.moved_at = moved_at
            and struct(mark_before.moved_topic, mark_before.moved_to)
            != struct(moved_topic, moved_to),
            false
        ) as is_unexplained,
        {%- else %}
        is_old as is_unexplained,
        {%- endif %}
        is_repeat or is_old as is_replay
    from predecessors

)
{%- endmacro -%}
