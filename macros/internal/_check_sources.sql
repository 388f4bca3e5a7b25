{#-
    Check the configuration of every source, and at the start of a run that the input of each that
    it reads exists.

    Called by this package's `on-run-start`. dbt renders hooks while it parses, so that a wrong
    configuration fails before any SQL. A source whose raw model is not selected is not read, so its
    input may be absent: another source's, when a scheduler runs one at a time, or the package's own
    demo in a consumer's project.
-#}
{%- macro _check_sources() -%}
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
