{#- The model that lands a source: Python, or SQL where the input is configured so. -#}
{%- macro raw_files(config, properties) -%}
    {%- set name = config['name'] -%}
    {%- set lands_by_sql = config['input'].get('landing') == 'sql' -%}
    {%- set path = ('models' if lands_by_sql else 'python_models') ~ '/raw/raw_' ~ name -%}
    {%- set text = (
        debezium_spark._raw_sql_text(name) if lands_by_sql else debezium_spark._raw_model_text(name)
    ) -%}
    {{- return([
        (path ~ ('.sql' if lands_by_sql else '.py'), text),
        (path ~ '.yml', debezium_spark._properties_text(properties)),
    ]) -}}
{%- endmacro -%}


{%- macro _raw_model_text(name) -%}
{{ debezium_spark._first_line('#') }}
from dbt_debezium_spark import landing


def model(dbt, session):
    dbt.config(materialized="debezium_raw")
    return landing.land(dbt, session, source="{{ name }}")
{%- endmacro -%}


{%- macro _raw_sql_text(name) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_raw')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.input_rows(
        source='{{ name }}',
    )
{{ '}}' }}
{%- endmacro -%}
