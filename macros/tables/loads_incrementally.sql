{#-
    True when this run adds to the table. dbt's `is_incremental()` knows only its own
    materialization. In unit tests: `overrides: {macros: {debezium_spark.loads_incrementally:
    true}}`.
-#}
{%- macro loads_incrementally() -%}
    {%- if not execute -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {{- return(
        existing is not none and not existing.is_view and not should_full_refresh()
        and debezium_spark._is_our_format(existing)
    ) -}}
{%- endmacro -%}


{#- A table of another format cannot be added to; it is built again from all rows. -#}
{%- macro _is_our_format(existing) -%}
    {%- set file_format = debezium_spark.file_format() -%}
    {%- if existing.is_delta or existing.is_iceberg -%}
        {{- return(existing.is_delta if file_format == 'delta' else existing.is_iceberg) -}}
    {%- endif -%}
    {#- an adapter's list of relations need not tell their formats -#}
    {{- return(
        adapter.debezium().tables.format(debezium_spark._table(existing)) == file_format
    ) -}}
{%- endmacro -%}
