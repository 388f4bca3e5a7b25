{#-
    CTEs: one record of every pair of embedded schemas that is new, parsed; after
    `_schema_sightings`.
-#}
{%- macro _schema_samples(watermark) -%}
first_sightings as (

    select
        topic,
        key_hash,
        value_hash,
        origin_hash,
        min(named_struct('partition', partition, 'offset', first_offset)) as seen
    from sightings
    group by topic, key_hash, value_hash, origin_hash

),

unread_schemas as (

    select
        first_sightings.topic,
        first_sightings.key_hash,
        first_sightings.value_hash,
        first_sightings.origin_hash,
        first_sightings.seen.partition as partition,
        first_sightings.seen.offset as offset
    from first_sightings
    {%- if watermark is not none %}
    left anti join {{ this }} as known
        on
            first_sightings.topic = known.topic
            and first_sightings.key_hash = known.key_hash
            and first_sightings.value_hash = known.value_hash
            and first_sightings.origin_hash = known.origin_hash
    {%- endif %}

),

sample_records as (

    select /*+ broadcast(unread_schemas) */
        identified_records.topic,
        identified_records.partition,
        identified_records.key_hash,
        identified_records.value_hash,
        identified_records.origin_hash,
        -- one (topic, partition, offset) can hold two records when a topic was created anew
        min_by(
            named_struct(
                'key', identified_records.key,
                'value', identified_records.value,
                'key_schema', identified_records.key_schema,
                'value_schema', identified_records.value_schema
            ),
            identified_records.timestamp
        ) as record
    from identified_records
    inner join unread_schemas
        on
            identified_records.topic = unread_schemas.topic
            and identified_records.partition = unread_schemas.partition
            and identified_records.offset = unread_schemas.offset
            and identified_records.key_hash = unread_schemas.key_hash
            and identified_records.value_hash = unread_schemas.value_hash
            and identified_records.origin_hash = unread_schemas.origin_hash
    group by
        identified_records.topic,
        identified_records.partition,
        identified_records.key_hash,
        identified_records.value_hash,
        identified_records.origin_hash

),

opened_samples as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        {{ debezium_spark._schema_node('record.key_schema', 'record.key') }} as key_schema,
        {{ debezium_spark._schema_node('record.value_schema', 'record.value') }} as value_schema,
        case
            when record.key_schema is null then record.key
            else get_json_object(record.key, '$.payload')
        end as key_payload,
        case
            when record.value_schema is null then record.value
            else get_json_object(record.value, '$.payload')
        end as value_payload
    from sample_records

),

{{ debezium_spark._classified_samples() }}
{%- endmacro -%}


{#- CTE `classified_samples`: what kind of record each sample is, and the fields that it has. -#}
{%- macro _classified_samples() -%}
classified_samples as (

    select
        * except (key_payload),
        case
            when {{ debezium_spark.is_struct_text('key_payload') }}
                then {{ debezium_spark.struct_text_names('key_payload', 'value_fields') }}
            else json_object_keys(key_payload)
        end as key_fields
    from (
        select
            topic,
            partition,
            key_hash,
            value_hash,
            origin_hash,
            key_schema,
            value_schema,
            key_payload,
            value_payload,
            get_json_object(value_payload, '$.source') as source_block,
            json_object_keys(
                coalesce(
                    get_json_object(value_payload, '$.after'),
                    get_json_object(value_payload, '$.before')
                )
            ) as value_fields,
            {{ debezium_spark._record_kind('value_payload') | indent(4) }} as kind
        from opened_samples
    ) as read_samples

)
{%- endmacro -%}
