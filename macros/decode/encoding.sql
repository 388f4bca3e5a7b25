{#- How a column's values are written, and what they become. -#}
{%- macro encoding(source, column) -%}
    {{- return(adapter.debezium_encoding(source, column)) -}}
{%- endmacro -%}


{%- macro spark_type(source, column) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(adapter.debezium_spark_type(config, column)) -}}
{%- endmacro -%}


{%- macro known_database_type(config, column, database_type) -%}
    {{- return(adapter.debezium_known_database_type(config, column, database_type)) -}}
{%- endmacro -%}


{%- macro without_known_type(column) -%}
    {{- return(adapter.debezium_without_known_type(column)) -}}
{%- endmacro -%}


{#- The placeholder, in the forms that the column's encoding gives it. -#}
{%- macro unavailable_forms(source, column) -%}
    {{- return(adapter.debezium_unavailable_forms(source, column)) -}}
{%- endmacro -%}


{#-
    A Connect schema node as the column dictionary of the macros, the reverse of `connect_node` in
    `catalog/configured_tables.py`.
-#}
{%- macro _column_of(node) -%}
    {{- return(adapter.debezium_column_of(node)) -}}
{%- endmacro -%}
