{#-
    The catalog: one row per table, version and column. Spark groups the evidence, and Python merges
    its few rows when dbt runs the model (`src/dbt_debezium_spark/catalog/`). Elsewhere (compile,
    docs) only configured tables have rows.
-#}
{%- macro catalog_columns(source, schemas) -%}
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
    {%- set query = adapter.dispatch('catalog_columns', 'debezium_spark') -%}
    {%- set sql = (
        query(source, schemas) if export is none else query(source, schemas, export)
    ) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark._decide_by_merged_rows(sql) -%}
    {{- return(sql) -}}
{%- endmacro -%}


{%- macro default__catalog_columns(source, schemas, export=none) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set tables = adapter.debezium().catalog.catalog_rows(
        'columns',
        config,
        debezium_spark._evidence_rows(config, schemas),
        export
    ) -%}
with

versions as (

    {{ debezium_spark._merged_rows(debezium_spark._versions_type(), tables) }}

)

select
    merged.source_name,
    merged.topic_prefix,
    merged.database_name,
    merged.schema_name,
    merged.table_name,
    merged.topic,
    merged.topics,
    merged.version,
    merged.is_current,
    merged.since_position,
    merged.since_source_position,
    merged.last_source_position,
    merged.last_position,
    merged.evidence,
    field.column_name,
    field.ordinal_position,
    field.connect_type,
    field.semantic_type,
    field.parameters,
    field.schema_json,
    field.is_optional,
    field.is_never_null,
    field.default_value,
    field.is_key,
    field.key_position,
    field.database_type,
    field.comment,
    field.enum_values,
    field.enum_lists,
    merged.table_comment,
    field.gone_until,
    merged.ended_by
from versions
lateral view explode(merged.columns) exploded as field
{%- endmacro -%}


{%- macro _versions_type() -%}
struct<
    source_name: string,
    topic_prefix: string,
    database_name: string,
    schema_name: string,
    table_name: string,
    topic: string,
    topics: array<string>,
    version: int,
    is_current: boolean,
    since_position: string,
    since_source_position: string,
    last_source_position: string,
    last_position: string,
    evidence: string,
    table_comment: string,
    ended_by: string,
    columns: array<struct<
        column_name: string,
        ordinal_position: int,
        connect_type: string,
        semantic_type: string,
        parameters: map<string, string>,
        schema_json: string,
        is_optional: boolean,
        is_never_null: boolean,
        default_value: string,
        is_key: boolean,
        key_position: int,
        database_type: string,
        comment: string,
        enum_values: array<string>,
        enum_lists: array<string>,
        gone_until: string
    >>
>
{%- endmacro -%}
