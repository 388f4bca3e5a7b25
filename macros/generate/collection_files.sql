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
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.document_staging(
        source={{ debezium.text.jinja_text(config['name']) }},
        raw=ref('raw_{{ config['name'] }}'),
        schemas=ref('catalog_{{ config['name'] }}__schemas'),
        topics={{ debezium.text.jinja_block(collection['topics'], 8) }},
        table={{ debezium.text.jinja_text(collection['name']) }},
        origins={{ debezium.text.jinja_lines(collection['origins'], 8) }},
        {%- if collection['is_shared_topic'] %}
        shared_topic=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _collection_fold_text(config, collection, materialized) -%}
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('#', collection['evidence']) }}
def model(dbt, session):
    dbt.config(
        materialized="{{ materialized }}",
        source={{ debezium.text.python_text(config['name']) }},
        table={{ debezium.text.python_text(collection['name']) }},
        fields=[
        {%- for field in collection['fields'] %}
            {"name": {{ debezium.text.python_text(field['name']) }}, "path":
            {{- ' ' ~ debezium.text.python_text(field['path']) }}, "type":
            {{- ' ' ~ debezium.text.python_text(field['type']) }}},
        {%- endfor %}
        {{- '\n        ' if collection['fields'] -}}
        ],
    )
    return dbt.ref("stg_{{ config['name'] }}__{{ collection['model'] }}")
{%- endmacro -%}
