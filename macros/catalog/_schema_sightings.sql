{#- CTEs: where pairs of embedded schemas were seen among the records above the watermark. -#}
{%- macro _schema_sightings(config, raw, watermark) -%}
{{ debezium_spark._located_records(config, raw, watermark) }},

{{ debezium_spark._identified_records(config) }},

sightings as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        max(origin) as origin,
        is_snapshot,
        min(
            named_struct('offset', offset, 'timestamp', timestamp, 'record_hash', record_hash)
        ) as first,
        min(timestamp) as first_timestamp,
        min(position) as lowest_position,
        max(
            named_struct('position', position, 'timestamp', timestamp, 'offset', offset)
        ) as highest,
        max(
            named_struct('timestamp', timestamp, 'offset', offset, 'position', position)
        ) as last,
        coalesce(bool_or(is_doubtful_key), false) as has_doubtful_key,
        max(_cdc_batch_id) as _cdc_batch_id
    from identified_records
    -- the reads of one snapshot share their position
    group by
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        is_snapshot,
        if(is_snapshot, position, null)

)
{%- endmacro -%}


{#- CTEs, `located_records` last: the new records with their schemas, source block and op. -#}
{%- macro _located_records(config, raw, watermark) -%}
{%- set debezium = adapter.debezium() -%}
new_records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        key,
        value,
        _cdc_batch_id
    from {{ debezium_spark.as_envelopes(config, raw) }}
    where
        -- a tombstone (null, '' or 'null', by the tool that landed it) says nothing about columns
        octet_length(value) > 4
        and value not like '{"schema":null,"payload":null}%'
        -- heartbeats describe no table, and every run lands some
        and topic <> {{ debezium_spark.text_literal(debezium.config.heartbeat_topic(config)) }}
        {%- if watermark is not none %}
        and _cdc_batch_id > {{ watermark }}
        {%- endif %}
        {%- if adapter.debezium().staging.ignored_records(config) %}
        and not ({{ adapter.debezium().staging.is_ignored(config) }})
        {%- endif %}

),

cut_records as (

    select
        *,
        {{ debezium_spark._schema_prefix('value') }} as value_prefix,
        {{ debezium_spark._schema_prefix('key') }} as key_prefix
    from new_records

),

described_records as (

    select
        *,
        {{ debezium_spark._embedded_schema('value', 'value_prefix') }} as value_schema,
        {{ debezium_spark._embedded_schema('key', 'key_prefix') }} as key_schema,
        {{ debezium_spark._end_of_event('value', config) }} as end_of_event
    from cut_records

),

located_records as (

    select
        * except (end_of_event),
        end_of_event.source as source,
        {# where something else wrote the members in another order #}
        coalesce(
            end_of_event.op, get_json_object(value, '$.payload.op'), get_json_object(value, '$.op')
        ) as op
    from described_records

)
{%- endmacro -%}


{#- CTEs, `identified_records` last: the records with the hashes by which they are grouped. -#}
{%- macro _identified_records(config) -%}
hashed_records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        xxhash64(key, value) as record_hash,
        _cdc_batch_id,
        case
            when key_schema is not null then xxhash64(key_schema)
            -- without a schema the one record read shows the key's fields; a truncate has none
            when octet_length(key) > 4 or (octet_length(key) > 0 and key <> 'null') then 1
            else 0
        end as key_hash,
        {% if adapter.debezium().config.connector_of(config).before == 'declared' -%}
        op = 'd' and {{ debezium_spark.is_doubtful_key('key') }}
        {%- else -%}
        false
        {%- endif %} as is_doubtful_key,
        {{ debezium_spark.layout_position(config) }} as position,
        {% if not adapter.debezium().config.connector_of(config).has_documents -%}
        coalesce(source.snapshot, 'false') not in ('false', 'incremental')
        {%- else -%}
        false
        {%- endif %} as is_snapshot,
        if(
            op in ({{ debezium_spark._known_ops() }}),
            {{ adapter.debezium().staging.origin_struct(config) }},
            null
        ) as origin,
        case
            -- every definition counts, and there are few of them
            when
                topic = {{ debezium_spark.text_literal(config['topic_prefix']) }}
                or instr(value, '"tableChanges":[') > 0
                then xxhash64(value)
            when op not in ({{ debezium_spark._known_ops() }}) then 2
            when value_schema is not null then xxhash64(value_schema)
            {%- if config.get('flattened') %}
            -- which fields of a position were added can change from record to record
            when source.flattened is not null then xxhash64(source.flattened)
            {%- endif %}
            -- without a schema one record per topic shows whose it is; a change event must not
            -- hide behind a record of another kind
            when instr(value, '"op"') > 0 then 1
            else 0
        end as value_hash
    from located_records

),

identified_records as (

    select
        *,
        xxhash64(
            coalesce(origin.name, ''),
            coalesce(origin.db, ''),
            coalesce(origin.schema, ''),
            coalesce(origin.table, '')
        ) as origin_hash
    from hashed_records

)
{%- endmacro -%}


{#-
    SQL: the op and the source block of an event. Only the end is parsed, from `"source":{` on: in a
    text, these quotes would be escaped, and the envelope's is the last. A value with blanks is
    parsed as a whole.
-#}
{%- macro _end_of_event(value, config) -%}
    {%- set members = ['snapshot']
        + adapter.debezium().config.connector_of(config).log | list
        + adapter.debezium().staging.origin_members(config)
        + (['flattened'] if config.get('flattened') else []) -%}
from_json(
            case
                when instr({{ value }}, '"source":{') > 0
                    then concat('{"source":{', substring_index({{ value }}, '"source":{', -1))
                else coalesce(get_json_object({{ value }}, '$.payload'), {{ value }})
            end,
            'source struct<{{ members | join(': string, ') }}: string>, op string'
        )
{%- endmacro -%}
