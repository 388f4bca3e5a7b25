{#-
    CTEs: one record of every pair of embedded schemas that is new, parsed; after
    `_schema_sightings`.
-#}
{%- macro _schema_samples(config, watermark) -%}
first_sightings as (

    select
        topic,
        key_hash,
        value_hash,
        origin_hash,
        -- two readers that need all columns of a CTE let Spark compute it once
        min(
            named_struct('partition', partition, 'record', first, 'sighting', struct(*))
        ) as seen
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
        first_sightings.seen.record.offset as offset,
        first_sightings.seen.record.timestamp as timestamp,
        first_sightings.seen.record.record_hash as record_hash
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
        unread_schemas.topic,
        unread_schemas.partition,
        unread_schemas.key_hash,
        unread_schemas.value_hash,
        unread_schemas.origin_hash,
        -- the same record can have landed twice
        max(named_struct('key', new_records.key, 'value', new_records.value)) as record
    from new_records
    -- one (topic, partition, offset) can hold two records when a topic was created anew
    inner join unread_schemas
        on
            new_records.topic = unread_schemas.topic
            and new_records.partition = unread_schemas.partition
            and new_records.offset = unread_schemas.offset
            and new_records.timestamp <=> unread_schemas.timestamp
            and xxhash64(new_records.key, new_records.value) = unread_schemas.record_hash
    group by
        unread_schemas.topic,
        unread_schemas.partition,
        unread_schemas.key_hash,
        unread_schemas.value_hash,
        unread_schemas.origin_hash

),

described_samples as (

    select
        * except (record),
        record.key as key,
        record.value as value,
        {{ debezium_spark._embedded_schema('record.key') }} as key_schema,
        {{ debezium_spark._embedded_schema('record.value') }} as value_schema
    from sample_records

),

opened_samples as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        {{ debezium_spark._schema_node('key_schema', 'key') }} as key_schema,
        {{ debezium_spark._schema_node('value_schema', 'value') }} as value_schema,
        case
            when key_schema is null then key
            else get_json_object(key, '$.payload')
        end as key_payload,
        case
            when value_schema is null then value
            else get_json_object(value, '$.payload')
        end as value_payload
    from described_samples

),

{{ debezium_spark._classified_samples(config) }}
{%- endmacro -%}


{#- CTE `classified_samples`: what kind of record each sample is, and the fields that it has. -#}
{%- macro _classified_samples(config) -%}
classified_samples as (

    select
        * except (key_payload),
        case
            when startswith(key_payload, 'Struct{')
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
            {{ debezium_spark.row_names(config,
                "json_object_keys(
                coalesce(
                    get_json_object(value_payload, '$.after'),
                    get_json_object(value_payload, '$.before')
                )
            )") }} as value_fields,
            {{ debezium_spark._record_kind('value_payload') | indent(4) }} as kind
        from opened_samples
    ) as read_samples

)
{%- endmacro -%}
