{#-
    The embedded schemas of a source's events that no converter writes, as its `catalog_<source>__schemas` has them: lists of {topic,
    table_name, event_id, key_hash, value_hash, problem}, `event_id` being the first record that carried them. They are no evidence:
    what damage made of a schema would decide how a table looks, or keep it from becoming models.

    The records themselves are quarantined by staging (`record_layouts`).
-#}
{%- macro _unwritten_schemas(config, schemas) -%}
    {#- as JSON text, so that a hash arrives with all its digits -#}
    {%- set query -%}
select to_json(
    struct(
        topic,
        concat_ws(':', topic, partition, first_offset) as event_id,
        {{ debezium_spark._sampled_name('source_block') }} as table_name,
        cast(key_hash as string) as key_hash,
        cast(value_hash as string) as value_hash,
        key_schema,
        value_schema
    )
) as schema_row
from {{ schemas }}
where {{ debezium_spark._kind_in_source(config) }} = 'data' and coalesce(value_schema, key_schema) is not null
order by topic, partition, first_offset
    {%- endset -%}
    {%- set unwritten = [] -%}
    {%- for text in adapter.debezium_texts(query) -%}
        {%- set schema = fromjson(text) -%}
        {%- set problems = [] -%}
        {%- for side in ['value', 'key'] if schema.get(side ~ '_schema') -%}
            {%- do problems.append(adapter.debezium_schema_problem(side, schema[side ~ '_schema'])) -%}
        {%- endfor -%}
        {%- if problems | select | list -%}
            {%- do unwritten.append(dict(schema, problem=problems | select | first)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(unwritten) -}}
{%- endmacro -%}


{#- SQL: the table of a source block, as configuration writes it. -#}
{%- macro _sampled_name(source_block) -%}
    {%- set member = 'get_json_object(' ~ source_block ~ ", '$.%')" -%}
concat(
            coalesce({{ member | replace('%', 'schema') }}, {{ member | replace('%', 'db') }}), '.',
            coalesce({{ member | replace('%', 'table') }}, {{ member | replace('%', 'collection') }})
        )
{%- endmacro -%}


{#- What `generate` says of them, one message per topic. A table without other evidence is refused. -#}
{%- macro _unwritten_messages(config, unwritten, described_topics) -%}
    {%- set by_topic = {} -%}
    {%- for schema in unwritten %}{% do by_topic.setdefault(schema.topic, []).append(schema) %}{% endfor -%}
    {%- set messages = [] -%}
    {%- for topic, schemas in by_topic.items() -%}
        {%- set schema = schemas[0] -%}
        {%- set name = schema.get('table_name') or topic -%}
        {%- set others = ' (and ' ~ (schemas | length - 1) ~ ' more of its schemas)' if schemas | length > 1 else '' -%}
        {%- set is_known = topic in described_topics -%}
        {%- do messages.append({
            'kind': 'warning' if is_known else 'problem', 'source': config['name'], 'table': name,
            'message': "table '" ~ name ~ "': record " ~ schema.event_id ~ ' carries a schema that no converter writes' ~ others ~ ': '
                ~ schema.problem ~ '. ' ~ (
                    'Its models are made from the other records; those with such a schema are quarantined.' if is_known
                    else 'No other record says what the table looks like, so it gets no models.'
                ) ~ ' To leave a record out: debezium_sources.' ~ config['name'] ~ '.ignore_records.',
        }) -%}
    {%- endfor -%}
    {{- return(messages) -}}
{%- endmacro -%}
