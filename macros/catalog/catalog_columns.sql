{#-
    The catalog: one row per table, version and column, merged from all evidence.

    Spark groups the evidence (`_catalog_evidence`), and Python merges its few rows when dbt runs
    the model: see `src/dbt_debezium_spark/catalog/`. Elsewhere (compile, docs) only configured
    tables have rows.
-#}
{%- macro catalog_columns(source, schemas) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(schemas)) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.up_to_date_with(schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.said_up_to_date()) -}}
    {%- endif -%}
    {%- set sql = adapter.dispatch('catalog_columns', 'debezium_spark')(source, schemas) -%}
    {{- return(
        debezium_spark.told(debezium_spark.said_inputs(inputs, config))
        ~ debezium_spark._merged_rows_digest(sql)
        ~ sql
    ) -}}
{%- endmacro -%}


{%- macro default__catalog_columns(source, schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set tables = adapter.debezium_catalog_columns(
        config, debezium_spark._origin_rules(config), debezium_spark._evidence_rows(config, schemas)
    ) -%}
    {{- return(debezium_spark._merged_rows(debezium_spark._catalog_columns_type(), tables)) -}}
{%- endmacro -%}


{#- The columns of the model with their types. -#}
{%- macro _catalog_columns_type() -%}
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
    table_comment: string,
    gone_until: string,
    ended_by: string
>
{%- endmacro -%}
