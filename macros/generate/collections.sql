{#-
    The collections of a MongoDB source, in the form of `catalog_tables`
    (`generator/recorded_collections.py`). Typed columns are the configured fields, else those of
    1,000 full images at most, chosen by a hash of where they lie: the same records give the same
    models.
-#}
{%- macro collections(config) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set raw = debezium_spark._model_relation('raw_' ~ config['name']) -%}
    {%- set schemas = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__schemas') -%}
    {%- if raw is none or schemas is none -%}
        {{- return({'tables': [], 'messages': [debezium.generate.not_built(config['name'])]}) -}}
    {%- endif -%}
    {%- set collections = debezium_spark._collections_seen(config, schemas) -%}
    {%- set descriptions = [] -%}
    {%- for collection in collections if not collection['problems'] -%}
        {%- set documents = [] -%}
        {%- set settings = (config.get('tables') or {}).get(collection['name']) or {} -%}
        {%- if settings.get('fields') is none -%}
            {%- set query = debezium_spark._sample_query(config, raw, collection) -%}
            {%- for row in run_query(query).rows %}{% do documents.append(row[0]) %}{% endfor -%}
        {%- endif -%}
        {%- do descriptions.append(
            debezium.generate.described_collection(config, collection, documents)
        ) -%}
    {%- endfor -%}
    {{- return(debezium.generate.collection_catalog(
        config,
        collections,
        descriptions,
        debezium.catalog.other_source_messages(
            config['name'], debezium_spark._recorded_schemas(config, schemas)
        )
    )) -}}
{%- endmacro -%}


{%- macro _collections_seen(config, schemas) -%}
    {%- set rows = [] -%}
    {%- for row in run_query(debezium_spark._collections_query(config, schemas)).rows -%}
        {%- do rows.append(
            [row[0], row[1], row[2], row[3]] + ([row[4]] if config.get('flattened') else [])
        ) -%}
    {%- endfor -%}
    {{- return(adapter.debezium().generate.collections_of_rows(
        config, rows
    )) -}}
{%- endmacro -%}


{%- macro _collections_query(config, schemas) -%}
{%- set inclusions = adapter.debezium().staging.included_origins(config) -%}
{%- set columns = {
    'schema_name': 'database_name',
    'table_name': 'collection_name',
    'topic': 'topic',
    'topic_prefix': 'topic_prefix',
} -%}
{%- set prefix = debezium_spark.text_literal(config['topic_prefix']) -%}
select distinct
    {%- for column, name in columns.items() %}
    {{
        adapter.debezium().staging.with_included(config, inclusions, column)
        if inclusions and column != 'topic' else column
    }} as {{ name }}
    {{- ',' if not loop.last or config.get('flattened') }}
    {%- endfor %}
    {{ 'flattened' if config.get('flattened') }}
from (
    select
        topic,
        {%- if config.get('flattened') %}
        get_json_object(source_block, '$.flattened') as flattened,
        {%- endif %}
        coalesce(nullif(get_json_object(source_block, '$.name'), ''), {{ prefix }}) as topic_prefix,
        get_json_object(source_block, '$.db') as database_name,
        get_json_object(source_block, '$.db') as schema_name,
        get_json_object(source_block, '$.collection') as table_name
    from {{ schemas }}
    where
        {{ debezium_spark._kind_in_source(config) }} = 'data'
        and get_json_object(source_block, '$.collection') is not null
) as seen_collections
order by topic_prefix, database_name, collection_name, topic
{%- endmacro -%}


{#- SELECT: texts of full images. Records are chosen before any is parsed. -#}
{%- macro _sample_query(config, raw, collection) -%}
{%- set member = {} -%}
{%- for path in ['after', 'source.name', 'source.db', 'source.collection'] -%}
    {%- do member.update({
        path: "coalesce(get_json_object(value, '$.payload." ~ path
            ~ "'), get_json_object(value, '$." ~ path ~ "'))"
    }) -%}
{%- endfor -%}
select image
from (
    select
        {{ member['after'] }} as image,
        named_struct(
            'name', {{ member['source.name'] }},
            'db', {{ member['source.db'] }},
            'schema', cast(null as string),
            'table', {{ member['source.collection'] }}
        ) as origin
    from (
        select value
        from {{ debezium_spark.as_envelopes(config, raw) }}
        where
            {{ adapter.debezium().staging.topic_condition(collection['topics']) }}
            and not ({{ adapter.debezium().staging.is_ignored(config, collection['topics']) }})
            and value rlike '"after"[ ]*:[ ]*"'
        order by xxhash64(topic, partition, offset), topic, partition, offset
        limit 1000
    ) as sample_records
) as images
where
    image is not null
    and origin.table is not null
    and {{ adapter.debezium().staging.is_of_table(
        config, collection['name'], collection['origins'], 'origin'
    ) }}
{%- endmacro -%}
