{#-
    Check every source before any SQL runs: dbt renders hooks while it parses. The input of a source
    whose raw model is not selected may be absent: a scheduler can run sources one at a time. Then
    check that Spark has the table formats of the selected models.
-#}
{%- macro _check_sources() -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- set sources = var('debezium_sources', {}) or {} -%}
    {%- for name in sources -%}
        {%- do adapter.debezium_source(name, sources) -%}
    {%- endfor -%}
    {%- if execute -%}
        {%- set models = graph.nodes.values() | selectattr('unique_id', 'in', selected_resources)
            | selectattr('resource_type', 'equalto', 'model') | list -%}
        {%- set formats = [] -%}
        {%- for model in models if model.config.materialized.startswith('debezium_') -%}
            {%- do formats.append(
                model.config.file_format or adapter.debezium_format_of_target()
            ) -%}
        {%- endfor -%}
        {%- do adapter.debezium_check_formats(formats | unique | list) -%}
        {%- set models = models | map(attribute='name') | list -%}
        {%- for name in sources if 'raw_' ~ name in models -%}
            {%- do adapter.debezium_check_input(name, sources) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}
