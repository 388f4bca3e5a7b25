{#-
    The history of a MongoDB collection, whose documents are walked in Python
    (`src/dbt_debezium_spark/mongodb/document_versions.py`): what that needs. `staging` is a view of
    its session, `sql` has the queries.
-#}
{%- macro document_version_context(config, table, fields, relation, staging_fingerprints) -%}
    {%- set options = debezium_spark.history_options(config, table) or {} -%}
    {%- set staging = 'debezium_staged_events' -%}
    {%- set configuration = debezium_spark.document_fingerprint(
        config, fields, staging_fingerprints, debezium_spark.stored_history_options(options)
    ) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() -%}
    {%- set has_state = checkpoint is not none and checkpoint.configuration == configuration -%}
    {%- set names = ['_id', 'document'] + (fields | map(attribute='name') | list) -%}
    {%- set sql = debezium_spark.document_fold(
        config,
        staging,
        relation | string if has_state else none,
        checkpoint.batch_id if has_state else none,
        versions=true
    ) -%}
    {%- do sql.update({'changed': debezium_spark.changed_versions(
        'kept_versions',
        'select * from ' ~ relation
            ~ ' left semi join refolded_keys on _cdc_key = refolded_keys.row_key',
        names,
        options
    )}) -%}
    {%- do sql.update({'marks': debezium_spark.version_marks(
        names, options, dict(debezium_spark.document_version_columns(fields, options))
    )}) -%}
    {{- return({
        'staging': staging,
        'table': relation | string,
        'has_state': has_state,
        'is_empty': flags.EMPTY,
        'configuration': configuration,
        'checkpoint': checkpoint or {},
        'fields': fields,
        'columns': debezium_spark.document_version_columns(fields, options),
        'options': options,
        'tracked': debezium_spark.tracked_columns(options, names),
        'last_of': debezium_spark._last_of(options),
        'sql': sql,
    }) -}}
{%- endmacro -%}


{#- Columns of the table of versions: (name, type), in their order; `fields`: of the model. -#}
{%- macro document_version_columns(fields, options) -%}
    {%- set columns = [('_id', 'string'), ('document', 'string')] -%}
    {%- for field in fields -%}
        {%- do columns.append(
            (field.name, 'string' if field.type == 'json' else field.type)
        ) -%}
    {%- endfor -%}
    {%- for part in [
        debezium_spark.version_columns(),
        debezium_spark.gap_columns(options),
        {'_cdc_marks': 'string', '_cdc_batch_id': 'bigint'},
    ] -%}
        {%- for name, type in part.items() -%}{%- do columns.append((name, type)) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(columns) -}}
{%- endmacro -%}
