{#- CTE `records`: the raw records of the topics above the watermark, parsed once. -#}
{%- macro staged_records(plan, raw, watermark) -%}
{%- set config = plan.config -%}
{%- set topics = plan.topics -%}
{%- set layouts = plan.layouts -%}
{%- set ignored_records = plan.ignored_records -%}
{%- set checks_keys = plan.checks_keys -%}
{%- set has_layouts = plan.has_layouts -%}
{%- set source_records = debezium_spark.with_table_ends(
    debezium_spark.readable_records(config, raw, topics), layouts.ends
) -%}
{%- set envelope = debezium_spark.envelope_schema(
    config.connector, plan.reads_before or plan.may_lack_keys, plan.is_flattened
) -%}
{%- set key_text = debezium_spark.exact_numbers(config, 'key') -%}
records as (

    select
        {{ debezium_spark.record_columns(ignored_records) | indent(8) }}
        value as _record_value,
        {%- if has_layouts %}
        xxhash64({{ debezium_spark._embedded_schema('value', 'value_prefix') }}) as _layout,
        xxhash64({{ debezium_spark._embedded_schema('key', 'key_prefix') }}) as _key_layout,
        {%- endif %}
        from_json({{ debezium_spark.exact_numbers(config, 'value') }}, '{{ envelope }}') as message,
        {%- if checks_keys %}
        {# a delete and its tombstone can have landed in two batches #}
        lag(value) over (partition by topic, partition, key
            order by timestamp, offset) as _value_before,
        {%- endif %}
        from_json({{ key_text }}, 'map<string,string>') as key_json
    {%- if has_layouts %}
    from (
        select
            *,
            {{ debezium_spark._schema_prefix('value') }} as value_prefix,
            {{ debezium_spark._schema_prefix('key') }} as key_prefix
        from {{ source_records }}
    ) as described_records
    {%- else %}
    from {{ source_records }}
    {%- endif %}
    where
        {{ '(_end is not null or ' if layouts.ends }}
        {{- debezium_spark.topic_condition(topics) }}
        {{- ')' if layouts.ends }}
        and not {{ debezium_spark.is_logical_message() }}
        {%- if watermark is not none and watermark is defined %}
        and _cdc_batch_id {{ '>=' if plan.looks_back else '>' }} {{ watermark }}
        {%- endif %}

)
{%- endmacro -%}


{%- macro staged_envelopes(plan, watermark) -%}
{%- set ignored_records = plan.ignored_records -%}
{%- set key = plan.key -%}
{%- set checks_keys = plan.checks_keys -%}
{%- set has_layouts = plan.has_layouts -%}
{%- set looks_back = plan.looks_back -%}
{%- set trusts_before = debezium_spark.before_is_complete(plan.config, plan.table) -%}
{%- set members = (
    ['ts_ms', 'ts_us', 'after', 'source', 'transaction']
    + (['before'] if plan.reads_before else [])
) -%}
envelopes as (

    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        _cdc_batch_id,
        _cdc_landed_at,
        is_tombstone,
        {%- if ignored_records %}
        _ignored,
        {%- endif %}
        has_key,
        value_hash,
        _record_key,
        _record_value,
        {%- if has_layouts %}
        _layout,
        _key_layout,
        {%- endif %}
        {%- if checks_keys %}
        _value_before,
        {%- endif %}
        {{ debezium_spark.event_op() | indent(8) }} as op,
        {%- for member in members %}
        {%- set before_condition = trusts_before if member == 'before' else 'true' %}
        {%- if plan.is_flattened and member in ['before', 'after'] %}
        {{ debezium_spark.flattened_image(plan.config, member, before_condition) }} as {{ member }},
        {%- else %}
        {%- if before_condition != 'true' %}
        case
            when {{ before_condition }} then {{ debezium_spark.envelope_member(member) }}
        end as {{ member }},
        {%- else %}
        {{ debezium_spark.envelope_member(member) }} as {{ member }},
        {%- endif %}
        {%- endif %}
        {%- endfor %}
        {%- if plan.may_lack_keys %}
        case
            when coalesce(message.op, message.payload.op) = 'd'
                then coalesce(message.before, message.payload.before)
        end as _deleted_image,
        {%- endif %}
        {{ debezium_spark.key_members('key', 'key_json', key) }} as key_members,
        case
            when coalesce(message.op, message.payload.op) = 'c'
                then {{ debezium_spark.header_value('headers', '__debezium.oldkey') }}
        end as _old_key_text
    from records
    {%- if looks_back %}
    where _cdc_batch_id > {{ watermark }}
    {%- endif %}

)
{%- endmacro -%}


{#- CTE `images`: `after`, or what is known of a deleted row. -#}
{%- macro staged_images(plan) -%}
{%- set config = plan.config -%}
{%- set table = plan.table -%}
{%- set layouts = plan.layouts -%}
{%- set origins = plan.origins -%}
{%- set ignored_records = plan.ignored_records -%}
{%- set is_shared = plan.is_shared -%}
{%- set reads_before = plan.reads_before -%}
{%- set names = debezium_spark.all_names(plan.columns) -%}
{%- set known_names = 'array(' ~ debezium_spark.text_literals(names) ~ ')' -%}
images as (

    select
        *,
        case
            when op in ('c', 'r', 'u') then after
            when op = 'd'
                then {{ 'coalesce(before, key_members)' if reads_before else 'key_members' }}
        end as image,
        map_keys(after) != {{ known_names }} as after_has_other_names,
        {{ debezium_spark.aligned_texts('image', names) }} as image_texts,
        {%- if reads_before %}
        map_keys(before) != {{ known_names }} as before_has_other_names,
        {{ debezium_spark.aligned_texts('before', names) }} as before_texts,
        {%- endif %}
        from_json(_old_key_text, 'map<string,string>') as _old_key_json
    from envelopes
    {%- if is_shared %}
    {# only the source block distinguishes tables that share a topic; a tombstone has none #}
    where
        {{ '_ignored is not null or ' if ignored_records }}
        {{- debezium_spark.is_read_for_table(config, table, origins, layouts.sharing) }}
    {%- endif %}

)
{%- endmacro -%}
