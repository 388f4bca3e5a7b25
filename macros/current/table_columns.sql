{#-
    The columns that a table's models have, as its staging model declares them: a new column is one
    line of that model. dbt hides models from unit tests, so yours override it: `overrides: {macros:
    {debezium_spark.table_columns: [id, name]}}`.
-#}
{%- macro table_columns(relation) -%}
    {#- while dbt parses, no model can be looked at -#}
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {%- set columns = adapter.debezium().models.table_columns(
        graph.nodes or {}, relation.identifier, var
    ) -%}
    {%- if columns is none -%}
        {%- do debezium_spark._fail(
            'table_columns',
            'the text of model ' ~ relation.identifier ~ ' does not tell its columns.',
            'List them in the call that needs them: columns=[...]; in a unit test, override'
            ~ ' the macro debezium_spark.table_columns.',
        ) -%}
    {%- endif -%}
    {{- return(columns) -}}
{%- endmacro -%}


{#- The columns of models for a table's columns, exact texts included; `source`: name or block. -#}
{%- macro decoded_columns(source, columns) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(adapter.debezium().decode.decoded_columns(config, columns)) -}}
{%- endmacro -%}
