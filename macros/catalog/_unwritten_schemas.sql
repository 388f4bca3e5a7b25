{#-
    The embedded schemas of a source's events that no converter writes, as its
    `catalog_<source>__schemas` has them: `generator/evidence_messages.py`.
-#}
{%- macro _unwritten_schemas(config, schemas) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set query -%}
select to_json(
    struct(
        topic,
        concat_ws(':', topic, partition, first_offset) as event_id,
        concat(
            coalesce(
                get_json_object(source_block, '$.schema'), get_json_object(source_block, '$.db')
            ),
            '.',
            coalesce(
                get_json_object(source_block, '$.table'),
                get_json_object(source_block, '$.collection')
            )
        ) as table_name,
        key_schema,
        value_schema
    )
) as schema_row
from {{ schemas }}
where
    {{ debezium_spark._kind_in_source(config) }} = 'data'
    and coalesce(value_schema, key_schema) is not null
order by topic, partition, first_offset
    {%- endset -%}
    {{- return(debezium.catalog.invalid_schemas(debezium.run.texts(query))) -}}
{%- endmacro -%}
