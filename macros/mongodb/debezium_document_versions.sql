{#-
    The history of a MongoDB collection: a Python model returns the staged events, whose walk makes
    the versions (`document_version_context`). They are written by one MERGE, or replace the table
    when everything is folded again. Config: `source`, `table`, `fields` (`name`, `path`, `type`).
-#}
{%- materialization debezium_document_versions, adapter='spark', supported_languages=['python'] -%}
    {%- do debezium_spark._check_runs_python(
        'Python folds documents: run this model with another target (docs/clusters.md).'
    ) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set source = debezium_spark.source_config(config.get('source')) -%}
    {%- set inputs = debezium_spark._model_inputs() -%}
    {%- if debezium_spark.is_up_to_date(inputs, source) or debezium_spark.keeps_its_rows() -%}
        {%- do debezium_spark._skip_model(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}

    {{- run_hooks(pre_hooks) -}}

    {%- set context = debezium_spark.document_version_context(
        source,
        config.get('table'),
        config.get('fields') or [],
        relation,
        debezium_spark._staging_fingerprints()
    ) -%}
    {%- do context.update({
        'create': none if context.has_state else debezium_spark._create_words(relation),
        'clauses': debezium_spark._table_clauses(),
    }) -%}
    {%- do context.sql.update({'merge': debezium_spark._merge_versions_sql(
        relation,
        'debezium_kept_versions',
        debezium_spark._written_document_columns(context),
        watermark=context.checkpoint.get('batch_id')
    )}) -%}
    {%- if not context.has_state -%}
        {%- do debezium_spark._drop_incompatible(existing) -%}
    {%- endif -%}
    {%- call statement('main', language='python') -%}
{{ compiled_code }}

# --- appended by the materialization debezium_document_versions ---
from dbt_debezium_spark.adapter_parts.python_job import keep_document_versions
keep_document_versions(model, dbtObj(spark.table), spark, {{ context }})
    {%- endcall -%}

    {%- do apply_grants(
        relation, config.get('grants'), should_revoke(existing, not context.has_state)
    ) -%}
    {%- do debezium_spark._persist_docs(relation) -%}
    {%- do debezium_spark._note_up_to_date(
        relation, debezium_spark._input_hashes(inputs, source) if inputs is not none else none
    ) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmaterialization -%}


{#- The columns of the table of versions, as `_merge_versions_sql` takes them. -#}
{%- macro _written_document_columns(context) -%}
    {%- set columns = [] -%}
    {%- for name, type in context.columns -%}{%- do columns.append({'name': name}) -%}{%- endfor -%}
    {%- if context.options.get('keep') -%}
        {%- do columns.append({'name': '_cdc_is_expired'}) -%}
    {%- endif -%}
    {{- return(columns) -}}
{%- endmacro -%}
