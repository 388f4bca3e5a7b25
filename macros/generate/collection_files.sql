{#- The files of one collection; its state and its versions are Python models. -#}
{%- macro collection_files(config, collection) -%}
    {%- set properties = debezium_spark._table_properties(config, collection) -%}
    {%- set files = [] -%}
    {%- set models = [
        (
            'stg', 'models/staging/', '.sql',
            debezium_spark._collection_staging_text(config, collection),
        ),
        (
            'state', 'python_models/state/', '.py',
            debezium_spark._collection_fold_text(config, collection, 'debezium_documents'),
        ),
        ('cur', 'models/current/', '.sql', debezium_spark._current_text(config, collection)),
    ] -%}
    {%- if collection['history'] is not none -%}
        {%- do models.extend([
            (
                'versions', 'python_models/history/', '.py',
                debezium_spark._collection_fold_text(
                    config, collection, 'debezium_document_versions'
                ),
            ),
            ('hist', 'models/history/', '.sql', debezium_spark._history_text(config, collection)),
        ]) -%}
    {%- endif -%}
    {%- for layer, folder, ending, text in models -%}
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


{%- macro _collection_fold_text(config, collection, materialized) -%}
{{ debezium_spark._first_line('#', collection['evidence']) }}
def model(dbt, session):
    dbt.config(
        materialized="{{ materialized }}",
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
