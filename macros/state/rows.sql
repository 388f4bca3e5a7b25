{#-
    SELECT of the state rows of the keys that a walk went through, and the control rows. The winner
    is the last applied event; only its image is read, by its delivery.
-#}
{%- macro walked_rows(config, staging, columns, plan) -%}
{%- set shown = (
    "if(winner.op in ('d', 'tombstone'), coalesce(last_upsert, winner), winner)"
    if plan.keeps_values else 'winner'
) -%}
with
{{ 'recursive' if plan.lookup_columns and plan.follows_origins and not plan.chains }}

{{ debezium_spark.walk(config, staging, plan) }},

{{ debezium_spark.known_values(plan) }},

{{ debezium_spark.ends_of_rows(config, staging, plan) }}

winners as (

    select
        *,
        {{ shown }} as shown
    from (
        select
            row_key,
            max_by({{ debezium_spark._event_of_row(plan) }}, case when is_applied then arrival end)
                as winner,
            {%- if plan.keeps_values %}
            max_by(
                {{ debezium_spark._event_of_row(plan) }},
                case when is_applied and op in ('c', 'u', 'r') then arrival end
            ) as last_upsert,
            {%- endif %}
            max_by(
                {{ debezium_spark.delivery() }},
                case when is_applied and kind = 'full' then arrival end
            ) as full_read,
            max_by({{ debezium_spark.delivery() }}, arrival) as last_event,
            max_by(
                greatest(
                    case when mark_before.segment = segment then mark_before.epoch_pos end,
                    case when kind = 'stream' and not is_repeat then epoch_pos end
                ),
                arrival
            ) as mark,
            max(case when kind = 'stream' then epoch_identity end) as highest,
            max(struct(batch_id, landed_at)) as landing,
            bool_or(is_moved) as is_moved,
            {{ debezium_spark.count_replays() | indent(12) }}
        from known
        group by {{ debezium_spark.walk_key() }}
    ) as ends

),

rows as (

    select {{ '/*+ broadcast(winners) */' if plan.few_keys }}
        winners.row_key as _cdc_key,
        {{ debezium_spark._landing_of_row(plan) }}.batch_id as _cdc_batch_id,
        {{ debezium_spark._landing_of_row(plan) }}.landed_at as _cdc_landed_at,
        {%- for column in columns %}
        {{ debezium_spark.value_of(
            plan, 'winners.shown', column, 'events.' ~ debezium_spark.quote(column)
        ) | indent(8) }} as {{ debezium_spark.quote(column) }},
        {%- endfor %}
        winners.winner.op as _cdc_op,
        {{ debezium_spark.is_ended(
            plan, 'winners.winner.op', 'winners.winner', 'winners.full_read'
        ) | indent(8) }} as _cdc_is_deleted,
        winners.winner.pos as _cdc_pos,
        winners.winner.source_at as _cdc_source_at,
        {{ debezium_spark.still_unavailable(plan, 'winners.shown') | indent(8) }}
            as _cdc_unavailable,
        {{ debezium_spark.state_columns(debezium_spark._members_of_walk()) | indent(8) }},
        cast(null as string) as _cdc_marks
    from winners
    inner join {{ staging }} as events
        on
            winners.row_key = events._cdc_key
            and winners.shown.`offset` = events._cdc_offset
            and winners.shown.`partition` = events._cdc_partition
            and winners.shown.topic = events._cdc_topic
            and winners.shown.incarnation = {{ debezium_spark.event_incarnation(config) }}
    {{- debezium_spark.join_ends(plan) }}
    where {{ debezium_spark.is_row_event() }}

    {%- if plan.highest_batch is not none %}

    union all

    {{ debezium_spark.control_rows(config, staging, columns, plan) | indent(4) }}
    {%- endif %}

)

select * from rows
{%- endmacro -%}


{#-
    SQL: aggregates of a key's walk: what was not applied, with what a retention let go. `over`: a
    window.
-#}
{%- macro count_replays(over='') -%}
count_if(verdict in ('repeat', 'moved', 'unexplained')){{ over }}
+ coalesce(sum(cast(settled[1] as bigint)){{ over }}, 0) as replays,
count_if(verdict = 'unexplained'){{ over }}
+ coalesce(sum(cast(settled[2] as bigint)){{ over }}, 0) as unexplained,
min_by(
    if(verdict = 'unexplained', concat_ws(':', topic, `partition`, `offset`), settled[3]),
    case when verdict = 'unexplained' or settled[3] != '' then arrival end
){{ over }} as first_unexplained
{%- endmacro -%}


{%- macro _event_of_row(plan) -%}
struct(
    op, kind, topic, incarnation, `partition`, `offset`, `timestamp`, pos, epoch_pos,
    epoch_stream_pos, source_at, unavailable
    {%- for column in plan.lookup_columns %}, known_{{ loop.index }}{% endfor %}
    {%- if plan.lookup_columns and plan.follows_origins %}, origin_landing{% endif %}
)
{%- endmacro -%}


{#- SQL: what landed last of a row, also of the key that its values come from (docs/feed.md). -#}
{%- macro _landing_of_row(plan) -%}
    {%- if not (plan.lookup_columns and plan.follows_origins) -%}
        {{- return('winners.landing') -}}
    {%- endif -%}
    {{- return(
        'greatest(winners.landing, if(winners.winner.unavailable is null, null,'
        ~ ' winners.winner.origin_landing))'
    ) -}}
{%- endmacro -%}


{%- macro delivery() -%}
struct(topic, incarnation, `partition`, `offset`, `timestamp`)
{%- endmacro -%}


{%- macro _members_of_walk() -%}
    {%- set members = {} -%}
    {%- for name in [
        'topic', 'incarnation', 'partition', 'offset', 'timestamp', 'kind', 'epoch_pos',
        'epoch_stream_pos'
    ] -%}
        {%- do members.update({name: 'winners.winner.`' ~ name ~ '`'}) -%}
    {%- endfor -%}
    {%- for name in ['topic', 'incarnation', 'partition', 'offset', 'timestamp'] -%}
        {%- do members.update({
            'full_read_' ~ name: 'winners.full_read.`' ~ name ~ '`',
            'last_' ~ name: 'winners.last_event.`' ~ name ~ '`',
        }) -%}
    {%- endfor -%}
    {%- for name in [
        'mark', 'highest', 'is_moved', 'replays', 'unexplained', 'first_unexplained'
    ] -%}
        {%- do members.update({name: 'winners.' ~ name}) -%}
    {%- endfor -%}
    {{- return(members) -}}
{%- endmacro -%}


{#-
    What a state row keeps of its key, each in a column `_cdc_fold_<name>`: of the winner its
    delivery, kind and positions, and the last full read up to it; of the walk its end, by which
    `profile.sql` sees whether a batch goes on from it, and its replays.
-#}
{%- macro state_members() -%}
    {{- return({
        'topic': 'string',
        'incarnation': 'int',
        'partition': 'int',
        'offset': 'bigint',
        'timestamp': 'timestamp',
        'kind': 'string',
        'epoch_pos': 'string',
        'epoch_stream_pos': 'string',
        'full_read_topic': 'string',
        'full_read_incarnation': 'int',
        'full_read_partition': 'int',
        'full_read_offset': 'bigint',
        'full_read_timestamp': 'timestamp',
        'mark': 'string',
        'highest': 'string',
        'last_incarnation': 'int',
        'last_topic': 'string',
        'last_partition': 'int',
        'last_offset': 'bigint',
        'last_timestamp': 'timestamp',
        'is_moved': 'boolean',
        'replays': 'bigint',
        'unexplained': 'bigint',
        'first_unexplained': 'string',
    }) -}}
{%- endmacro -%}


{#- SQL: these columns, from `members`, which names SQL for some. -#}
{%- macro state_columns(members={}) -%}
    {%- for name, type in debezium_spark.state_members().items() %}
    {{- members.get(name, 'cast(null as ' ~ type ~ ')') }} as _cdc_fold_{{ name }}
    {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro -%}
