{#-
    One row per event record of a table: flattened, typed, append-only.

    Assumes the raw contract (Kafka's columns). Guarantees: every record of the topics becomes one row; a value that cannot be
    read is listed in `_cdc_errors`, never a silent NULL; a column the model does not know is kept in `_cdc_unmapped`;
    a placeholder is listed in `_cdc_unavailable` and never shown. Reads only batches above the highest one it holds.

    `schemas`: the source's catalog of embedded schemas (`catalog_<source>__schemas`). With it each record is read as its own schema
    says, also where a handling mode or a column's type changed; without it, as `columns` says.
-#}
{%- macro staging(source, raw, topics, table, key, columns, shared_topic=false, schemas=none) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- do debezium_spark.check_columns('staging', table, key, columns) -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set watermark = debezium_spark.batch_watermark(this) if debezium_spark.is_running() and not flags.FULL_REFRESH -%}
    {%- if debezium_spark.is_running() -%}{%- do debezium_spark.adopt_columns(config, columns) -%}{%- endif -%}
    {%- set nothing_new = debezium_spark.no_new_records(raw, watermark, debezium_spark.topic_condition(topics)) -%}
    {{- nothing_new -}}
    {%- if schemas is not none and debezium_spark.is_running() and not nothing_new | trim -%}
        {%- set told = debezium_spark.record_layouts(config, schemas, topics, watermark, columns, key) -%}
        {%- set columns = told.columns -%}
        {%- set key = told.key -%}
    {%- endif -%}
    {{- debezium_spark.staging_sql(config, raw, topics, table, key, columns, shared_topic, watermark) -}}
{%- endmacro -%}


{%- macro topic_condition(topics) -%}
    {%- set literals = [] -%}
    {%- for topic in topics -%}
        {%- do literals.append(debezium_spark.text_literal(topic)) -%}
    {%- endfor -%}
    {{- return('topic in (' ~ literals | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- Prints the line that tells the materialization to write nothing, when `relation` holds no batch above the watermark. -#}
{%- macro no_new_records(relation, watermark, condition='true') -%}
    {%- if watermark is not none and watermark is defined and debezium_spark.is_running() -%}
        {%- set rows = run_query('select max(_cdc_batch_id) from ' ~ relation ~ ' where ' ~ condition).rows -%}
        {%- set highest = rows[0][0] if rows else none -%}
        {%- if highest is none or highest | int <= watermark -%}
            {{- '-- debezium_spark: no new records\n' -}}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}
