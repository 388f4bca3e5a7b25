{#-
    SELECT of `staging`, without the decision what to read: testable on its own.

    Steps, one CTE each: the records of the topics; the envelope in whichever form it came; the row image of the event (`after`, or
    what is known of a deleted row); the text of each column; the costly half of decoding; the typed row.

    `recorded`: what the embedded schemas of these records say (`record_layouts`), none where nothing told.
-#}
{%- macro staging_sql(config, raw, topics, table, key, columns, shared_topic=false, watermark=none, former_keys=[], recorded=none, origins=[]) -%}
{%- set ignored = debezium_spark.ignored_records(config, topics) -%}
{%- set reads_before = debezium_spark.has_complete_before(config, table) -%}
{%- set keeps_before = reads_before and not key -%}
{%- set trusts_before = debezium_spark.before_is_complete(config, table) -%}
{%- set position = debezium_spark.event_position(config) -%}
{%- set recorded = recorded or debezium_spark.nothing_recorded(columns, key) -%}
{%- set is_shared = recorded.shared or shared_topic -%}
{%- set doubts_keys = debezium_spark.may_invent_keys(config, table, key, recorded.doubtful_keys) -%}
{%- set looks_back = doubts_keys and watermark is not none and watermark is defined -%}
{%- set has_layouts = (
    columns | selectattr('layouts', 'defined') | list or key | selectattr('layouts', 'defined') | list or recorded.unwritten
) -%}
{%- set source_records = debezium_spark.with_table_ends(debezium_spark.kept_records(config, raw, topics), recorded.ends) -%}
{%- set record = namespace(sql=none) -%}
{%- for column in columns + key if debezium_spark.encoding(config, column).kind == 'decimal' -%}
    {#- only a decimal of digits alone makes one look at it: is it a number, or base64? -#}
    {%- set record.sql = "concat_ws(' ', _record_key, _record_value)" -%}
{%- endfor -%}
{%- set members = ['op', 'ts_ms', 'ts_us', 'after', 'source', 'transaction'] + (['before'] if reads_before else []) -%}
{#- what a key of another layout can consist of: columns, known to the model or not -#}
{%- set known_members -%}
concat(array({{ debezium_spark.text_literals((debezium_spark.names_ever(columns + key) + former_keys | sum(start=[])) | unique) }}){{ '' -}}
, coalesce(map_keys(after), array()){% if reads_before %}, coalesce(map_keys(before), array()){% endif %})
{%- endset -%}
with

records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        key,
        headers,
        _cdc_batch_id,
        _cdc_landed_at,
        {{ '_ignored is null and ' if ignored }}{{ debezium_spark.is_null_payload('value') }} as is_tombstone,
        {%- if ignored %}
        _ignored,
        {%- endif %}
        not {{ debezium_spark.is_null_payload('key') }} as has_key,
        xxhash64(value) as value_hash,
        key as _record_key,
        value as _record_value,
        {%- if has_layouts %}
        xxhash64({{ debezium_spark._embedded_schema('value') }}) as _layout,
        xxhash64({{ debezium_spark._embedded_schema('key') }}) as _key_layout,
        {%- endif %}
        from_json({{ debezium_spark.exact_numbers(config, 'value') }}, '{{ debezium_spark.envelope_schema(config.connector, reads_before) }}') as message,
        from_json({{ debezium_spark.exact_numbers(config, 'key') }}, 'map<string,string>') as key_json,
        {%- if doubts_keys %}
        {# a delete and its tombstone can have landed in two batches #}
        lag(value) over (partition by topic, partition, key order by timestamp, offset) as _value_before,
        {%- endif %}
        coalesce(contains(value, '"m"'), false) as may_be_message
    {%- if has_layouts %}
    from (
        select
            *,
            substring_index(value, ',"payload":', 1) as value_prefix,
            substring_index(key, ',"payload":', 1) as key_prefix
        from {{ source_records }}
    ) as described_records
    {%- else %}
    from {{ source_records }}
    {%- endif %}
    where
        {{ '(_end is not null or ' if recorded.ends }}{{ debezium_spark.topic_condition(topics) }}{{ ')' if recorded.ends }}
        {%- if watermark is not none and watermark is defined %}
        and _cdc_batch_id {{ '>=' if looks_back else '>' }} {{ watermark }}
        {%- endif %}

),

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
        {%- if ignored %}
        _ignored,
        {%- endif %}
        has_key,
        may_be_message,
        value_hash,
        _record_key,
        _record_value,
        {%- if has_layouts %}
        _layout,
        _key_layout,
        {%- endif %}
        {%- if doubts_keys %}
        _value_before,
        {%- endif %}
        {%- for member in members %}
        case
            {%- if member == 'before' and trusts_before != 'true' %}
            when not {{ trusts_before }} then null
            {%- endif %}
            when message.op is not null then message.{{ member }} else message.payload.{{ member }}
        end as {{ member }},
        {%- endfor %}
        {{ debezium_spark.key_members('key', 'key_json', key) }} as key_members
    from records
    {%- if looks_back %}
    where _cdc_batch_id > {{ watermark }}
    {%- endif %}

),

images as (

    select
        *,
        case
            when op in ('c', 'r', 'u') then after
            when op = 'd' then {{ 'coalesce(before, key_members)' if reads_before else 'key_members' }}
        end as image
    from envelopes
    {%- if is_shared %}
    {# several tables share the topic: only the source block tells them apart, and a tombstone has none #}
    where {{ '_ignored is not null or ' if ignored }}{{ debezium_spark.is_read_for_table(config, table, origins, recorded.shared) }}
    {%- endif %}

),
{%- if former_keys %}

former_identities as (

    select
        *,
        {{ debezium_spark.former_key('key_members', former_keys) }} as _former_key,
        {{ debezium_spark.key_within(['key_members', 'image'], key) }} as _key_in_force
    from images

),

identities as (

    select
        * except (key_members),
        case
            when _former_key is null then key_members
            else coalesce(
                _key_in_force,
                last_value(_key_in_force, true) over (
                    {# a record of the key in force is alone #}
                    partition by topic, partition, coalesce(_former_key, cast(offset as string))
                    order by timestamp, offset
                    rows between unbounded preceding and 1 preceding
                ),
                key_members
            )
        end as key_members
    from former_identities

),
{%- endif %}

texts as (

    select
        *,
        {%- for column in columns %}
        {{ debezium_spark.of_this_life(config, column, debezium_spark.column_text(config, column, reads_before)) }} as _text_{{ loop.index }},
        {%- if keeps_before %}
        {{ debezium_spark.of_this_life(config, column, debezium_spark.column_member('before', column)) }} as _before_{{ loop.index }},
        {%- endif %}
        {%- endfor %}
        {{ debezium_spark.key_or_image('key_members', 'image', key) }} as _row_key,
        case
            when op = 'c'
                then from_json({{ debezium_spark.header_value('headers', '__debezium.oldkey') }}, 'map<string,string>')
        end as _old_key
    from {{ 'identities' if former_keys else 'images' }}

),

prepared as (

    select
        *,
        {%- for column in columns %}
        {{ debezium_spark.prepare_known(config, column, '_text_' ~ loop.index, record.sql) }} as _prepared_{{ loop.index }},
        {%- if keeps_before %}
        {{ debezium_spark.prepare(config, column, '_before_' ~ loop.index, record.sql) }} as _prepared_before_{{ loop.index }},
        {%- endif %}
        {%- endfor %}
        {{ debezium_spark.canonical_key(config, '_row_key', key, record.sql, known_members) }} as _cdc_key,
        {{ debezium_spark.lacking_columns(columns, recorded.names) }} as _lacking
    from texts

),

decoded as (

    select
        *,
        {%- for column in columns %}
        {%- set value = debezium_spark.decode_recorded(config, column, '_text_' ~ loop.index, '_prepared_' ~ loop.index, record=record.sql) %}
        {{ debezium_spark.value_or_added_default(config, column, 'image', value, debezium_spark.encoding(config, column).spark_type) }} as _value_{{ loop.index }},
        {%- endfor %}
        {{ debezium_spark.record_error(
            config, key, columns, reads_before, recorded.unwritten, ignored, table, origins, is_shared, table if doubts_keys else none
        ) | indent(8) }} as _record_error
    from prepared

),

typed as (

    select
        {%- for column in columns %}
        _value_{{ loop.index }} as {{ debezium_spark.quoted(column.name) }},
        {%- if debezium_spark.encoding(config, column).get('exact_text') %}
        {%- set text = debezium_spark.decode_recorded_text(config, column, '_text_' ~ loop.index, '_prepared_' ~ loop.index) %}
        {{ debezium_spark.value_or_added_default(config, column, 'image', text, 'string') }} as {{ debezium_spark.quoted(debezium_spark.exact_text_name(column.name)) }},
        {%- endif %}
        {%- endfor %}
        {%- if keeps_before %}
        case
            when op in ('u', 'd') and before is not null
                then named_struct(
                    {%- for column in columns %}
                    {%- set value = debezium_spark.decode_recorded(config, column, '_before_' ~ loop.index, '_prepared_before_' ~ loop.index, record=record.sql) %}
                    {{ debezium_spark.text_literal(column.name) }}, {{ debezium_spark.value_or_added_default(config, column, 'before', value, debezium_spark.encoding(config, column).spark_type) }}
                    {%- if debezium_spark.encoding(config, column).get('exact_text') -%}
                    , {{ debezium_spark.text_literal(debezium_spark.exact_text_name(column.name)) }}
                    , {{ debezium_spark.decode_recorded_text(config, column, '_before_' ~ loop.index, '_prepared_before_' ~ loop.index) }}
                    {%- endif %}
                    {{- ',' if not loop.last }}
                    {%- endfor %}
                )
        end as _cdc_before,
        {%- endif %}
        case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
        _cdc_key,
        {{ position.position }} as _cdc_pos,
        {{ position.stream_position }} as _cdc_stream_pos,
        {{ debezium_spark.identity_of_event(position, 'value_hash') | indent(8) }} as _cdc_identity,
        {{ debezium_spark.delivery_columns() | indent(8) }},
        {{ debezium_spark.canonical_key(
            config, debezium_spark.believed_old_key(config, table, '_old_key') if doubts_keys else '_old_key', key
        ) }} as _cdc_old_key,
        {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
        {{ debezium_spark.unavailable_columns(config, columns) }} as _cdc_unavailable,
        {{ debezium_spark.unmapped_columns(columns) }} as _cdc_unmapped,
        {{ debezium_spark.decoding_errors(config, columns) }} as _cdc_errors
    from decoded
    {# Spark evaluates a filter before the projection it stands on: without the first half, all JSON would be parsed twice #}
    where not (may_be_message and op <=> 'm')

)

select * from typed
{%- endmacro -%}
