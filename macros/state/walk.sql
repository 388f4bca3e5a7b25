{#-
    CTEs from the staged log to a verdict on each event of the keys that a fold touches: the table
    of docs/semantics.md (walking a key's events), and what its lines look at. Of one key, in the
    order of arrival:

    | op | position | verdict             | because                                             |
    |----|----------|---------------------|-----------------------------------------------------|
    | r  |          | full read           | it ends the mark                                    |
    | u  | 10       | change              | the mark is 10                                      |
    | u  | 10       | repeat              | its identity arrived before                         |
    | u  | 5        | unexplained         | it lies below the mark                              |
    | d  | 20       | change              |                                                     |
    |    |          | tombstone of delete | the event before it is a `d`                        |
    | c  | 15       | late birth          | below the mark, behind a `d`                        |
    |    |          | deleting tombstone  | the event before it is no `d`: compaction took it   |

    Every window is over one key's events, so one shuffle is enough. Of the plan (`profile`):
    `watermark`, none to walk through all keys; `lookup_columns`, whose values come along. What a
    statement does not use, Spark does not read. `images`: columns of which each event has a
    struct.
-#}
{%- macro walk(config, staging, plan, images=none) -%}
{%- set joins_keys = plan.watermark is not none and plan.key_hashes is none -%}
{%- set key = debezium_spark.walk_key() -%}
{%- set arrival = 'partition by ' ~ key ~ ' order by arrival' -%}
{%- set before = arrival ~ ' rows between unbounded preceding and 1 preceding' -%}
{%- set until = arrival ~ ' rows between unbounded preceding and current row' -%}
{%- if joins_keys %}
touched_keys as (

    {{ debezium_spark.touched_keys(staging, plan) | indent(4) }}

),
{%- endif %}

events as (

    select {{ '/*+ broadcast(touched_keys) */' if joins_keys and plan.few_keys }}
        _cdc_key as row_key,
        xxhash64(_cdc_key) as key_hash,
        _cdc_op as op,
        {{ debezium_spark.event_kind() | indent(8) }} as kind,
        {{ debezium_spark.event_place(config) | indent(8) }},
        _cdc_pos as pos,
        {{ debezium_spark.fold_identity(config) | indent(8) }} as identity,
        _cdc_run_id as run_id,
        _cdc_source_at as source_at,
        _cdc_unavailable as unavailable,
        _cdc_old_key as old_key,
        _cdc_tx_id as tx_id,
        {{ debezium_spark.event_transaction(config) | indent(8) }} as tx,
        _cdc_batch_id as batch_id,
        _cdc_landed_at as landed_at,
        {# replays and unexplained events that a retention let go, and the first of these #}
        case when _cdc_snapshot like 'settled/%' then split(_cdc_snapshot, '/', 4) end as settled
        {%- if images %},
        {{ debezium_spark.image_struct(images) }} as image
        {%- endif %}
        {%- for column in plan.lookup_columns %},
        {{ debezium_spark.quote(column) }} as value_{{ loop.index }}
        {%- endfor %}
    from {{ staging }} as staged
    {%- if joins_keys %}
    left semi join touched_keys on staged._cdc_key = touched_keys.row_key
    {%- endif %}
    where
        {{ debezium_spark.is_row_event() }}
        {%- if plan.key_hashes is not none %}
        and {{ debezium_spark.has_key_hash('_cdc_key', plan.key_hashes) | indent(8) }}
        {%- endif %}

),

{{ debezium_spark._arrived(key) }},

repeats as (

    {# what came before a deleting tombstone does not count #}
    select
        *,
        identity is not null
        and row_number() over (
            partition by {{ key }}, deletions, identity, occurrence order by arrival
        ) > 1 as is_repeat
    from (
        {# without a position, two deliveries by one run of the connector are two changes #}
        select
            *,
            case
                when kind = 'stream' and epoch_pos is null and run_id is not null
                    then row_number() over (
                        partition by {{ key }}, deletions, identity, run_id order by arrival
                    )
                else 1
            end as occurrence
        from (
            select
                *,
                count_if(is_deleting) over ({{ until }}) as deletions
            from arrived
        ) as with_deletions
    ) as with_occurrences

),

marks as (

    {# an event below the mark never raises it, so a running maximum is the mark #}
    select
        *,
        max(
            case
                when kind = 'stream' and epoch_pos is not null and not is_repeat
                    then struct(segment, epoch_pos, moved_at, moved_topic, moved_to)
            end
        ) over ({{ before }}) as mark_before
    from (
        select
            *,
            count_if(is_deleting or kind = 'full' and not is_repeat) over ({{ until }}) as segment
        from repeats
    ) as with_segments

),

verdicts as (

    select
        *,
        {{ debezium_spark.verdict() | indent(8) }} as verdict
    from (
        {# the nearest event that is neither a tombstone nor a repeat; no `d` if below the mark #}
        select
            *,
            last_value(
                case
                    when kind not in ('tombstone', 'settled') and not is_repeat
                        then struct(if(is_below_mark, null, op) as op, epoch_stream_pos)
                end
            ) ignore nulls over ({{ before }}) as change_before
        from (
            select
                *,
                coalesce(
                    kind = 'stream'
                    and mark_before.segment = segment
                    and epoch_pos < mark_before.epoch_pos,
                    false
                ) as is_below_mark
            from marks
        ) as with_marks
    ) as with_predecessors

),

walk as (

    select
        *,
        count_if(is_applied and op in ('d', 'tombstone')) over ({{ before }})
        {# a create that lacks values renames a row: what lay under its key is another row #}
        + count_if(is_applied and op = 'c' and unavailable is not null) over ({{ until }}) as life
    from (
        select
            *,
            verdict not in (
                'repeat',
                'moved',
                'unexplained',
                'tombstone of delete',
                'tombstone again',
                'before the horizon'
            ) as is_applied
        from verdicts
    ) as applied_events

)
{%- endmacro -%}


{#- SQL: the lines of the table of docs/semantics.md, in its order; the first that holds. -#}
{%- macro verdict() -%}
case
    when kind = 'settled' then 'before the horizon'
    when kind != 'tombstone' and is_repeat then 'repeat'
    when kind = 'full' then 'full read'
    when kind = 'incremental' then 'incremental read'
    when kind = 'stream' and epoch_pos is null then 'change without position'
    when
        is_below_mark
        and op = 'c'
        and change_before.op = 'd'
        and coalesce(epoch_stream_pos > change_before.epoch_stream_pos, true)
        then 'late birth'
    {# only its position puts it before the event that set the mark #}
    when
        is_below_mark
        and mark_before.moved_at = moved_at
        and struct(mark_before.moved_topic, mark_before.moved_to) != struct(moved_topic, moved_to)
        then 'moved'
    when is_below_mark then 'unexplained'
    when kind = 'stream' then 'change'
    when own_op_before = 'd' then 'tombstone of delete'
    when not is_deleting then 'tombstone again'
    else 'deleting tombstone'
end
{%- endmacro -%}


{#-
    CTE `arrived`: each event's place in its key's arrival (docs/semantics.md, arrival), what came
    before it, and whether it is a tombstone that deletes.
-#}
{%- macro _arrived(key) -%}
{%- set order = 'partition by ' ~ key ~ ' order by ' ~ debezium_spark.arrival_columns() -%}
{%- set before = order ~ ' rows between unbounded preceding and 1 preceding' -%}
arrived as (

    select
        *,
        coalesce(
            kind = 'tombstone'
            and own_op_before is distinct from 'd'
            and not coalesce(`timestamp` = tombstone_before, false),
            false
        ) as is_deleting
    from (
        {# the delete of a tombstone lies in its partition: others of its moment do not count #}
        select
            *,
            if(
                is_moved,
                coalesce(
                    op_of_moment,
                    first_value(op_before) over ({{ debezium_spark.moment_order(key) }})
                ),
                op_before
            ) as own_op_before
        from (
            select
                *,
                row_number() over ({{ order }}) as arrival,
                last_value(case when op != 'tombstone' then op end) ignore nulls
                    over ({{ before }}) as op_before,
                last_value(case when op = 'tombstone' then `timestamp` end) ignore nulls
                    over ({{ before }}) as tombstone_before,
                last_value(case when op != 'tombstone' then op end) ignore nulls over (
                    {{ debezium_spark.moment_in_partition_order(key) }}
                    rows between unbounded preceding and 1 preceding
                ) as op_of_moment
            from (
                {{ debezium_spark.events_with_arrival('events', key) | indent(16) }}
            ) as events_in_order
        ) as neighbours
    ) as with_deletes

)
{%- endmacro -%}


{#-
    SELECT: `row_key` of the keys of the batch. Values may lie under another key, and other keys may
    have taken theirs from this one: they are walked together. `plan.more_keys`: SELECT of others.
-#}
{%- macro touched_keys(staging, plan) -%}
select _cdc_key as row_key
from {{ staging }}
where {{ debezium_spark.is_row_event() }} and _cdc_batch_id > {{ plan.watermark }}
{%- if plan.follows_origins %}

union

{{ debezium_spark.origin_keys(staging) }}
{%- endif %}
{%- if plan.more_keys %}

union

{{ plan.more_keys }}
{%- endif %}
{%- endmacro -%}


{#- The hashes of these keys; none of many: a list of more takes longer to read than it saves. -#}
{%- macro touched_key_hashes(staging, plan) -%}
    {%- set hashes = fromjson(run_query(
        'select to_json(array_sort(collect_set(' ~ debezium_spark.key_hash('row_key')
        ~ '))) from (' ~ debezium_spark.touched_keys(staging, plan) ~ ') as touched_keys'
    ).rows[0][0]) -%}
    {{- return(hashes if hashes | length <= 20000 else none) -}}
{%- endmacro -%}


{#- SQL: the hash comes first, because a sort compares eight bytes, and keys begin alike. -#}
{%- macro walk_key() -%}key_hash, row_key{%- endmacro -%}
