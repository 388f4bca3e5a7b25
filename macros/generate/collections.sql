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
        {%- if name != config.get('signal_data_collection') -%}
            {%- if name not in found -%}
                {%- do found.update({name: {'full_name': ['', row[0], row[1]], 'rows': [], 'topics': []}}) -%}
            {%- endif -%}
            {%- do found[name]['topics'].append(row[2]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set collections = found.values() | list -%}
    {%- do debezium_spark._name_tables(config, collections) -%}
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
select distinct
    get_json_object(source_block, '$.db') as database_name,
    get_json_object(source_block, '$.collection') as collection_name,
    topic
from {{ schemas }}
where
    {{ debezium_spark._kind_in_source(config) }} = 'data'
    and get_json_object(source_block, '$.collection') is not null
order by database_name, collection_name, topic
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
        {{ member | replace('%', 'source.db') }} as database_name,
        {{ member | replace('%', 'source.collection') }} as collection_name
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
    and database_name = {{ debezium_spark.text_literal(collection['full_name'][1]) }}
    and collection_name = {{ debezium_spark.text_literal(collection['full_name'][2]) }}
{%- endmacro -%}
