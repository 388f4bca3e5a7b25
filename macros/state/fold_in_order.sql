{#-
    SELECT of state rows where every event continues its key: nothing late, repeated or unavailable.
    The last event is the winner: narrow columns find it, and only its image is read. What else the
    state knew of a key stays (`preserved_columns`).
-#}
{%- macro fold_in_order(config, staging, columns, plan) -%}
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
        max({{ delivery }}) as last_event,
        {%- if plan.tombstones %}
        max(case when _cdc_op = 'tombstone' then {{ delivery }} end) as last_tombstone,
        {%- endif %}
        {%- if plan.new_reads %}
        max(case
            when {{ debezium_spark.event_kind() | indent(12) }} = 'full' then {{ delivery }}
        end) as full_read,
        {%- endif %}
        {%- if plan.feed %}
        max({{ debezium_spark.landing_struct('_cdc_batch_id', '_cdc_landed_at') }}) as last_landing,
        {%- endif %}
        max(_cdc_batch_id) as last_batch_id
    from {{ staging }}
    where {{ is_new }}
    group by _cdc_key

),

winners as (

    select
        *,
        {{ debezium_spark.event_kind() | indent(8) }} as kind,
        {{ debezium_spark.event_incarnation(config) }} as incarnation,
        {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
        {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
        {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity
    from {{ staging }}
    where {{ is_new }} and _cdc_op != 'tombstone'

),

rows as (

    select {{ '/*+ broadcast(ends) */' if plan.few_keys }}
        winners._cdc_key,
        ends.last_batch_id as _cdc_batch_id,
        {%- for column in columns %}
        winners.{{ debezium_spark.quote(column) }},
        {%- endfor %}
        winners._cdc_op,
        winners._cdc_op = 'd' as _cdc_is_deleted,
        winners._cdc_pos,
        winners._cdc_source_at,
        cast(null as array<string>) as _cdc_unavailable,
        {%- if plan.feed %}
        case when winners._cdc_op = 'd' then winners._cdc_source_at end as _cdc_deleted_at,
        ends.last_landing.landed_at as _cdc_landed_at,
        {%- endif %}
        {{ debezium_spark.fold_columns(
            members=debezium_spark.members_in_order(plan)
        ) | indent(8) }},
        cast(null as string) as _cdc_marks
    from winners
    inner join ends
        on
            winners._cdc_key = ends.row_key
            and winners._cdc_offset = ends.winner_offset

    {%- if plan.highest_batch is not none %}

    union all

    {{ debezium_spark.control_row(
        columns,
        "'!watermark'",
        plan.highest_batch,
        checkpoint=debezium_spark.text_literal(plan.checkpoint),
        feed=plan.feed,
    ) | indent(4) }}
    {%- endif %}

)

select * from rows
{%- endmacro -%}


{%- macro members_in_order(plan) -%}
    {%- set members = {
        'topic': 'winners._cdc_topic',
        'incarnation': 'winners.incarnation',
        'partition': 'winners._cdc_partition',
        'offset': 'winners._cdc_offset',
        'timestamp': 'winners._cdc_timestamp',
        'kind': 'winners.kind',
        'epoch_pos': 'winners.epoch_pos',
        'epoch_stream_pos': 'winners.epoch_stream_pos',
        'mark': "case when winners.kind = 'stream' then winners.epoch_pos end",
        'highest': "case when winners.kind = 'stream' then winners.epoch_identity end",
        'last_incarnation': 'winners.incarnation',
        'last_topic': 'winners._cdc_topic',
        'last_partition': 'winners._cdc_partition',
        'last_offset': 'ends.last_event.`offset`',
        'last_timestamp': 'ends.last_event.`timestamp`',
        'last_op': 'winners._cdc_op',
        'new_op': 'winners._cdc_op',
        'new_stream_pos': 'winners.epoch_stream_pos',
        'was_emptied': 'false',
        'is_moved': 'false',
        'replays': 'cast(0 as bigint)',
        'unexplained': 'cast(0 as bigint)',
    } -%}
    {%- if plan.tombstones -%}
        {%- do members.update({'tombstone_at': 'ends.last_tombstone.`timestamp`'}) -%}
    {%- endif -%}
    {%- if plan.new_reads -%}
        {%- do members.update({
            'full_read_topic': 'if(ends.full_read is not null, winners._cdc_topic, null)',
            'full_read_incarnation': 'if(ends.full_read is not null, winners.incarnation, null)',
            'full_read_partition': 'if(ends.full_read is not null, winners._cdc_partition, null)',
            'full_read_offset': 'ends.full_read.`offset`',
            'full_read_timestamp': 'ends.full_read.`timestamp`',
        }) -%}
    {%- endif -%}
    {{- return(members) -}}
{%- endmacro -%}


{#-
    Decisions for the MERGE: of keys that the table has, these columns stay, and the last
    tombstone's time if the batch has none.
-#}
{%- macro preserved_columns() -%}
    {%- set names = [] -%}
    {%- for name in [
        'full_read_topic',
        'full_read_incarnation',
        'full_read_partition',
        'full_read_offset',
        'full_read_timestamp',
        'was_emptied',
        'is_moved',
        'replays',
        'unexplained',
        'first_unexplained',
    ] -%}
        {%- do names.append('_cdc_fold_' ~ name) -%}
    {%- endfor -%}
    {{- return({'preserved_columns': names, 'filled_columns': ['_cdc_fold_tombstone_at']}) -}}
{%- endmacro -%}
