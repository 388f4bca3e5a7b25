{#-
    Templates of the models that `generate` writes. Each gets the values of a file
    (`generator/files.py`): texts for the file, with the names of strangers as literals. A project
    overrides one with a macro of its name, such as `default__staging_model(file)`.
-#}

{%- macro default__raw_python_model(file) -%}
# {{ file.first_line }}
from dbt_debezium_spark import landing


def model(dbt, session):
    dbt.config(materialized="debezium_raw")
    return landing.land(dbt, session, source="{{ file.source }}")
{%- endmacro -%}


{%- macro default__raw_sql_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_raw')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.input_rows(
        source='{{ file.source }}',
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__catalog_schemas_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_schemas(
        source='{{ file.source }}',
        raw=ref('raw_{{ file.source }}'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__catalog_table_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_table')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_{{ file.part }}(
        source='{{ file.source }}',
        schemas=ref('catalog_{{ file.source }}__schemas'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__staging_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.staging(
        source={{ file.source_text }},
        raw=ref('raw_{{ file.source }}'),
        schemas=ref('catalog_{{ file.source }}__schemas'),
        topics={{ file.topics }},
        table={{ file.table_text }},
        origins={{ file.origins }},
        key={{ file.key }},
        columns={{ file.columns }},
        {%- if file.former_keys %}
        former_keys={{ file.former_keys }},
        {%- endif %}
        {%- if file.is_shared_topic %}
        shared_topic=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{#- A model that folds a table's staging by its key: `state`, `versions`. -#}
{%- macro default__fold_model(file) -%}
{%- set staging = "ref('stg_" ~ file.source ~ '__' ~ file.model ~ "')" -%}
-- {{ file.first_line }}
{{ '{{' }}
    config({{ file.settings }})
{{ '}}' }}

{{ '{{' }}
    debezium_spark.{{ file.fold }}(
        source={{ file.source_text }},
        table={{ file.table_text }},
        staging={{ staging }},
        key={{ file.key }},
        columns=debezium_spark.table_columns({{ staging }}),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__current_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.current(
        state=ref('state_{{ file.source }}__{{ file.model }}'),
        {%- if file.is_keyless %}
        keyless=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__document_staging_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.document_staging(
        source={{ file.source_text }},
        raw=ref('raw_{{ file.source }}'),
        schemas=ref('catalog_{{ file.source }}__schemas'),
        topics={{ file.topics }},
        table={{ file.table_text }},
        origins={{ file.origins }},
        {%- if file.is_shared_topic %}
        shared_topic=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__document_fold_model(file) -%}
# {{ file.first_line }}
def model(dbt, session):
    dbt.config(
        materialized="{{ file.materialized }}",
        source={{ file.source_text }},
        table={{ file.table_text }},
        fields=[
        {%- for field in file.fields %}
            {"name": {{ field.name }}, "path": {{ field.path }}, "type": {{ field.type }}},
        {%- endfor %}
        {{- '\n        ' if file.fields -}}
        ],
    )
    return dbt.ref("stg_{{ file.source }}__{{ file.model }}")
{%- endmacro -%}


{%- macro default__history_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.history(
        source={{ file.source_text }},
        table={{ file.table_text }},
        versions=ref('versions_{{ file.source }}__{{ file.model }}'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__feed_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.feed(
        source={{ file.source_text }},
        table={{ file.table_text }},
        state=ref('state_{{ file.source }}__{{ file.model }}'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__transactions_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_merge', unique_key='_cdc_key')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.transactions(
        source={{ file.source_text }},
        raw=ref('raw_{{ file.source }}'),
        stagings=[
            {%- for entry in file.models.stagings %}
            {{ entry }}
            {%- endfor %}
        ],
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__cut_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_merge', unique_key='_cdc_key')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.cut(
        source={{ file.source_text }},
        transactions=ref('transactions_{{ file.source }}'),
        after=[
            {%- for entry in file.models.after %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- if file.models.histories %}
        histories=[
            {%- for entry in file.models.histories %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__rows_at_cut_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.rows_at_cut(
        source={{ file.source_text }},
        table={{ file.table_text }},
        history=ref('hist_{{ file.source }}__{{ file.model }}'),
        cut=ref('cut_{{ file.source }}'),
        key={{ file.key }},
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro default__observability_model(file) -%}
-- {{ file.first_line }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.obs_{{ file.model.name }}(
        {%- for argument, entries in file.model.arguments %}
        {{ argument }}=[
            {%- for entry in entries %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- endfor %}
    )
{{ '}}' }}
{%- endmacro -%}
