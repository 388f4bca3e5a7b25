{#-
    The kind of a row of `catalog_<source>__schemas` for its source: `other_source` where its record names another
    topic prefix (spec §4.1: `source.name`) and stands in a topic below that one.

    A folder, a bronze table or a pattern of topics can hold what several connectors wrote. Both signs are asked for: a
    routing transform renames topics, and a connector can be set up anew under another name.
-#}
{%- macro _kind_in_source(config) -%}
    {%- set name = "get_json_object(source_block, '$.name')" -%}
if(
            {{ name }} <> {{ debezium_spark.text_literal(config['topic_prefix']) }}
            and (topic = {{ name }} or startswith(topic, concat({{ name }}, '.'))),
            'other_source',
            kind
        )
{%- endmacro -%}


{#- Notes about the records of other connectors: whose they are, in how many topics, and what to do about them. -#}
{%- macro _other_source_messages(config, schemas) -%}
    {%- set query -%}
select to_json(
    struct(
        get_json_object(source_block, '$.name') as topic_prefix,
        max(get_json_object(source_block, '$.connector')) as connector,
        count(distinct topic) as topics,
        min(topic) as example
    )
) as other_source_row
from {{ schemas }}
where {{ debezium_spark._kind_in_source(config) }} = 'other_source'
group by get_json_object(source_block, '$.name')
order by other_source_row
    {%- endset -%}
    {%- set messages = [] -%}
    {%- for text in adapter.debezium_texts(query) -%}
        {%- set other = fromjson(text) -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': none,
            'message': "source '" ~ config['name'] ~ "': its input also holds topics of the "
                ~ (other['connector'] ~ " " if other.get('connector') else "") ~ "connector '" ~ other['topic_prefix'] ~ "' (" ~ other['topics'] ~ ", one of them '"
                ~ other['example'] ~ "'), which are left alone. They need a source of their own; or, if they are this source's, set debezium_sources."
                ~ config['name'] ~ ".topic_prefix: " ~ other['topic_prefix'] ~ ".",
        }) -%}
    {%- endfor -%}
    {{- return(messages) -}}
{%- endmacro -%}
