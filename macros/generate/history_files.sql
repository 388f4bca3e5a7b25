{%- macro _versions_text(config, table) -%}
{{ debezium_spark._fold_text(config, table, 'versions', "materialized='debezium_versions'") }}
{%- endmacro -%}


{%- macro _history_text(config, table) -%}
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.history(
        source={{ debezium.text.jinja_text(config['name']) }},
        table={{ debezium.text.jinja_text(table['name']) }},
        versions=ref('versions_{{ config['name'] }}__{{ table['model'] }}'),
    )
{{ '}}' }}
{%- endmacro -%}
