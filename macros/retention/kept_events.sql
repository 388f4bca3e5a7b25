{#-
    What a table with a key still needs of its settled events (reference/retention.md): the base of
    each key and what lies behind it. Of one key, all of whose events are settled:

    | arrival | op | position | verdict | action  | because                                      |
    |---------|----|----------|---------|---------|----------------------------------------------|
    | 1       | c  | 10       | change  | drop    |                                              |
    | 2       | u  | 20       | change  | context | another delivery of it is kept               |
    | 3       | r  |          | full    | drop    | it ended the mark, but there is no truncate  |
    | 4       | u  | 30       | change  |         | the mark                                     |
    | 5       | r  |          | …       | fill    | the winner, which lacks a value              |
    | 6       | u  | 20       | …       |         | it lies behind the base                      |
-#}


{#-
    SELECT of the deliveries that do not stay as they are, with `action`: `drop`; `context`, to stay
    without values, its `_cdc_snapshot` being `settled`; `place`, to stay without identity, too;
    `fill`, with the values it lacks (`filled_1` of `plan.lookup_columns`, `still_unavailable`).
    `horizon`: see `horizon.py`. The names of columns are those of staging.
-#}
{%- macro events_to_drop(config, staging, plan, horizon) -%}
{%- set until = 'timestamp_micros(' ~ horizon.until_us ~ ')' -%}
{%- set of_key = 'partition by ' ~ debezium_spark.walk_key() -%}
{%- set upsert = "op in ('c', 'u', 'r')" -%}
with {{ 'recursive' if plan.lookup_columns and plan.follows_origins and not plan.chains }}

{{ debezium_spark.walk(config, staging, plan) }},

{{ debezium_spark.known_values(plan) }},

{%- if plan.closes %}

witnesses as (

    {{ debezium_spark._snapshot_witnesses(config, staging, until) | indent(4) }}

),
{%- endif %}

{{ debezium_spark._early_events(horizon, plan, until) }},

actions as (

    select
        *,
        case
            when not is_early
                then case
                    when arrival = winner_arrival and {{ upsert }} and unavailable is not null
                        then 'fill'
                end
            {%- if plan.truncates %}
            when arrival = last_full_read then null
            {%- endif %}
            {%- if plan.closes %}
            when is_witness then null
            {%- endif %}
            when op = 'tombstone'
                then if(has_later_tombstone or is_last_of_place, 'context', 'drop')
            when arrival > coalesce(forgotten, 0) and (is_repeated or is_known) then 'context'
            when is_last_of_place then 'place'
            {# the next run finds new records by the highest batch #}
            when batch_id >= {{ plan.highest_batch }} then 'place'
            else 'drop'
        end as action
    from early_events
    {%- if plan.closes %}
    left join witnesses using (topic, incarnation, `partition`, `offset`)
    {%- endif %}

),

counted_events as (

    select
        *,
        {{ debezium_spark.count_replays(' over (' ~ of_key ~ ')') | indent(8) }},
        {# one of the events that go stays, for the counts of all of them #}
        coalesce(
            struct(action != 'drop', arrival)
            = max(case when action != 'fill' then struct(action != 'drop', arrival) end)
                over ({{ of_key }}),
            false
        ) as is_last
    from actions
    where action is not null

),

carriers as (

    select
        *,
        is_last and (replays > 0 or first_unexplained is not null) as carries
    from counted_events

)

select
    topic as _cdc_topic,
    `partition` as _cdc_partition,
    `offset` as _cdc_offset,
    `timestamp` as _cdc_timestamp,
    batch_id as _cdc_batch_id,
    if(carries and action = 'drop', 'place', action) as action,
    case
        when action = 'fill' then null
        when carries
            then concat_ws('/', 'settled', replays, unexplained, coalesce(first_unexplained, ''))
        else 'settled/0/0/'
    end as settled,
    case when action = 'fill' then still_unavailable end as still_unavailable
    {%- for column in plan.lookup_columns %},
    known_{{ loop.index }}.`value` as filled_{{ loop.index }}
    {%- endfor %}
from carriers
{%- endmacro -%}


{#- CTEs up to `early_events`: what is settled of each key, and the base that it needs. -#}
{%- macro _early_events(horizon, plan, until) -%}
{%- set of_key = 'partition by ' ~ debezium_spark.walk_key() -%}
{%- set upsert = "op in ('c', 'u', 'r')" -%}
settled_events as (

    select
        *,
        max(case when is_settled and is_applied then arrival end) over ({{ of_key }})
            as winner_arrival,
        max(
            case
                when is_settled and verdict in ('full read', 'deleting tombstone') then arrival
            end
        ) over ({{ of_key }}) as mark_ended,
        {# a key's order changes when an event lands in another partition #}
        bool_or(not is_moved and is_settled and falls) over ({{ of_key }}) as is_ambiguous
    from (
        select
            *,
            `timestamp` <= {{ until }} as is_settled,
            coalesce(`timestamp` < max(`timestamp`) over (
                {{ of_key }} order by arrival rows between unbounded preceding and 1 preceding
            ), false) as falls,
            {{ debezium_spark.still_unavailable(plan, none) }} as still_unavailable
        from known
    ) as with_horizon

),

winners as (

    select
        *,
        max(
            case
                when is_settled and verdict = 'change' and arrival > coalesce(mark_ended, 0)
                    then arrival
            end
        ) over ({{ of_key }}) as mark_arrival,
        max(
            case
                when arrival = winner_arrival and {{ upsert }} and still_unavailable is not null
                    then life
            end
        ) over ({{ of_key }}) as lacking_life,
        max(
            case when is_settled and is_applied and kind = 'full' then arrival end
        ) over ({{ of_key }}) as last_full_read
    from settled_events

),

bases as (

    select
        *,
        least(
            winner_arrival,
            mark_arrival,
            min(
                case when is_settled and is_applied and life = lacking_life then arrival end
            ) over ({{ of_key }})
        ) as base
    from winners
    where winner_arrival is not null and not is_ambiguous

),

early_events as (

    select
        bases.*,
        is_settled and arrival < base as is_early,
        max(case when verdict = 'deleting tombstone' and arrival <= base then arrival end)
            over ({{ of_key }}) as forgotten,
        identity is not null
        and max(arrival) over ({{ of_key }}, identity) >= base as is_repeated,
        max(case when op = 'tombstone' then arrival end) over ({{ of_key }}, `timestamp`) >= base
            as has_later_tombstone,
        is_moved and arrival = max(case when is_settled and arrival < base then arrival end) over (
            {{ of_key }}, topic, incarnation, `partition`
        ) as is_last_of_place,
        {{ debezium_spark._is_known_by_identity(horizon) | indent(8) }} as is_known
    from bases

)
{%- endmacro -%}


{#-
    SQL by column of a staged table: what the MERGE of `events_to_drop` writes where `action` is not
    `drop`. The names of a table's own columns do not begin with `_cdc_`.
-#}
{%- macro settled_values(columns, plan) -%}
    {%- set values = {} -%}
    {%- set fills = "debezium_source.action = 'fill'" -%}
    {%- set places = "debezium_source.action = 'place'" -%}
    {%- for column in columns -%}
        {%- set name = 'debezium_target.' ~ debezium_spark.quote(column) -%}
        {%- set of_fill = name -%}
        {%- if column in plan.lookup_columns -%}
            {%- set of_fill = (
                'case when array_contains(debezium_target._cdc_unavailable, '
                ~ debezium_spark.text_literal(column) ~ ') then debezium_source.filled_'
                ~ (plan.lookup_columns.index(column) + 1) ~ ' else ' ~ name ~ ' end'
            ) -%}
        {%- endif -%}
        {%- if not column.startswith('_cdc_') or column in ['_cdc_unmapped', '_cdc_errors'] -%}
            {%- do values.update({column: 'case when ' ~ fills ~ ' then ' ~ of_fill ~ ' end'}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for column in ['_cdc_pos', '_cdc_identity'] -%}
        {%- do values.update({
            column: 'case when not ' ~ places ~ ' then debezium_target.' ~ column ~ ' end'
        }) -%}
    {%- endfor -%}
    {%- do values.update({
        '_cdc_unavailable': 'debezium_source.still_unavailable',
        '_cdc_op': 'if(' ~ places ~ ", 'r', debezium_target._cdc_op)",
        '_cdc_snapshot': 'coalesce(debezium_source.settled, debezium_target._cdc_snapshot)',
    }) -%}
    {{- return(values) -}}
{%- endmacro -%}


{#- SQL: only the identity of an event can tell a later delivery of it from a new one. -#}
{%- macro _is_known_by_identity(horizon) -%}
{%- set open = 'interval ' ~ horizon.open_seconds ~ ' seconds' -%}
case
    when identity is null then false
    when kind = 'stream' and epoch_pos is not null then false
    when source_at is null
        then `timestamp` > timestamp_micros({{ horizon.late_us }}) - {{ open }}
    when op = 'r' then false
    when op in ('c', 'u', 'd') and epoch_pos is null
        then coalesce(
            source_at
            > {{ debezium_spark.time_of_topic(horizon.unplaced_us, 'topic') }} - {{ open }},
            true
        )
    else false
end
{%- endmacro -%}


{#- SELECT: the settled reads that tell where each snapshot began in a partition, and its end. -#}
{%- macro _snapshot_witnesses(config, staging, until) -%}
{%- set part = 'partition by topic, incarnation, epoch_stream_pos, run_id, `partition`' -%}
select
    topic,
    incarnation,
    `partition`,
    `offset`,
    true as is_witness
from (
    select
        *,
        min(`offset`) over ({{ part }}) as first_offset,
        min(struct(`timestamp`, `offset`)) over ({{ part }}) as first_moment
    from (
        select
            {{ debezium_spark.event_place(config) | indent(12) }},
            _cdc_run_id as run_id,
            _cdc_snapshot in ('last', 'last_in_data_collection') as is_last
        from {{ staging }}
        where {{ debezium_spark.is_snapshot_read() }} and _cdc_timestamp <= {{ until }}
    ) as reads
) as placed_reads
where is_last or `offset` = first_offset or `offset` = first_moment.`offset`
{%- endmacro -%}
