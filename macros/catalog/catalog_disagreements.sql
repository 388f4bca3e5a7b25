{#-
    Where the evidence about a source's tables disagrees, for people. What is compared, and what can
    cause it: `src/dbt_debezium_spark/catalog/disagreements.py`.
-#}
{%- macro catalog_disagreements(source, schemas) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(schemas)) -}}
    {%- endif -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set export = debezium_spark._column_export(config) -%}
    {%- set inputs = debezium_spark._catalog_inputs(schemas, export) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {#- a project's own macro need not know of exports -#}
    {%- set query = adapter.dispatch('catalog_disagreements', 'debezium_spark') -%}
    {%- set sql = (
        query(source, schemas) if export is none else query(source, schemas, export)
    ) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark._decide_by_merged_rows(sql) -%}
    {{- return(sql) -}}
{%- endmacro -%}


{%- macro default__catalog_disagreements(source, schemas, export=none) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set tables = adapter.debezium().catalog.catalog_rows(
        'disagreements',
        config,
        debezium_spark._evidence_rows(config, schemas),
        export
    ) -%}
with

disagreements as (

    {{ debezium_spark._merged_rows(debezium_spark._disagreements_type(), tables) }}

)

select merged.*
from disagreements
{%- endmacro -%}


{%- macro _disagreements_type() -%}
struct<
    source_name: string,
    database_name: string,
    schema_name: string,
    table_name: string,
    column_name: string,
    matter: string,
    chosen: string,
    chosen_from: string,
    other: string,
    other_from: string,
    meaning: string
>
{%- endmacro -%}
