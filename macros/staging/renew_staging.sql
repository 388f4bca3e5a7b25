{#-
    Bring stored rows in line with the model; true if they must be built again from raw. Either way
    they are those of a full refresh (design §8).

    If the stored fingerprint differs:

    * new or wider columns: the table is altered, and only incomplete events are read again,
    * other types or another key: the var `debezium_incompatible_changes` decides,
    * anything else: the table is built again.

    The fingerprint is written last: an interrupted run is made up for by the next.
-#}
{%- macro renew_staging(config, fingerprint, arguments, watermark) -%}
    {%- if debezium_spark._schema_change_mode() == 'ignore' -%}{{- return(false) -}}{%- endif -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set stored = debezium_spark._stored_fingerprint(relation) -%}
    {%- if stored and 'shared' in stored -%}
        {%- do fingerprint.update({'shared': stored.shared}) -%}
    {%- endif -%}
    {%- if stored == fingerprint -%}
        {#- earlier batches show which row a late record under a former key belongs to -#}
        {{- return(
            arguments.schemas is not none
            and watermark is not none
            and debezium_spark.former_keys_in_batch(
                arguments.schemas, arguments.topics, watermark, arguments.former_keys
            ) | length > 0
        ) -}}
    {%- endif -%}

    {%- set changed_columns = staging.changed_columns(stored, fingerprint, arguments.columns) -%}
    {%- set differences = debezium_spark._column_differences(
        relation, adapter.debezium().decode.decoded_columns(config, changed_columns)
    ) -%}
    {%- if debezium_spark._schema_change_mode() == 'fail'
        and (differences.new or differences.wider or differences.incompatible) -%}
        {#- the materialization reports it -#}
        {{- return(false) -}}
    {%- endif -%}
    {%- set incompatible_changes = staging.incompatible_changes(
        stored, fingerprint, differences, arguments.key
    ) -%}
    {%- if incompatible_changes -%}
        {%- do debezium_spark._check_incompatible(incompatible_changes) -%}
    {%- endif -%}

    {%- set reasons = incompatible_changes + staging.rebuild_reasons(
        stored, fingerprint, differences, changed_columns, arguments
    ) -%}
    {%- if reasons -%}
        {%- do log(
            this.identifier ~ ': built anew from the raw records: ' ~ reasons | join('; '),
            info=true
        ) -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- for column in differences.wider -%}
        {%- do debezium_spark._alter_type(relation, column.name, column.data_type) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, differences.new) -%}
    {%- do debezium_spark.redecode_events(
        config,
        relation,
        arguments,
        staging.changed_events(stored, fingerprint)
    ) -%}
    {%- do debezium_spark._set_property(
        relation, debezium_spark._fingerprint_property(), debezium_spark.pack(fingerprint)
    ) -%}
    {{- return(false) -}}
{%- endmacro -%}


{#- What the table's rows were read by, none for a table without the property. -#}
{%- macro _stored_fingerprint(relation) -%}
    {{- return(
        debezium_spark.unpack(
            debezium_spark._property(relation, debezium_spark._fingerprint_property())
        )
    ) -}}
{%- endmacro -%}


{#- `fail` by default: those who read the tables must know of an incompatible change first. -#}
{%- macro _check_incompatible(changes) -%}
    {%- set policy = var('debezium_incompatible_changes', 'fail') -%}
    {%- if policy not in ['fail', 'rebuild'] -%}
        {%- do debezium_spark._fail(
            'staging',
            'the var debezium_incompatible_changes is `' ~ policy ~ '`.',
            'Set it to `fail` or `rebuild`.'
        ) -%}
    {%- endif -%}
    {%- if policy == 'fail' -%}
        {%- do debezium_spark._fail(
            'staging',
            'the change of ' ~ this.identifier ~ ' is incompatible with the rows it holds: '
            ~ changes | join('; ') ~ '.',
            'When those who read the tables are ready for it, build it anew from the raw records: '
            ~ "dbt build --select " ~ model.name
            ~ "+ --vars 'debezium_incompatible_changes: rebuild'"
            ~ ' (or set the var in dbt_project.yml).',
        ) -%}
    {%- endif -%}
{%- endmacro -%}


{#-
    Read events again that kept members without a column (`_cdc_unmapped`) or values that did not
    decode (`_cdc_errors`), and those in `event_ids` (topic:partition:offset): one MERGE. Raw is
    read from the first of their batches on, and only their records are parsed.
-#}
{%- macro redecode_events(config, relation, arguments, event_ids=[]) -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set model_columns = (
        'array(' ~ debezium_spark.text_literals(staging.all_names(arguments.columns)) ~ ')'
    ) -%}
    {%- set is_incomplete = (
        '(_cdc_errors is not null or arrays_overlap(map_keys(_cdc_unmapped), ' ~ model_columns ~ ')'
        ~ (
            ' or _cdc_event_id in (' ~ debezium_spark.text_literals(event_ids) ~ ')'
            if event_ids
            else ''
        )
        ~ ')' ~ debezium_spark.is_not_refused()
    ) -%}
    {%- set incomplete_events = run_query(
        'select min(_cdc_batch_id), count(*) from ' ~ relation ~ ' where ' ~ is_incomplete
    ).rows[0] -%}
    {%- if incomplete_events[0] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set incomplete_records -%}
(
    select records.*
    from {{ arguments.raw }} as records
    left semi join (
        select
            _cdc_topic,
            _cdc_partition,
            _cdc_offset,
            _cdc_batch_id
        from {{ relation }}
        where {{ is_incomplete }}
    ) as events
        on
            records.topic = events._cdc_topic
            and records.partition = events._cdc_partition
            and records.offset = events._cdc_offset
            and records._cdc_batch_id = events._cdc_batch_id
) as incomplete_records
    {%- endset -%}
    {%- set watermark = incomplete_events[0] | int - 1 -%}
    {%- set layouts = debezium_spark.record_layouts(config, arguments, watermark) -%}
    {%- set view = debezium_spark._source_view(
        debezium_spark.staging_sql(
            config,
            incomplete_records,
            arguments.topics,
            arguments.table,
            layouts.key,
            layouts.columns,
            arguments.shared_topic and arguments.schemas is none,
            watermark,
            layouts=layouts,
            origins=arguments.origins,
            names=arguments.names
        )
    ) -%}
    {%- do run_query(
        debezium_spark._merge_sql(
            relation,
            view.relation,
            view.columns,
            ['_cdc_topic', '_cdc_partition', '_cdc_offset', '_cdc_timestamp', '_cdc_batch_id'],
            inserts=false
        )
    ) -%}
    {%- do run_query('drop view if exists ' ~ view.relation) -%}
    {%- do log(this.identifier ~ ': read ' ~ incomplete_events[1] ~ ' events again', info=true) -%}
{%- endmacro -%}
