{#-
    The validated configuration of a source, with every default filled in.

    Raises, at parse time and so before any SQL runs, what is wrong in the var `debezium_sources` and the remedy.
-#}
{%- macro source_config(name) -%}
    {{- return(adapter.debezium_source(name, var('debezium_sources', {}))) -}}
{%- endmacro -%}
