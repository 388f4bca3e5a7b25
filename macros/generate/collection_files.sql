{#- The files of one collection; its state is a Python model. -#}
{%- macro collection_files(config, collection) -%}
    {%- set properties = debezium_spark._table_properties(config, collection) -%}
    {%- set files = [] -%}
    {%- for layer, folder, ending, text in [
        (
            'stg', 'models/staging/', '.sql',
            debezium_spark._collection_staging_text(config, collection),
        ),
        (
            'state', 'python_models/state/', '.py',
            debezium_spark._collection_state_text(config, collection),
        ),
        ('cur', 'models/current/', '.sql', debezium_spark._current_text(config, collection)),
    ] -%}
        {%- set path = (
            folder ~ config['name'] ~ '/'
            ~ layer ~ '_' ~ config['name'] ~ '__' ~ collection['model']
        ) -%}
        {%- for ending, content in [
            (ending, text),
            ('.yml', debezium_spark._properties_text([properties[layer]])),
        ] -%}
            {%- do files.append(debezium_spark._generated_file(
                path ~ ending, content, config['name'], collection['name']
            )) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _collection_staging_text(config, collection) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.document_staging(
        source={{ adapter.debezium_jinja_text(config['name']) }},
        raw=ref('raw_{{ config['name'] }}'),
        schemas=ref('catalog_{{ config['name'] }}__schemas'),
        topics={{ adapter.debezium_jinja_block(collection['topics'], 8) }},
        table={{ adapter.debezium_jinja_text(collection['name']) }},
        origins={{ adapter.debezium_jinja_lines(collection['origins'], 8) }},
        {%- if collection['is_shared_topic'] %}
        shared_topic=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _collection_state_text(config, collection) -%}
{{ debezium_spark._first_line('#', collection['evidence']) }}
def model(dbt, session):
    dbt.config(
        materialized="debezium_documents",
        source={{ adapter.debezium_python_text(config['name']) }},
        table={{ adapter.debezium_python_text(collection['name']) }},
        fields=[
        {%- for field in collection['fields'] %}
            {"name": {{ adapter.debezium_python_text(field['name']) }}, "path":
            {{- ' ' ~ adapter.debezium_python_text(field['path']) }}, "type":
            {{- ' ' ~ adapter.debezium_python_text(field['type']) }}},
        {%- endfor %}
        {{- '\n        ' if collection['fields'] -}}
        ],
    )
    return dbt.ref("stg_{{ config['name'] }}__{{ collection['model'] }}")
{%- endmacro -%}
