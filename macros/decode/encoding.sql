{#- How the values of a column are written, and what they become. -#}
{%- macro encoding(source, column) -%}
    {{- return(adapter.debezium_encoding(source, column)) -}}
{%- endmacro -%}


{#- Spark type of a column's decoded values; `source` is a source's name or its configuration. -#}
{%- macro spark_type(source, column) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(adapter.debezium_spark_type(config, column)) -}}
{%- endmacro -%}


{#- A column of which the catalog knows the database type, with what that type tells. -#}
{%- macro known_database_type(config, column, database_type) -%}
    {{- return(adapter.debezium_known_database_type(config, column, database_type)) -}}
{%- endmacro -%}


{#- A column as only its record describes it. -#}
{%- macro without_known_type(column) -%}
    {{- return(adapter.debezium_without_known_type(column)) -}}
{%- endmacro -%}


{#- The texts by which Debezium says of a column that its value was not in the log. -#}
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
