{#-
    The export of the columns of a source's database
    (`src/dbt_debezium_spark/catalog/column_export/`); none without the option `columns_from`, and
    unless dbt runs a model or writes files: only then may it look at data.
-#}
{%- macro _column_export(config) -%}
    {%- if not config.get('columns_from')
        or not execute
        or flags.WHICH not in ('run', 'build', 'retry', 'run-operation') -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(adapter.debezium().run.column_export(config)) -}}
{%- endmacro -%}


{#- What a catalog is up to date with: its evidence, and the export. -#}
{%- macro _catalog_inputs(schemas, export) -%}
    {%- set inputs = debezium_spark.up_to_date_with(schemas) -%}
    {%- if inputs is none or export is none -%}{{- return(inputs) -}}{%- endif -%}
    {{- return([inputs, 'columns_from ' ~ export.digest]) -}}
{%- endmacro -%}
