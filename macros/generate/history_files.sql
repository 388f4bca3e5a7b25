{%- macro _versions_text(config, table) -%}
{%- set key = table['key'] | map(attribute='name') | list -%}
{%- set staging = "ref('stg_" ~ config['name'] ~ '__' ~ table['model'] ~ "')" -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_versions')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.versions(
        source={{ adapter.debezium_jinja_text(config['name']) }},
        table={{ adapter.debezium_jinja_text(table['name']) }},
        staging={{ staging }},
        key={{ adapter.debezium_jinja_block(key, 8) }},
        columns=debezium_spark.table_columns({{ staging }}),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _history_text(config, table) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.history(
        source={{ adapter.debezium_jinja_text(config['name']) }},
        table={{ adapter.debezium_jinja_text(table['name']) }},
        versions=ref('versions_{{ config['name'] }}__{{ table['model'] }}'),
    )
{{ '}}' }}
{%- endmacro -%}
