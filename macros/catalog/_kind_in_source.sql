{#-
    SQL: the record kind for a source: `other_source` where `source.name` is another topic prefix
    and the topic lies below that one. A folder or a pattern of topics can hold what several
    connectors wrote. Both signs are needed: transforms rename topics, and a connector can be set up
    again under another name.
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
