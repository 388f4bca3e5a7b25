{#-
    What `src/dbt_debezium_spark/mongodb/document_versions.py` needs to bring the history of a
    collection up to date: `staging` and `heads` are views of its session, `sql` has the queries.
-#}
{%- macro document_version_context(config, table, fields, relation, staging_fingerprints) -%}
    {%- set options = debezium_spark.history_options(config, table) or {} -%}
    {%- set staging, heads = 'debezium_staged_events', 'debezium_version_heads' -%}
    {%- set configuration = debezium_spark.document_fingerprint(
        config,
        fields,
        staging_fingerprints,
        history=debezium_spark.stored_history_options(options)
    ) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() -%}
    {%- set has_state = checkpoint is not none and checkpoint.configuration == configuration -%}
    {%- set names = ['_id', 'document'] + (fields | map(attribute='name') | list) -%}
    {%- set columns = debezium_spark.document_version_columns(fields, options) -%}
    {%- set sql = debezium_spark.document_fold(
        config,
        staging,
        heads if has_state else none,
        checkpoint.batch_id if has_state else none,
        versions=true
    ) -%}
    {%- do sql.update({'heads': debezium_spark.document_heads(relation, options)}) -%}
    {%- do sql.update(debezium_spark.document_versions_to_write(relation, names, options)) -%}
    {%- set decisions = {
        'closing_columns': debezium_spark.closing_columns(options),
        'amended_columns': names + ['_cdc_unavailable'],
        'head_columns': debezium_spark.document_head_columns() | list,
    } -%}
    {{- return({
        'staging': staging,
        'heads': heads,
        'table': relation | string,
        'has_state': has_state,
        'is_empty': flags.EMPTY,
        'configuration': configuration,
        'checkpoint': checkpoint or {},
        'fields': fields,
        'columns': columns,
        'options': options,
        'tracked': debezium_spark.tracked_columns(options, names),
        'last_of': debezium_spark._last_of(options),
        'decisions': decisions,
        'sql': sql,
    }) -}}
{%- endmacro -%}
