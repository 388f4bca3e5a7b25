{#-
    The collections of a MongoDB source as its records name them, ready to be written as models; see `catalog_tables` for the form.

    Documents have no layout. Typed columns are the fields that the configuration names, else those of a sample: full images of at most
    1,000 records, chosen by a hash of where they lie, so that the same records give the same models.
-#}
{%- macro collections(config) -%}
    {%- set messages = [] -%}
    {%- set raw = debezium_spark._model_relation('raw_' ~ config['name']) -%}
    {%- set schemas = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__schemas') -%}
    {%- if raw is none or schemas is none -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': none,
            'message': "source '" ~ config['name'] ~ "': the catalog is not built yet. Run `debezium-spark generate`.",
        }) -%}
        {{- return({'tables': [], 'messages': messages}) -}}
    {%- endif -%}
    {%- set found = {} -%}
    {%- for row in run_query(debezium_spark._collections_query(config, schemas)).rows -%}
        {%- set name = row[0] ~ '.' ~ row[1] -%}
        {%- set identity = tojson([row[3], name]) -%}
        {%- if name != config.get('signal_data_collection') -%}
            {%- if identity not in found -%}
                {%- do found.update({
                    identity: {'topic_prefix': row[3], 'full_name': ['', row[0], row[1]], 'rows': [], 'topics': []},
                }) -%}
            {%- endif -%}
            {%- if row[2] not in found[identity]['topics'] %}{% do found[identity]['topics'].append(row[2]) %}{% endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set collections = found.values() | list -%}
    {%- do debezium_spark._name_tables(config, collections) -%}
    {%- for collection in collections -%}
        {%- do collection.update({'origins': debezium_spark._origins_of(config, collection)}) -%}
    {%- endfor -%}
    {%- set usable = [] -%}
    {%- for collection in collections -%}
        {%- set problems = adapter.debezium_table_problems(config['name'], collection) -%}
        {%- for problem in problems -%}
            {%- do messages.append({
                'kind': 'problem', 'source': config['name'], 'table': collection['name'], 'message': problem,
            }) -%}
        {%- endfor -%}
        {%- if not problems %}{% do usable.append(collection) %}{% endif -%}
    {%- endfor -%}
    {%- do debezium_spark._mark_shared_topics(usable) -%}
    {%- set tables = [] -%}
    {%- for collection in usable -%}
        {%- do tables.append(debezium_spark._described_collection(config, raw, collection)) -%}
    {%- endfor -%}
    {%- do messages.extend(debezium_spark._other_source_messages(config, schemas)) -%}
    {%- if not found -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': none,
            'message': "source '" ~ config['name'] ~ "': no collection seen yet in the records landed so far.",
        }) -%}
    {%- endif -%}
    {{- return({'tables': tables | sort(attribute='name'), 'messages': messages}) -}}
{%- endmacro -%}


{%- macro _collections_query(config, schemas) -%}
{%- set included = debezium_spark.included_origins(config) -%}
select distinct
    {{ debezium_spark._with_included(config, included, 'schema_name') if included else 'schema_name' }} as database_name,
    {{ debezium_spark._with_included(config, included, 'table_name') if included else 'table_name' }} as collection_name,
    topic,
    {{ debezium_spark._with_included(config, included, 'topic_prefix') if included else 'topic_prefix' }} as topic_prefix
from (
    select
        topic,
        coalesce(
            nullif(get_json_object(source_block, '$.name'), ''), {{ debezium_spark.text_literal(config['topic_prefix']) }}
        ) as topic_prefix,
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


{%- macro _described_collection(config, raw, collection) -%}
    {%- set name = collection['name'] -%}
    {%- set configured = ((config.get('tables') or {}).get(name) or {}).get('fields') -%}
    {%- set fields = [] -%}
    {%- if configured is not none -%}
        {%- for path, field in configured.items() -%}
            {%- do fields.append({'name': field['name'], 'path': path, 'type': field['type']}) -%}
        {%- endfor -%}
    {%- else -%}
        {%- set texts = [] -%}
        {%- for row in run_query(debezium_spark._sample_query(config, raw, collection)).rows %}{% do texts.append(row[0]) %}{% endfor -%}
        {%- set fields = adapter.debezium_sampled_fields(texts) -%}
    {%- endif -%}
    {%- set decoded = [
        {'name': '_id', 'data_type': 'string', 'of': none}, {'name': 'document', 'data_type': 'string', 'of': none},
    ] -%}
    {%- set described = {
        '_id': {'about': "Identity of the document, as canonical Extended JSON text."},
        'document': {'about': 'The whole document as canonical JSON text: members sorted, numbers plain, dates as ISO text.'},
    } -%}
    {%- for field in fields -%}
        {%- do decoded.append({
            'name': field['name'], 'data_type': 'string' if field['type'] == 'json' else field['type'], 'of': none,
        }) -%}
        {%- do described.update({field['name']: {
            'about': 'Field `' ~ adapter.debezium_plain_words(field['path']) ~ '` of the document'
                ~ (' as JSON text' if field['type'] == 'json' else '')
                ~ '; NULL where it has none.',
        }}) -%}
    {%- endfor -%}
    {{- return({
        'source': config['name'],
        'name': name,
        'model': collection['model'],
        'topics': collection['topics'],
        'is_shared_topic': collection.get('is_shared_topic', false),
        'origins': collection['origins'],
        'is_collection': true,
        'evidence': 'configuration' if configured is not none else 'sample',
        'key': [{'name': '_id'}],
        'fields': fields,
        'decoded': decoded,
        'described': described,
    }) -}}
{%- endmacro -%}


{#- SELECT: texts of full images. Records are chosen before any is parsed. -#}
{%- macro _sample_query(config, raw, collection) -%}
{%- set member = "coalesce(get_json_object(value, '$.payload.%'), get_json_object(value, '$.%'))" -%}
select image
from (
    select
        {{ member | replace('%', 'after') }} as image,
        named_struct(
            'name', {{ member | replace('%', 'source.name') }},
            'db', {{ member | replace('%', 'source.db') }},
            'schema', cast(null as string),
            'table', {{ member | replace('%', 'source.collection') }}
        ) as origin
    from (
        select value
        from {{ raw }}
        where {{ debezium_spark.topic_condition(collection['topics']) }} and not ({{ debezium_spark.is_ignored(config, collection['topics']) }}) and value rlike '"after"[ ]*:[ ]*"'
        order by xxhash64(topic, partition, offset), topic, partition, offset
        limit 1000
    ) as chosen
) as images
where
    image is not null
    and origin.table is not null
    and {{ debezium_spark.is_of_table(config, collection['name'], collection['origins'], 'origin') }}
{%- endmacro -%}
