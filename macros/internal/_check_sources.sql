{#-
    Check every source before any SQL runs: dbt renders hooks while it parses. The input of a source
    whose raw model is not selected may be absent: a scheduler can run sources one at a time.
-#}
{%- macro _check_sources() -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- set sources = var('debezium_sources', {}) or {} -%}
    {%- for name in sources -%}
        {%- do adapter.debezium_source(name, sources) -%}
    {%- endfor -%}
    {%- if execute -%}
        {%- set models = graph.nodes.values() | selectattr('unique_id', 'in', selected_resources)
            | selectattr('resource_type', 'equalto', 'model') | map(attribute='name') | list -%}
        {%- for name in sources if 'raw_' ~ name in models -%}
            {%- do adapter.debezium_check_input(name, sources) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}
