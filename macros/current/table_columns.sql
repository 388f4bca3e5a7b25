{#-
    Names of the columns that the models of a table have, exact texts included: what its staging
    model declares, so that a new column is one line of that model. `relation` is a staging or state
    model of this package.

    dbt hides the models of a project from unit tests: one of your own on such a model gives them,
    `overrides: {macros: {debezium_spark.table_columns: [id, name]}}`.
-#}
{%- macro table_columns(relation) -%}
    {#- while dbt parses, no model can be looked at -#}
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {%- set columns = adapter.debezium_table_columns(
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
