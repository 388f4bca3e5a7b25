{#-
    One row per event record of a MongoDB collection: append-only, images and deltas as the texts that the connector sent.

    Like `staging`, for records whose row images are JSON inside JSON (spec §7): nothing of a document is decoded here, because an update
    may hold a delta only. `state` reads the texts, in whichever dialect. Every record of the topics becomes one row; one that cannot
    be read says why in `_cdc_errors`. `schemas`, `origins`, `shared_topic`: as in `staging`.
-#}
{%- macro document_staging(source, raw, topics, table, shared_topic=false, schemas=none, origins=[]) -%}
    {{- return(adapter.dispatch('document_staging', 'debezium_spark')(source, raw, topics, table, shared_topic, schemas, origins)) -}}
{%- endmacro -%}


{%- macro default__document_staging(source, raw, topics, table, shared_topic=false, schemas=none, origins=[]) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}{{- return(debezium_spark.typed_skeleton(raw)) -}}{%- endif -%}
    {%- if not debezium_spark.is_running() -%}
        {{- return(debezium_spark.document_staging_sql(config, raw, topics, table, shared_topic, origins=origins)) -}}
    {%- endif -%}
    {%- set models = debezium_spark.modelled_tables(config) if shared_topic and schemas is not none else [] -%}
    {%- set inputs = debezium_spark.raw_inputs(raw, topics) -%}
    {%- if inputs is not none %}{% do inputs.update({'models': models}) %}{% endif -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}{{- return(debezium_spark.said_up_to_date()) -}}{%- endif -%}
    {%- set reading = debezium_spark._short_hash({
        'version': 4,
        'table': table,
        'topics': topics | sort,
        'shared_topic': models if shared_topic and schemas is not none else shared_topic,
        'origins': origins,
        'signals': config.get('signal_data_collection'),
        'ignored': debezium_spark.ignored_records(config, topics),
    }) -%}
    {%- set said = debezium_spark.said_inputs(inputs, config) -%}
    {%- set read = {'by': reading} -%}
    {%- set watermark = none -%}
    {%- if debezium_spark.loads_incrementally() -%}
        {%- set watermark = debezium_spark.batch_watermark(this) -%}
        {%- set held = debezium_spark._property(debezium_spark._table(this), debezium_spark._reading_property()) or '' -%}
        {%- if held.split(' ')[0] == reading %}{% do read.update({'by': held}) %}{% endif -%}
        {%- if read.by != held -%}
            {%- do log(this.identifier ~ ': built anew from the raw records, which it reads otherwise now', info=true) -%}
            {%- do said.append('built anew') -%}
            {%- set watermark = none -%}
        {%- elif not debezium_spark.has_new_records(raw, watermark, topics) -%}
            {%- do said.append('no new records') -%}
        {%- endif -%}
    {%- endif -%}
    {%- set shared = {} -%}
    {%- if schemas is not none and 'no new records' not in said -%}
        {%- set shared = debezium_spark.shared_topics(config, schemas, topics, table, origins) -%}
        {%- if watermark is not none and debezium_spark.shares_otherwise(this, shared) -%}
            {%- do said.append('built anew') -%}
            {#- so that the state is folded anew, too -#}
            {%- do read.update({'by': reading ~ ' ' ~ debezium_spark._short_hash(shared)}) -%}
            {%- set watermark = none -%}
        {%- endif -%}
        {%- do said.append('property ' ~ debezium_spark._sharing_property() ~ ' = ' ~ debezium_spark.packed(shared)) -%}
    {%- endif -%}
    {%- do said.append('property ' ~ debezium_spark._reading_property() ~ ' = ' ~ read.by) -%}
    {{- debezium_spark.told(said) -}}
    {{- debezium_spark.document_staging_sql(
        config, raw, topics, table, shared_topic and schemas is none, watermark, origins, shared
    ) -}}
{%- endmacro -%}


{#- SELECT of `document_staging`, without the decision what to read. -#}
{%- macro document_staging_sql(config, raw, topics, table, shared_topic=false, watermark=none, origins=[], shared={}) -%}
{%- set is_shared = shared or shared_topic -%}
{%- set ignored = debezium_spark.ignored_records(config, topics) -%}
{%- set position = debezium_spark.event_position(config) -%}
{%- set members = [
    'op', 'ts_ms', 'ts_us', 'after', 'before', 'patch', '`filter`', 'updateDescription', 'source', 'transaction',
] -%}
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
        key as _record_key,
        xxhash64(value) as value_hash,
        from_json(value, '{{ debezium_spark.document_envelope_schema() }}') as message,
        from_json(key, 'map<string,string>') as key_json
    from {{ debezium_spark.kept_records(config, raw, topics) }}
    where
        {{ debezium_spark.topic_condition(topics) }}
        {%- if watermark is not none and watermark is defined %}
        and _cdc_batch_id > {{ watermark }}
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
        _record_key,
        value_hash,
        {%- for member in members %}
        case
            when message.op is not null then message.{{ member }} else message.payload.{{ member }}
        end as {{ member }},
        {%- endfor %}
        {{ debezium_spark.key_members('key', 'key_json', [{'name': 'id'}]) }} as key_members
    from records

),

ids as (

    select
        * except (key_members),
        case
            when size(array_distinct(map_keys(key_members))) = size(key_members)
                then try_element_at(key_members, 'id')
        end as id_text
    from envelopes
    {%- if is_shared %}
    {# several collections share the topic: only the source block tells them apart, and a tombstone has none #}
    where {{ '_ignored is not null or ' if ignored }}{{ debezium_spark.is_read_for_table(config, table, origins, shared) }}
    {%- if shared %}
        {# drift knows no collections: one without models is told by the quarantine of those that have some #}
        or not is_tombstone and not coalesce({{ debezium_spark.is_modelled(config) }}, false)
    {%- endif %}
    {%- endif %}

),

keys as (

    select
        *,
        case
            when not has_key
                {# landed without its key: what the event says of its document #}
                then to_json(try_variant_get(try_parse_json(coalesce(after, `filter`, before)), '$._id', 'variant'))
            when id_text rlike '^-?[0-9]+$' or try_parse_json(id_text) is not null
                then {{ debezium_spark.canonical_id('id_text') }}
        end as _cdc_key,
        from_json(patch, 'map<string,string>') as patch_members
    from ids

),

judged as (

    select
        *,
        {{ debezium_spark.document_record_error(config, ignored, table, origins, is_shared) }} as _record_error
    from keys

)

select
    after,
    before,
    patch,
    `filter`,
    updateDescription as update_description,
    case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
    _cdc_key,
    {{ position.position }} as _cdc_pos,
    case
        {# a read is known by the bytes of its value; the time in front is for file statistics #}
        when op = 'r' then concat(lpad(coalesce(source.ts_ms, ''), 20, '0'), '/r/', value_hash)
        when op in ('c', 'u', 'd')
            then concat(
                lpad(coalesce(source.wallTime, source.ts_ms, ''), 20, '0'),
                '/',
                md5(
                    to_json(
                        struct(
                            source.ord,
                            source.tord,
                            source.lsid,
                            source.txnNumber,
                            transaction.total_order,
                            op,
                            {# of what it changes, not of an image looked up later #}
                            updateDescription,
                            case when updateDescription is null then after end as document,
                            patch
                        )
                    )
                )
            )
    end as _cdc_identity,
    {{ debezium_spark.delivery_columns() | indent(4) }},
    {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
    {{ debezium_spark.document_errors() }} as _cdc_errors
from judged
{%- endmacro -%}


{#-
    Schema that reads the value of a MongoDB event with one `from_json`, with the schema block and without. Images and deltas are texts: a
    JSON string as what it holds, an object as its JSON text.
-#}
{%- macro document_envelope_schema() -%}
    {%- set source = [
        'name', 'db', 'collection', 'version', 'snapshot', 'ts_ms', 'ts_us', 'ord', 'tord', 'lsid', 'txnNumber', 'wallTime',
    ] -%}
    {%- set envelope = [
        'op:string',
        'ts_ms:string',
        'ts_us:string',
        'after:string',
        'before:string',
        'patch:string',
        'filter:string',
        'updateDescription:string',
        'source:struct<' ~ source | join(':string,') ~ ':string>',
        'transaction:struct<id:string,total_order:string,data_collection_order:string>',
    ] | join(',') -%}
    {{- return('struct<payload:struct<' ~ envelope ~ '>,' ~ envelope ~ '>') -}}
{%- endmacro -%}


{#- SQL: why a record is no event of the collection, NULL when it is one. -#}
{%- macro document_record_error(config, ignored=[], table=none, origins=[], is_shared=false) -%}
    {%- set cases = ["when _ignored is not null then concat('record: ignored: ', _ignored)"] if ignored else [] -%}
    {%- do cases.extend([
        "when not is_tombstone and op is null then 'record: not a Debezium change event'",
        "when op not in ('c', 'u', 'd', 'r') then concat('record: unknown op ', left(op, 100))",
    ]) -%}
    {%- if config.get('signal_data_collection') -%}
        {%- do cases.append(
            'when ' ~ debezium_spark.routed_table(config) ~ ' = ' ~ debezium_spark.text_literal(config.signal_data_collection)
            ~ " then 'record: row of the signal table'"
        ) -%}
    {%- endif -%}
    {%- do cases.extend(debezium_spark.origin_errors(config, table, origins, is_shared)) -%}
    {%- do cases.extend(debezium_spark.unread_times() + debezium_spark.key_errors('id')) -%}
    {{- return('case ' ~ cases | join(' ') ~ ' end') -}}
{%- endmacro -%}


{#-
    SQL: what is wrong with a record, NULL when nothing is. An event whose image or change cannot be read stays one: its document is
    incomplete from there on, which must be known.
-#}
{%- macro document_errors() -%}
    {%- set operators = "filter(map_keys(patch_members), member -> startswith(member, '$'))" -%}
    {%- set unknown = (
        "(size(" ~ operators ~ ") > 0 and (size(map_keys(patch_members)) > size(" ~ operators ~ ") or size(array_except(" ~ operators
        ~ ", array('$v', '$set', '$unset'))) > 0 or coalesce(regexp_extract(patch_members['$v'], '[0-9]+', 0), '1') != '1'))"
    ) -%}
    {%- set updated = "get_json_object(updateDescription, '$.updatedFields')" -%}
    {%- set findings = ['_record_error'] -%}
    {%- for image in ['after', 'before'] -%}
        {%- do findings.append(
            "case when " ~ image ~ " is not null and from_json(" ~ image ~ ", 'map<string,string>') is null then concat('"
            ~ image ~ ": no JSON document: ', left(" ~ image ~ ', 100)) end'
        ) -%}
    {%- endfor -%}
    {%- do findings.extend([
        "case when patch is not null and patch_members is null then concat('patch: no JSON document: ', left(patch, 100)) when " ~ unknown
            ~ " then concat('patch: changes in a form that this version does not know: ', left(patch, 100)) end",
        "case when " ~ updated ~ " is not null and from_json(" ~ updated ~ ", 'map<string,string>') is null or updateDescription is not null and "
            ~ "from_json(updateDescription, 'map<string,string>') is null or get_json_object(updateDescription, '$.removedFields') not like '[%' "
            ~ "or get_json_object(updateDescription, '$.truncatedArrays') not like '[%' "
            ~ "then concat('updateDescription: no JSON document: ', left(updateDescription, 100)) end",
        "case when op in ('c', 'r') and after is null then concat('after: op ', op, ' without a document') "
            ~ "when op = 'u' and coalesce(after, patch, updateDescription) is null then 'after: op u without a document or a change' end",
    ]) -%}
    {{- return('nullif(array_compact(array(\n        ' ~ findings | join(',\n        ') ~ '\n    )), array())') -}}
{%- endmacro -%}
