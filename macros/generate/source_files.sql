{#- The files of a source that its configuration alone decides. -#}
{%- macro source_files(config) -%}
    {%- set name = config['name'] -%}
    {%- set catalog = 'models/catalog/' ~ name ~ '/catalog_' ~ name -%}
    {%- set properties = adapter.debezium().generate.source_properties(name) -%}
    {%- set files = [] -%}
    {%- for path, content in debezium_spark.raw_files(config, properties['raw']) + [
        (catalog ~ '__schemas.sql', debezium_spark._schemas_model_text(name)),
        (catalog ~ '__columns.sql', debezium_spark._evidence_model_text(name, 'catalog_columns')),
        (
            catalog ~ '__disagreements.sql',
            debezium_spark._evidence_model_text(name, 'catalog_disagreements'),
        ),
        (catalog ~ '.yml', debezium_spark._properties_text(properties['catalog'])),
    ] -%}
        {%- do files.append(debezium_spark._generated_file(path, content, name)) -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _schemas_model_text(name) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_schemas(
        source='{{ name }}',
        raw=ref('raw_{{ name }}'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _evidence_model_text(name, macro_name) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_table')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.{{ macro_name }}(
        source='{{ name }}',
        schemas=ref('catalog_{{ name }}__schemas'),
    )
{{ '}}' }}
{%- endmacro -%}
