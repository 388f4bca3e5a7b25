{#-
    The state of a MongoDB collection: a Python model returns the staged events, which are folded
    here and written by one MERGE, or replace the table when everything is folded again. Config:
    `source`, `table` and `fields` (`name`, `path`, `type`).
-#}
{%- materialization debezium_documents, adapter='spark', supported_languages=['python'] -%}
    {%- do debezium_spark._check_runs_python(
        'Python folds documents: run this model with another target (docs/clusters.md).'
    ) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set source = debezium_spark.source_config(config.get('source')) -%}
    {%- set fields = config.get('fields') or [] -%}
    {%- set staging = 'debezium_staged_events' -%}
    {%- set inputs = debezium_spark._model_inputs() -%}
    {%- if debezium_spark.is_up_to_date(inputs, source) or debezium_spark.keeps_its_rows() -%}
        {%- do debezium_spark._skip_model(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}

    {{- run_hooks(pre_hooks) -}}

    {%- set configuration = debezium_spark.document_fingerprint(
        source, fields, debezium_spark._staging_fingerprints()
    ) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() -%}
    {%- set has_state = checkpoint is not none and checkpoint.configuration == configuration -%}
    {%- if not has_state -%}{%- do debezium_spark._drop_incompatible(existing) -%}{%- endif -%}
    {%- set texts = debezium_spark.document_fold(
        source,
        staging,
        relation | string if has_state else none,
        checkpoint.batch_id if has_state else none
    ) -%}
    {%- set context = {
        'staging': staging,
        'table': relation | string,
        'has_state': has_state,
        'create': none if has_state else debezium_spark._create_words(relation),
        'clauses': debezium_spark._table_clauses(),
        'configuration': configuration,
        'checkpoint': checkpoint or {},
        'checked_batch': debezium_spark._checked_batch(relation, checkpoint.batch_id)
            if has_state else none,
        'fields': fields,
        'is_empty': flags.EMPTY,
        'sql': texts,
    } -%}
    {%- call statement('main', language='python') -%}
{{ compiled_code }}

# --- appended by the materialization debezium_documents ---
from dbt_debezium_spark.adapter_parts.python_job import fold_documents
fold_documents(model, dbtObj(spark.table), spark, {{ context }})
    {%- endcall -%}

    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, not has_state)) -%}
    {%- do debezium_spark._persist_docs(relation) -%}
    {%- do debezium_spark._note_up_to_date(
        relation, debezium_spark._input_hashes(inputs, source) if inputs is not none else none
    ) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmaterialization -%}


{#- What the staged events were read by: when it changes, their state no longer fits. -#}
{%- macro _staging_fingerprints() -%}
    {%- set readings = [] -%}
    {%- for unique_id in model.depends_on.nodes -%}
        {%- set node = graph.nodes[unique_id] -%}
        {%- set relation = api.Relation.create(
            database=node.database, schema=node.schema, identifier=node.alias
        ) -%}
        {%- if load_relation(relation) is not none -%}
            {%- do readings.append(
                debezium_spark._property(relation, debezium_spark._fingerprint_property())
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(readings) -}}
{%- endmacro -%}
