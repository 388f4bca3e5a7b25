{#-
    One row per record of a MongoDB collection, append-only. Row images are JSON inside JSON (spec
    §7), and an update may carry a delta only: nothing of a document is decoded here, `state` reads
    the texts. `schemas`, `origins`, `shared_topic`: as in `staging`.
-#}
{%- macro document_staging(
    source, raw, topics, table, shared_topic=false, schemas=none, origins=[]
) -%}
    {{- return(
        adapter.dispatch('document_staging', 'debezium_spark')(
            source, raw, topics, table, shared_topic, schemas, origins
        )
    ) -}}
{%- endmacro -%}


{%- macro default__document_staging(
    source, raw, topics, table, shared_topic=false, schemas=none, origins=[]
) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(raw)) -}}
    {%- endif -%}
    {%- if not debezium_spark.is_running() -%}
        {{- return(
            debezium_spark.document_staging_sql(
                config, raw, topics, table, shared_topic, origins=origins
            )
        ) -}}
    {%- endif -%}
    {%- set models = (
        debezium_spark.modelled_tables(config) if shared_topic and schemas is not none else []
    ) -%}
    {%- set inputs = debezium_spark.raw_inputs(raw, topics) -%}
    {%- if inputs is not none %}{% do inputs.update({'models': models}) %}{% endif -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set fingerprint = adapter.debezium().text.short_hash(dict({
        'version': 5,
        'table': table,
        'topics': topics | sort,
        'shared_topic': models if shared_topic and schemas is not none else shared_topic,
        'origins': origins,
        'signals': config.get('signal_data_collection'),
        'ignored': adapter.debezium().staging.ignored_records(config, topics),
    }, **adapter.debezium().staging.flattened_fingerprint(config))) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set decisions = {'replaces_table': false, 'nothing_new': false, 'properties': {}} -%}
    {%- set next_property = {'fingerprint': fingerprint} -%}
    {%- set watermark = none -%}
    {%- if debezium_spark.loads_incrementally() -%}
        {%- set watermark = debezium_spark.batch_watermark(this) -%}
        {%- set stored_fingerprint = (
            debezium_spark._property(
                debezium_spark._table(this), debezium_spark._fingerprint_property()
            )
            or ''
        ) -%}
        {%- if stored_fingerprint.split(' ')[0] == fingerprint -%}
            {%- do next_property.update({'fingerprint': stored_fingerprint}) -%}
        {%- endif -%}
        {%- if next_property.fingerprint != stored_fingerprint -%}
            {%- do log(
                this.identifier ~ ': built anew from the raw records, which it reads otherwise now',
                info=true
            ) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {%- set watermark = none -%}
        {%- elif not debezium_spark.has_new_records(raw, watermark, topics) -%}
            {%- do decisions.update({'nothing_new': true}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set sharing = {} -%}
    {%- if schemas is not none and not decisions.nothing_new -%}
        {%- set sharing = debezium_spark.shared_topics(config, schemas, topics, table, origins) -%}
        {%- if watermark is not none and debezium_spark.sharing_changed(this, sharing) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {#- so that the state is folded again, too -#}
            {%- do next_property.update({
                'fingerprint': fingerprint ~ ' ' ~ adapter.debezium().text.short_hash(sharing)
            }) -%}
            {%- set watermark = none -%}
        {%- endif -%}
        {%- do decisions.properties.update({
            debezium_spark._sharing_property(): debezium_spark.pack(sharing)
        }) -%}
    {%- endif -%}
    {%- set behind = debezium_spark.decide_horizon(raw, watermark, decisions.properties) -%}
    {%- do decisions.properties.update({
        debezium_spark._fingerprint_property(): next_property.fingerprint
    }) -%}
    {%- do debezium_spark.decide(dict(decisions, watermark=watermark)) -%}
    {{- debezium_spark.document_staging_sql(
        config,
        debezium_spark.landed_records(raw, inputs),
        topics,
        table,
        shared_topic and schemas is none,
        watermark,
        origins,
        sharing,
        behind
    ) -}}
{%- endmacro -%}


{#- SELECT of `document_staging`, without the decision what to read. -#}
{%- macro document_staging_sql(
    config, raw, topics, table, shared_topic=false, watermark=none, origins=[], sharing={},
    behind=none
) -%}
{%- set is_shared = sharing or shared_topic -%}
{%- set ignored_records = adapter.debezium().staging.ignored_records(config, topics) -%}
{%- set position = debezium_spark.event_position(config) -%}
with

{{ debezium_spark.document_envelopes(config, raw, topics, ignored_records, watermark) }},

{{ debezium_spark.document_keys(config, table, origins, ignored_records, sharing, is_shared) }},

checked_records as (

    select
        *,
        {{ debezium_spark.event_times() | indent(8) }},
        {{ debezium_spark.document_record_error(
            config, ignored_records, table, origins, is_shared
        ) }} as _record_error
    from keys

),

typed_rows as (

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
            {# a read is known by the bytes of its value; the time is for file statistics #}
            when op = 'r' then concat(lpad(coalesce(source.ts_ms, ''), 20, '0'), '/r/', value_hash)
            when op in ('c', 'u', 'd')
                then concat(
                    lpad(coalesce(source.wallTime, source.ts_ms, ''), 20, '0'),
                    '/',
                    if(not {{ position.is_told }}, cast(value_hash as string), md5(
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
                    ))
                )
        end as _cdc_identity,
        {{ debezium_spark.delivery_columns() | indent(8) }},
        {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
        {{ debezium_spark.document_errors() }} as _cdc_errors
    from checked_records

)

{{ debezium_spark.behind_horizon(config, 'typed_rows', behind) }}
{%- endmacro -%}


{#-
    CTEs `records` and `envelopes`: the records of a collection, parsed once, in both converter
    forms.
-#}
{%- macro document_envelopes(config, raw, topics, ignored_records, watermark) -%}
{%- set members = [
    'ts_ms',
    'ts_us',
    'after',
    'before',
    'patch',
    '`filter`',
    'updateDescription',
    'source',
    'transaction',
] -%}
records as (

    select
        {{ debezium_spark.record_columns(ignored_records) | indent(8) }}
        from_json(value, '{{ debezium_spark.document_envelope_schema() }}') as message,
        from_json(key, 'map<string,string>') as key_json
    from {{ debezium_spark.readable_records(config, raw, topics) }}
    where
        {{ adapter.debezium().staging.topic_condition(topics) }}
        {%- if watermark is not none and watermark is defined %}
        and _cdc_batch_id > {{ watermark }}
        {%- endif %}

),

envelopes as (

    select
        {{ debezium_spark.kept_record_columns(ignored_records) | indent(8) }}
        {{ debezium_spark.event_op() | indent(8) }} as op,
        {%- for member in members %}
        {{ debezium_spark.envelope_member(member) }} as {{ member }},
        {%- endfor %}
        {{ debezium_spark.key_members('key', 'key_json', [{'name': 'id'}]) }} as key_members
    from records

)
{%- endmacro -%}


{#- CTEs `ids` and `keys`: the events of the collection, with the canonical text of their `_id`. -#}
{%- macro document_keys(config, table, origins, ignored_records, sharing, is_shared) -%}
ids as (

    select
        * except (key_members),
        case
            when size(array_distinct(map_keys(key_members))) = size(key_members)
                then try_element_at(key_members, 'id')
        end as id_text
    from envelopes
    {%- if is_shared %}
    {# only the source block distinguishes collections that share a topic; a tombstone has none #}
    where
        {{ '_ignored is not null or ' if ignored_records }}
        {{- adapter.debezium().staging.is_read_for_table(config, table, origins, sharing) }}
    {%- if sharing %}
        {# a collection without models shows in the quarantine of the others as well #}
        or not is_tombstone and not coalesce({{ debezium_spark.is_modelled(config) }}, false)
    {%- endif %}
    {%- endif %}

),

keys as (

    select
        *,
        case
            when not has_key
                {# landed without its key: the `_id` in the event's document #}
                then to_json(try_variant_get(try_parse_json(coalesce(after, `filter`, before)),
                    '$._id', 'variant'))
            when id_text rlike '^-?[0-9]+$' or try_parse_json(id_text) is not null
                then {{ debezium_spark.canonical_id('id_text') }}
        end as _cdc_key,
        from_json(patch, 'map<string,string>') as patch_members
    from ids

)
{%- endmacro -%}


{#- One `from_json` reads both converter forms; images and deltas stay texts. -#}
{%- macro document_envelope_schema() -%}
    {%- set source = [
        'name',
        'db',
        'collection',
        'version',
        'connector',
        'snapshot',
        'ts_ms',
        'ts_us',
        'ord',
        'tord',
        'lsid',
        'txnNumber',
        'wallTime',
        'flattened',
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


{#- SQL: why a record is no event of the collection, NULL for an event. -#}
{%- macro document_record_error(
    config, ignored_records=[], table=none, origins=[], is_shared=false
) -%}
case
    {%- if ignored_records %}
    when _ignored is not null then concat('record: ignored: ', _ignored)
    {%- endif %}
    when not is_tombstone and op is null then 'record: not a Debezium change event'
    when op not in ('c', 'u', 'd', 'r') then concat('record: unknown op ', left(op, 100))
    {%- if config.get('signal_data_collection') %}
    when {{ adapter.debezium().staging.routed_table(config) }}
        = {{ debezium_spark.text_literal(config.signal_data_collection) }}
        then 'record: row of the signal table'
    {%- endif %}
    {{ debezium_spark.origin_errors(config, table, origins, is_shared) }}
    {{ debezium_spark.flattened_errors(config) }}
    {{ debezium_spark.key_errors(config, 'id') }}
end
{%- endmacro -%}


{#-
    SQL: what is wrong with a record. An event with an unreadable image stays an event: its document
    is incomplete from there on, which must be known.
-#}
{%- macro document_errors() -%}
{%- set operators = "filter(map_keys(patch_members), member -> startswith(member, '$'))" -%}
{%- set is_unknown_form -%}
(size({{ operators }}) > 0
                and (size(map_keys(patch_members)) > size({{ operators }})
                    or size(array_except({{ operators }}, array('$v', '$set', '$unset'))) > 0
                    or coalesce(regexp_extract(patch_members['$v'], '[0-9]+', 0), '1') != '1'))
{%- endset -%}
{%- set updated_fields = "get_json_object(updateDescription, '$.updatedFields')" -%}
nullif(array_compact(array(
        _record_error,
        {%- for condition, text in debezium_spark.unreadable_members() %}
        case when _record_error is null and {{ condition }} then {{ text }} end,
        {%- endfor %}
        {%- for image in ['after', 'before'] %}
        case
            when {{ image }} is not null and from_json({{ image }}, 'map<string,string>') is null
                then concat('{{ image }}: no JSON document: ', left({{ image }}, 100))
        end,
        {%- endfor %}
        case
            when patch is not null and patch_members is null
                then concat('patch: no JSON document: ', left(patch, 100))
            when {{ is_unknown_form }}
                then concat('patch: changes in a form that this version does not know: ',
                    left(patch, 100))
        end,
        case
            when {{ updated_fields }} is not null
                and from_json({{ updated_fields }}, 'map<string,string>') is null
                or updateDescription is not null
                and from_json(updateDescription, 'map<string,string>') is null
                or get_json_object(updateDescription, '$.removedFields') not like '[%'
                or get_json_object(updateDescription, '$.truncatedArrays') not like '[%'
                then concat('updateDescription: no JSON document: ', left(updateDescription, 100))
        end,
        case
            when op in ('c', 'r') and after is null
                then concat('after: op ', op, ' without a document')
            when op = 'u' and coalesce(after, patch, updateDescription) is null
                then 'after: op u without a document or a change'
        end
    )), array())
{%- endmacro -%}
