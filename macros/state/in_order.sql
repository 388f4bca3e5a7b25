{#-
    SELECT of state rows where every event continues its key: nothing is late, repeated, or reached
    by a truncate (`profile.sql`). The last event of a key is its row, and the MERGE keeps what the
    batch does not tell (`merge_values`). Of key 7, whose row in the state is (7, a, B):

    | offset | op | v | w             |   row of the batch (7, c, w unavailable)
    |     11 | u  | b | (unavailable) |   row after the MERGE (7, c, B)
    |     12 | u  | c | (unavailable) |
-#}
{%- macro in_order(config, staging, columns, plan) -%}
{%- set is_new = debezium_spark.is_row_event() -%}
{%- if plan.watermark is not none -%}
    {%- set is_new = is_new ~ ' and _cdc_batch_id > ' ~ plan.watermark -%}
{%- endif -%}
{%- set delivery = 'struct(_cdc_offset as `offset`, _cdc_timestamp as `timestamp`)' -%}
with

ends as (

    select
        _cdc_key as row_key,
        max(case when _cdc_op != 'tombstone' then _cdc_offset end) as winner_offset,
        max(case when _cdc_op = 'd' then _cdc_offset end) as last_delete,
        max({{ delivery }}) as last_event,
        max(case
            when {{ debezium_spark.event_kind() | indent(12) }} = 'full' then {{ delivery }}
        end) as full_read,
        max(struct(_cdc_batch_id as batch_id, _cdc_landed_at as landed_at)) as landing
        {%- for column in plan.lookup_columns %},
        max_by(
            struct(_cdc_offset as `offset`, {{ debezium_spark.quote(column) }} as `value`),
            case
                when _cdc_op in ('c', 'u', 'r')
                    and not coalesce(array_contains(
                        _cdc_unavailable, {{ debezium_spark.text_literal(column) }}), false)
                    then _cdc_offset
            end
        ) as known_{{ loop.index }}
        {%- endfor %}
    from {{ staging }}
    where {{ is_new }}
    group by _cdc_key

),

winners as (

    select {{ '/*+ broadcast(ends) */' if plan.few_keys }}
        ends.*,
        {#- apart, because a column can have the name of anything here #}
        struct(events.*) as event,
        {{ debezium_spark.event_kind() | indent(8) }} as kind,
        {{ debezium_spark.event_incarnation(config) }} as incarnation,
        {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
        {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
        {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity
    from {{ staging }} as events
    inner join ends
        on
            events._cdc_key = ends.row_key
            and events._cdc_offset = ends.winner_offset
    where {{ is_new }} and _cdc_op != 'tombstone'

),

rows as (

    select
        event._cdc_key,
        landing.batch_id as _cdc_batch_id,
        landing.landed_at as _cdc_landed_at,
        {%- for column in columns %}
        {%- set name = debezium_spark.quote(column) %}
        {{ debezium_spark._value_in_order(plan, column) | indent(8) }} as {{ name }},
        {%- endfor %}
        event._cdc_op,
        event._cdc_op = 'd' as _cdc_is_deleted,
        event._cdc_pos,
        event._cdc_source_at,
        {{ debezium_spark._unavailable_in_order(plan) | indent(8) }} as _cdc_unavailable,
        {{ debezium_spark.state_columns(debezium_spark._members_in_order()) | indent(8) }},
        cast(null as string) as _cdc_marks
        {%- if plan.watermark is not none %},
        last_delete is null as _cdc_goes_on
        {%- endif %}
    from winners
    {%- if plan.highest_batch is not none %}

    union all

    {{ debezium_spark.control_rows(
        config, staging, columns, plan, merged=plan.watermark is not none
    ) | indent(4) }}
    {%- endif %}

)

select * from rows
{%- endmacro -%}


{#- SQL: the value of a column as far as the batch tells it. -#}
{%- macro _value_in_order(plan, column) -%}
{%- set name = 'event.' ~ debezium_spark.quote(column) -%}
{%- if column not in plan.lookup_columns -%}{{- return(name) -}}{%- endif -%}
{%- set known = 'known_' ~ (plan.lookup_columns.index(column) + 1) -%}
case
    when not coalesce(array_contains(
        event._cdc_unavailable, {{ debezium_spark.text_literal(column) }}), false)
        then {{ name }}
    when {{ known }}.`offset` > coalesce(last_delete, -1) then {{ known }}.`value`
end
{%- endmacro -%}


{#- SQL: the columns that no event of the row's life in this batch tells, NULL without any. -#}
{%- macro _unavailable_in_order(plan) -%}
{%- if not plan.lookup_columns -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
{%- set known = [] -%}
{%- for column in plan.lookup_columns -%}
    {%- do known.append(
        'if(known_' ~ loop.index ~ '.`offset` > coalesce(last_delete, -1), '
        ~ debezium_spark.text_literal(column) ~ ', null)'
    ) -%}
{%- endfor -%}
{{ debezium_spark.unless_empty(
    'array_except(event._cdc_unavailable, array_compact(array(' ~ known | join(', ') ~ ')))'
) }}
{%- endmacro -%}


{%- macro _members_in_order() -%}
    {%- set members = {
        'topic': 'event._cdc_topic',
        'incarnation': 'incarnation',
        'partition': 'event._cdc_partition',
        'offset': 'event._cdc_offset',
        'timestamp': 'event._cdc_timestamp',
        'kind': 'kind',
        'epoch_pos': 'epoch_pos',
        'epoch_stream_pos': 'epoch_stream_pos',
        'full_read_topic': 'if(full_read is not null, event._cdc_topic, null)',
        'full_read_incarnation': 'if(full_read is not null, incarnation, null)',
        'full_read_partition': 'if(full_read is not null, event._cdc_partition, null)',
        'full_read_offset': 'full_read.`offset`',
        'full_read_timestamp': 'full_read.`timestamp`',
        'mark': "case when kind = 'stream' then epoch_pos end",
        'highest': "case when kind = 'stream' then epoch_identity end",
        'last_incarnation': 'incarnation',
        'last_topic': 'event._cdc_topic',
        'last_partition': 'event._cdc_partition',
        'last_offset': 'last_event.`offset`',
        'last_timestamp': 'last_event.`timestamp`',
        'is_moved': 'false',
        'replays': 'cast(0 as bigint)',
        'unexplained': 'cast(0 as bigint)',
    } -%}
    {{- return(members) -}}
{%- endmacro -%}


{#-
    SQL by column: what the MERGE writes into a row that the table has, where that is not the
    source's value. What a walk counted stays; so does a value that the batch does not tell, while
    the row lives.
-#}
{%- macro merge_values(plan) -%}
    {%- set values = {} -%}
    {%- for name in [
        'full_read_topic',
        'full_read_incarnation',
        'full_read_partition',
        'full_read_offset',
        'full_read_timestamp',
        'is_moved',
        'replays',
        'unexplained',
        'first_unexplained',
    ] -%}
        {%- do values.update({'_cdc_fold_' ~ name: 'debezium_target._cdc_fold_' ~ name}) -%}
    {%- endfor -%}
    {%- set goes_on = (
        "debezium_source._cdc_goes_on and debezium_target._cdc_op in ('c', 'u', 'r')"
    ) -%}
    {%- for column in plan.lookup_columns -%}
        {%- set name = debezium_spark.quote(column) -%}
        {%- do values.update({
            column: 'case when ' ~ goes_on
                ~ ' and array_contains(debezium_source._cdc_unavailable, '
                ~ debezium_spark.text_literal(column) ~ ') then debezium_target.' ~ name
                ~ ' else debezium_source.' ~ name ~ ' end'
        }) -%}
    {%- endfor -%}
    {%- if plan.lookup_columns -%}
        {%- do values.update({
            '_cdc_unavailable': 'case when ' ~ goes_on ~ ' then '
                ~ debezium_spark.unless_empty(
                    'array_intersect(debezium_source._cdc_unavailable,'
                    ~ ' debezium_target._cdc_unavailable)'
                ) ~ ' else debezium_source._cdc_unavailable end'
        }) -%}
    {%- endif -%}
    {{- return(values) -}}
{%- endmacro -%}


{%- macro unless_empty(list) -%}
    {{- return('if(size(' ~ list ~ ') > 0, ' ~ list ~ ', null)') -}}
{%- endmacro -%}
