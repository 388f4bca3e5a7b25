{#-
    CTE `walked`: each event with what the walk of its key says of it (docs/semantics.md, walking a key's events).

    One shuffle by key and one sort by arrival carry all of it: the windows share their partition and order. No recursion is needed: what is
    set aside is never above the mark, so the running maximum over all events is the mark; a reset begins a new segment, and marks are
    compared within a segment only. Repeats are looked for where `plan.identities` says that there can be some: by a second sort.
-#}
{%- macro fold_walk(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
arrivals as (

    {%- if plan.several_partitions %}

    select
        *,
        case when is_moved then `timestamp` end as moved_at,
        case when is_moved then topic end as moved_topic,
        case when is_moved then `partition` end as moved_to
    from (
        select
            *,
            {# a key seen in several partitions: those of one batch, or of the batch and the state, or known to be so #}
            coalesce(max(remembered.is_moved) over (partition by {{ debezium_spark.walked_key() }}), false)
            or min(struct(topic, `partition`)) over (partition by {{ debezium_spark.walked_key() }})
            != max(struct(topic, `partition`)) over (partition by {{ debezium_spark.walked_key() }}) as is_moved
        from events
    ) as events_with_moves
    {%- else %}

    select
        *,
        coalesce(remembered.is_moved, false) as is_moved
    from events
    {%- endif %}

),

neighbours as (

    select
        *,
        row_number() over ({{ arrival }}) as arrival,
        last_value(
            case when kind = 'state' then remembered.last_op when op != 'tombstone' then op end
        ) ignore nulls over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as op_before
    from arrivals

),

tombstones as (

    select
        *,
        {%- if not plan.identities %}
        false as is_repeat,
        {%- endif %}
        {# log compaction ate the delete: the tombstone is all that is left of it #}
        kind = 'tombstone' and op_before is distinct from 'd' as is_deleting_tombstone,
        count_if(kind = 'tombstone' and op_before is distinct from 'd') over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as emptied
    from neighbours

),
{%- if plan.identities %}
{%- if plan.contents %}

occurrences as (

    {# what one run of the connector delivers twice are two changes #}
    select
        *,
        case
            when identity is not null and run_id is not null and kind = 'stream' and epoch_pos is null
                then row_number() over (
                    partition by {{ debezium_spark.walked_key() }}, emptied, identity, run_id
                    order by arrival
                )
            else 1
        end as occurrence
    from tombstones

),
{%- endif %}

repeats as (

    select
        *,
        identity is not null
        and (
            row_number() over (
                partition by {{ debezium_spark.walked_key() }}, emptied, identity{% if plan.contents %}, occurrence{% endif %}

                order by arrival
            ) > 1
            or (is_logged is not null and emptied = 0)
        ) as is_repeat
    from {{ 'occurrences' if plan.contents else 'tombstones' }}

),
{%- endif %}

predecessors as (

    select
        *,
        last_value(
            case
                when kind = 'state' then struct(remembered.new_op as op, remembered.new_stream_pos as epoch_stream_pos)
                when not is_repeat and kind != 'tombstone' then struct(op, epoch_stream_pos)
            end
        ) ignore nulls over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as event_before
    from {{ 'repeats' if plan.identities else 'tombstones' }}

),

births as (

    select
        *,
        op = 'c'
        and not is_repeat
        and epoch_pos is not null
        and event_before.op = 'd'
        and coalesce(epoch_stream_pos > event_before.epoch_stream_pos, true) as is_late_birth
    from predecessors

),

segments as (

    select
        *,
        count_if(
            coalesce(is_late_birth, false)
            or is_deleting_tombstone
            or kind = 'full' and not is_repeat
        ) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as segment
    from births

),

marks as (

    select
        *,
        max(
            case
                when kind in ('stream', 'state') and epoch_pos is not null and not is_repeat
                    then named_struct('segment', segment, 'epoch_pos', epoch_pos)
            end
        ) over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as mark_before
    from segments

),

judged as (

    select
        *,
        coalesce(
            kind = 'stream'
            and not is_repeat
            and mark_before.segment = segment
            and epoch_pos < mark_before.epoch_pos,
            false
        ) as is_unexplained,
        is_repeat or is_unexplained as is_replay
    from marks

),

walked as (

    select
        *,
        is_deleting_tombstone
        or kind != 'tombstone' and not is_replay as is_applied,
        coalesce(
            count_if(
                is_deleting_tombstone
                or kind = 'state' and op in ('d', 'tombstone')
                or kind = 'stream' and op = 'd' and not is_replay
            ) over (
                {{ arrival }}
                rows between unbounded preceding and 1 preceding
            ),
            0
        )
        {# a create that lacks values renames a row: whatever lay under its key before is another row -#}
        + count_if(op = 'c' and unavailable is not null and not is_replay) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as life
    from judged

)
{%- endmacro -%}


{#-
    SQL: the key that the windows are partitioned by. Its hash comes first: sorting compares eight bytes of the first column, and canonical
    keys begin alike.
-#}
{%- macro walked_key() -%}key_hash, row_key{%- endmacro -%}


{#-
    SQL: partition and order of every window over the events of a key: their arrival (docs/semantics.md, arrival). Only plain columns stand
    here: Spark sorts anew for each window whose order is an expression.
-#}
{%- macro arrival_order(plan) -%}
    {{- return(
        "partition by " ~ debezium_spark.walked_key() ~ " order by is_staged, incarnation, "
        ~ ('moved_at, moved_topic, moved_to, ' if plan.several_partitions else '') ~ '`offset`'
    ) -}}
{%- endmacro -%}
