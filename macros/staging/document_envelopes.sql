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
        {%- if ignored_records %}
        _ignored,
        {%- endif %}
        has_key,
        _record_key,
        value_hash,
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
        {{- debezium_spark.is_read_for_table(config, table, origins, sharing) }}
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
