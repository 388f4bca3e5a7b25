{#-
    The validated configuration of a source with its defaults. Mistakes stop dbt while it parses.
-#}
{%- macro source_config(name) -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- set sources = var('debezium_sources', {}) -%}
    {%- if not execute
        and model is defined
        and model.package_name == 'debezium_spark'
        and project_name != 'debezium_spark' -%}
        {#- dbt parses this package's demo wherever it is installed, without the demo's sources -#}
        {%- set sources = {
            name: {
                'connector': 'postgresql',
                'topic_prefix': name,
                'input': {'type': 'files', 'path': name}
            }
        } -%}
    {%- endif -%}
    {{- return(adapter.debezium().config.load_source(name, sources)) -}}
{%- endmacro -%}
