{#-
    The raw records of a source, as Kafka carries them. Nothing is ever rewritten, not even by
    `--full-refresh`: landed records may be gone from Kafka. The source is the model's name without
    `raw_`, or its config `source`. A Python model reads every type of input; the SELECT of a SQL
    model is a table that `landing/sql_table.py` lands.
-#}
{%- materialization debezium_raw, adapter='spark', supported_languages=['python', 'sql'] -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set source_name = config.get('source') or model.name.removeprefix('raw_') -%}
    {%- set source = debezium.config.load_source(source_name, var('debezium_sources', {})) -%}
    {%- if model.language == 'python' -%}
        {%- do debezium_spark._check_runs_python(
            'Set `landing: sql` in the input of the source if it is a table, and run'
            ~ ' debezium-spark generate; or land with another target (docs/clusters.md).'
        ) -%}
    {%- endif -%}
    {#- derived for macros; landing reads the configuration alone -#}
    {%- do source.pop('unavailable_value_forms', none) -%}
    {%- do source.pop('key_switch', none) -%}

    {%- if existing is not none and not existing.is_view and should_full_refresh() -%}
        {%- do log(
            'debezium_spark: --full-refresh does not touch ' ~ relation ~ ': raw records are never'
            ~ ' rewritten, because they may be gone from Kafka. To start over, drop the table.',
            info=true,
        ) -%}
    {%- endif -%}

    {{- run_hooks(pre_hooks) -}}

    {%- if existing is none or existing.is_view -%}
        {%- if existing is not none -%}
            {%- do debezium_spark._drop_incompatible(existing) -%}
        {%- endif -%}
        {%- do run_query(debezium_spark._create_raw_sql(relation)) -%}
    {%- endif -%}

    {%- if flags.EMPTY -%}
        {%- call noop_statement('main', 'nothing is read', 'OK', 0) -%}
            -- nothing is read: {{ relation }} is left as it is
        {%- endcall -%}
    {%- elif model.language == 'sql' -%}
        {%- set landed = debezium.run.land(
            source, relation, compiled_code, debezium_spark.file_format()
        ) -%}
        {%- call noop_statement('main', landed.text, 'OK', landed.records) -%}
            -- landed by the statements before this one
        {%- endcall -%}
    {%- else -%}
        {%- set context = {
            'source': source,
            'file_format': debezium_spark.file_format(),
            'project_dir': debezium.run.project_dir(),
            'table': relation | string,
        } -%}
        {%- call statement('main', language='python') -%}
{{ compiled_code }}

# --- appended by the materialization debezium_raw ---
from dbt_debezium_spark.adapter_parts.python_job import append_raw
append_raw(model, dbtObj(spark.table), spark, {{ context }})
        {%- endcall -%}
    {%- endif -%}

    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, false)) -%}
    {%- do debezium_spark._persist_docs(relation) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmaterialization -%}


{%- macro _create_raw_sql(relation) -%}
create table if not exists {{ relation }} (
    topic string,
    partition int,
    offset bigint,
    timestamp timestamp,
    timestampType int,
    key string,
    value string,
    headers array<struct<key: string, value: string>>,
    _cdc_batch_id bigint,
    _cdc_landed_at timestamp
)
{{ debezium_spark._table_clauses(partition_by=['topic']) }}
{%- endmacro -%}
