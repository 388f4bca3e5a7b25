{#-
    The validated configuration of a source, with every default filled in.

    Raises, at parse time and so before any SQL runs, what is wrong in the var `debezium_sources`
    and the remedy.
-#}
{%- macro source_config(name) -%}
    {%- set sources = var('debezium_sources', {}) -%}
    {%- if not execute
        and model is defined
        and model.package_name == 'debezium_spark'
        and project_name != 'debezium_spark' -%}
        {#-
            dbt parses this package's own demo wherever the package is installed, and disables it
            only then: its sources are not there
        -#}
        {%- set sources = {
            name: {
                'connector': 'postgresql',
                'topic_prefix': name,
                'input': {'type': 'files', 'path': name}
            }
        } -%}
    {%- endif -%}
    {{- return(adapter.debezium_source(name, sources)) -}}
{%- endmacro -%}
