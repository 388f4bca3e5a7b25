{#-
    What the records of a source say about their own layout, one row per batch, topic, partition and
    pair of embedded schemas.

    A record repeats its schema, so the text is taken by string functions (the JSON converter
    writes `{"schema":…,"payload":…}` without blanks, schema first) and only its hash is grouped;
    one record of every pair not met before is parsed. Other layouts of the same object are parsed
    record by record. Texts are stored once; later batches only add where they were seen: which layout is
    the current one is a question of the highest position in the source's log, not of arrival, because
    connectors repeat themselves. Of the records of a pair two are remembered, the one with the highest
    position and the last one: in a later epoch the highest may be the lower of the two.

    Read: the records landed since the last run, and of those a second time only when a pair is new.
    Written: no row value, only schemas, the source block of one record and the names of its fields.
    The schema-change topic is the exception: its records are definitions and are kept whole.

    Whose records they are, the source block says, and it alone: `origin`, which is part of a pair. Tables, tenants and databases that a
    transform routes into one topic are told apart by it, with and without embedded schemas.

    An event of an op that no connector sends shows nothing: staging quarantines it, so its layout and its position are not believed
    either. All such records of a topic are one row, of kind `unknown_op`.
-#}
{%- macro catalog_schemas(source, raw) -%}
    {%- if debezium_spark.is_linted() -%}{{- return(debezium_spark.typed_skeleton(raw)) -}}{%- endif -%}
    {{- return(adapter.dispatch('catalog_schemas', 'debezium_spark')(source, raw)) -}}
{%- endmacro -%}


{%- macro default__catalog_schemas(source, raw) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set has_positions = debezium_spark.position_source_fields(config['connector']) | length > 0 -%}
    {%- set reading = debezium_spark._short_hash({'version': 3, 'ignored': debezium_spark.ignored_records(config)}) -%}
    {%- set inputs = debezium_spark.raw_inputs(raw) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}{{- return(debezium_spark.nothing_to_do()) -}}{%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark.decide({'properties': {debezium_spark._reading_property(): reading}}) -%}
    {%- set held = none if should_full_refresh() else debezium_spark.batch_watermark(this) -%}
    {%- if held is not none and debezium_spark.is_running()
        and debezium_spark._property(debezium_spark._table(this), debezium_spark._reading_property()) != reading -%}
        {%- do log(this.identifier ~ ': built anew from the raw records, which it reads otherwise now', info=true) -%}
        {%- do debezium_spark.decide({'built_anew': true}) -%}
        {%- set held = none -%}
    {%- endif -%}
    {%- set landed = debezium_spark.batch_watermark(raw) if held is not none else none -%}
    {%- if held is not none and landed is not none and landed <= held -%}{%- do debezium_spark.decide({'nothing_new': true}) -%}{%- endif -%}
with

new_records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        key,
        value,
        _cdc_batch_id
    from {{ raw }}
    where
        -- a tombstone (null, '' or 'null', by the tool that landed it) says nothing about columns
        octet_length(value) > 4
        and value not like '{"schema":null,"payload":null}%'
        {%- if held is not none %}
        and _cdc_batch_id > {{ held }}
        {%- endif %}
        {%- if debezium_spark.ignored_records(config) %}
        and not ({{ debezium_spark.is_ignored(config) }})
        {%- endif %}

),

cut_records as (

    select
        *,
        substring_index(value, ',"payload":', 1) as value_prefix,
        substring_index(key, ',"payload":', 1) as key_prefix
    from new_records

),

described_records as (

    select
        *,
        {{ debezium_spark._embedded_schema('value') }} as value_schema,
        {{ debezium_spark._embedded_schema('key') }} as key_schema,
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

),

hashed_records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        key,
        value,
        key_schema,
        value_schema,
        _cdc_batch_id,
        case
            when key_schema is not null then xxhash64(key_schema)
            -- without a schema the one record read shows the key's fields; a truncate has none
            when octet_length(key) > 4 or (octet_length(key) > 0 and key <> 'null') then 1
            else 0
        end as key_hash,
        {{ "op = 'd' and " ~ debezium_spark.is_doubtful_key('key') if config['connector'] == 'postgresql' else 'false' }} as is_doubtful_key,
        {{ debezium_spark.layout_position(config['connector']) }} as position,
        {{ "coalesce(source.snapshot, 'false') not in ('false', 'incremental')" if has_positions else 'false' }} as is_snapshot,
        if(op in ({{ debezium_spark._known_ops() }}), {{ debezium_spark._origin_struct(config) }}, null) as origin,
        case
            -- every definition counts, and there are few of them
            when
                topic = {{ debezium_spark.text_literal(config['topic_prefix']) }}
                or instr(value, '"tableChanges":[') > 0
                then xxhash64(value)
            when op not in ({{ debezium_spark._known_ops() }}) then 2
            when value_schema is not null then xxhash64(value_schema)
            -- without a schema one record per topic shows whose it is; a change event must not
            -- hide behind a record of another kind
            when instr(value, '"op"') > 0 then 1
            else 0
        end as value_hash
    from located_records

),

told_records as (

    select
        *,
        xxhash64(
            coalesce(origin.name, ''), coalesce(origin.db, ''), coalesce(origin.schema, ''), coalesce(origin.table, '')
        ) as origin_hash
    from hashed_records

),

sightings as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        max(origin) as origin,
        is_snapshot,
        min(offset) as first_offset,
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
    from told_records
    -- the reads of one snapshot share their position
    group by
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        is_snapshot,
        if(is_snapshot, position, null)

),

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
    {%- if held is not none %}
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
        told_records.topic,
        told_records.partition,
        told_records.key_hash,
        told_records.value_hash,
        told_records.origin_hash,
        -- one (topic, partition, offset) can hold two records when a topic was created anew
        min_by(
            named_struct(
                'key', told_records.key,
                'value', told_records.value,
                'key_schema', told_records.key_schema,
                'value_schema', told_records.value_schema
            ),
            told_records.timestamp
        ) as record
    from told_records
    inner join unread_schemas
        on
            told_records.topic = unread_schemas.topic
            and told_records.partition = unread_schemas.partition
            and told_records.offset = unread_schemas.offset
            and told_records.key_hash = unread_schemas.key_hash
            and told_records.value_hash = unread_schemas.value_hash
            and told_records.origin_hash = unread_schemas.origin_hash
    group by
        told_records.topic,
        told_records.partition,
        told_records.key_hash,
        told_records.value_hash,
        told_records.origin_hash

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

select
    sightings.topic,
    sightings.partition,
    sightings.key_hash,
    sightings.value_hash,
    sightings.origin_hash,
    sightings.origin,
    sightings.first_offset,
    sightings.last.offset as last_offset,
    sightings.first_timestamp,
    sightings.last.timestamp as last_timestamp,
    sightings.is_snapshot,
    sightings.lowest_position,
    sightings.highest.position as highest_position,
    sightings.highest.timestamp as highest_timestamp,
    sightings.highest.offset as highest_offset,
    sightings.last.position as last_position,
    classified_samples.kind,
    classified_samples.key_schema,
    classified_samples.value_schema,
    classified_samples.key_fields,
    classified_samples.value_fields,
    classified_samples.source_block,
    case
        when classified_samples.kind = 'schema_change' then classified_samples.value_payload
    end as definition,
    sightings.has_doubtful_key,
    sightings._cdc_batch_id
from sightings
left join classified_samples
    on
        sightings.topic = classified_samples.topic
        and sightings.partition = classified_samples.partition
        and sightings.key_hash = classified_samples.key_hash
        and sightings.value_hash = classified_samples.value_hash
        and sightings.origin_hash = classified_samples.origin_hash
{%- endmacro -%}


{#-
    The op of an event, and the members of its source block that say where it stands in the source's log.

    Only the end is parsed, from the name of that block on: inside a text of the record the quotes of the name
    would be escaped, and of several objects of the name the envelope's is the last. A value that something
    else wrote, with blanks, is parsed as a whole.
-#}
{%- macro _end_of_event(value, config) -%}
from_json(
            case
                when instr({{ value }}, '"source":{') > 0
                    then concat('{"source":{', substring_index({{ value }}, '"source":{', -1))
                else coalesce(get_json_object({{ value }}, '$.payload'), {{ value }})
            end,
            'source struct<{{ (['snapshot'] + debezium_spark.position_source_fields(config['connector']) + debezium_spark.origin_members(config)) | join(': string, ') }}: string>, op string'
        )
{%- endmacro -%}


{#- The ops of events that say something of a table's rows. -#}
{%- macro _known_ops() -%}
'c', 'r', 'u', 'd', 't'
{%- endmacro -%}


{#-
    The text of the embedded schema of one side of a record, null when it carries none. `prefix` is the text up to the payload, by
    default the column `<side>_prefix`.
-#}
{%- macro _embedded_schema(side, prefix=none) -%}
    {%- set prefix = prefix or side ~ '_prefix' -%}
case
            when
                startswith({{ side }}, '{"schema":{')
                and octet_length({{ prefix }}) < octet_length({{ side }})
                then {{ prefix }}
            -- same object, written by something else: blanks, or payload first
            when {{ side }} rlike '^\\s*\\{\\s*"(schema|payload)"\\s*:'
                and get_json_object({{ side }}, '$.schema.type') is not null
                then get_json_object({{ side }}, '$.schema')
        end
{%- endmacro -%}


{#- SQL: the hash of the schema that a record carries, as the catalog has it. -#}
{%- macro embedded_schema_hash(side) -%}
    {%- set prefix = 'substring_index(' ~ side ~ ", ',\"payload\":', 1)" -%}
    {{- return('xxhash64(' ~ debezium_spark._embedded_schema(side, prefix) ~ ')') -}}
{%- endmacro -%}


{#-
    The schema as one JSON object. The prefix is cut short when the schema itself has a member called
    `payload` (a parameter, a default): then the whole record is parsed.
-#}
{%- macro _schema_node(schema, record) -%}
case
            when {{ schema }} is null then cast(null as string)
            else coalesce(
                get_json_object(concat({{ schema }}, '}'), '$.schema'),
                get_json_object({{ record }}, '$.schema')
            )
        end
{%- endmacro -%}


{#- What kind of record a payload is, by its members: topic names can be configured away. -#}
{%- macro _record_kind(payload) -%}
case
            when get_json_object({{ payload }}, '$.op') = 'm' then 'message'
            when get_json_object({{ payload }}, '$.op') not in ({{ debezium_spark._known_ops() }}) then 'unknown_op'
            when
                get_json_object({{ payload }}, '$.op') is not null
                and get_json_object({{ payload }}, '$.source') is not null
                then 'data'
            -- the connector's private history has the same changes, with a position
            when
                get_json_object({{ payload }}, '$.position') is not null
                and get_json_object({{ payload }}, '$.source') is not null
                then 'schema_history'
            when
                get_json_object({{ payload }}, '$.source') is not null
                and (
                    get_json_object({{ payload }}, '$.tableChanges') is not null
                    or array_contains(json_object_keys({{ payload }}), 'ddl')
                )
                then 'schema_change'
            when get_json_object({{ payload }}, '$.aggregate_type') is not null then 'notification'
            when
                get_json_object({{ payload }}, '$.status') is not null
                and get_json_object({{ payload }}, '$.id') is not null
                then 'transaction'
            when json_object_keys({{ payload }}) = array('ts_ms') then 'heartbeat'
            else 'other'
        end
{%- endmacro -%}

