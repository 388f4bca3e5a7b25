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

    {%- set changed_columns = [] -%}
    {%- for column in arguments.columns
        if not stored
        or stored.columns.get(column.name) != fingerprint.columns[column.name] -%}
        {%- do changed_columns.append(column) -%}
    {%- endfor -%}
    {%- set differences = debezium_spark._column_differences(
        relation, adapter.debezium().decode.decoded_columns(config, changed_columns)
    ) -%}
    {%- if debezium_spark._schema_change_mode() == 'fail'
        and (differences.new or differences.wider or differences.incompatible) -%}
        {#- the materialization reports it -#}
        {{- return(false) -}}
    {%- endif -%}
    {%- set incompatible_changes = [] -%}
    {%- for column in differences.incompatible -%}
        {%- do incompatible_changes.append(
            'column ' ~ column.name ~ ' is ' ~ column.table_type ~ ' and becomes '
            ~ column.data_type
        ) -%}
    {%- endfor -%}
    {%- if stored and stored.key != fingerprint.key -%}
        {%- do incompatible_changes.append(
            'the key becomes (' ~ arguments.key | map(attribute='name') | join(', ') ~ ')'
        ) -%}
    {%- endif -%}
    {%- if incompatible_changes -%}
        {%- do debezium_spark._check_incompatible(incompatible_changes) -%}
    {%- endif -%}

    {%- set reasons = (
        incompatible_changes
        + debezium_spark._rebuild_reasons(
            stored, fingerprint, differences, changed_columns, arguments
        )
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
        debezium_spark._ignore_changes(
            stored.get('ignored') or {}, fingerprint.get('ignored') or {}
        )
    ) -%}
    {%- do debezium_spark._set_property(
        relation, debezium_spark._fingerprint_property(), debezium_spark.pack(fingerprint)
    ) -%}
    {{- return(false) -}}
{%- endmacro -%}


{#- Records (topic:partition:offset) that are newly ignored, no longer, or for another reason. -#}
{%- macro _ignore_changes(before, after) -%}
    {%- set event_ids = [] -%}
    {%- for event_id in (before | list + after | list) | unique
        if before.get(event_id) != after.get(event_id) -%}
        {%- do event_ids.append(event_id) -%}
    {%- endfor -%}
    {{- return(event_ids) -}}
{%- endmacro -%}


{#- What the table's rows were read by, none for a table without the property. -#}
{%- macro _stored_fingerprint(relation) -%}
    {{- return(
        debezium_spark.unpack(
            debezium_spark._property(relation, debezium_spark._fingerprint_property())
        )
    ) -}}
{%- endmacro -%}


{#-
    Why stored rows cannot stay. A column with another handling mode concerns records without
    schemas, which nothing distinguishes: they are read by the present configuration.
-#}
{%- macro _rebuild_reasons(stored, fingerprint, differences, changed_columns, arguments) -%}
    {%- if not stored -%}{{- return(['it does not say how it was read']) -}}{%- endif -%}
    {%- if stored.version != fingerprint.version -%}
        {{- return(['this release reads records otherwise']) -}}
    {%- endif -%}
    {%- set reasons = [] -%}
    {%- if stored.options != fingerprint.options -%}
        {%- do reasons.append('the configuration of its source changed') -%}
    {%- endif -%}
    {%- if arguments.former_keys -%}{%- do reasons.append('its key changed before') -%}{%- endif -%}
    {%- set aligned_names = (
        differences.new + differences.wider + differences.narrower
    ) | map(attribute='name') | list -%}
    {%- for column in changed_columns -%}
        {%- if column.get('formerly') or column.get('added_default') is not none -%}
            {%- do reasons.append(column.name ~ ' reaches back to earlier events') -%}
        {%- elif column.get('gone_until') -%}
            {%- do reasons.append(column.name ~ ' was dropped and added again') -%}
        {%- elif not arguments.key -%}
            {#- its rows are known by their content, and `_cdc_before` has the columns too -#}
            {%- do reasons.append('a table without a key gets the column ' ~ column.name) -%}
        {%- elif debezium_spark.is_in_key(column, arguments.key)
            and column.name not in stored.columns -%}
            {%- do reasons.append(column.name ~ ' is read from the keys of records') -%}
        {%- elif column.name not in aligned_names and column.name in stored.columns -%}
            {#- not in the stored fingerprint: an interrupted run added it and redecoded nothing -#}
            {%- do reasons.append(column.name ~ ' is written otherwise') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(reasons) -}}
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
    {%- set model_columns = (
        'array(' ~ debezium_spark.text_literals(arguments.columns | map(attribute='name')) ~ ')'
    ) -%}
    {%- set is_incomplete = (
        '(_cdc_errors is not null or arrays_overlap(map_keys(_cdc_unmapped), ' ~ model_columns ~ ')'
        ~ (
            ' or _cdc_event_id in (' ~ debezium_spark.text_literals(event_ids) ~ ')'
            if event_ids
            else ''
        )
        ~ ')'
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
            origins=arguments.origins
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


{#-
    What stored rows depend on besides the records, small enough for a table property: the next run
    compares it with its own. Member names are stored and stay.

    * `version`: raised when a release reads records in another way,
    * `columns`: a hash of how each is read,
    * `key`, `options`: hashes of all the rest; a change of the key is no change of an option,
    * `shared`: who shared its topics when `sharing_changed` last built it again,
    * `ignored`: {topic:partition:offset: reason}.
-#}
{%- macro staging_fingerprint(config, arguments) -%}
    {%- set decode = adapter.debezium().decode -%}
    {%- set columns = {} -%}
    {%- for column in arguments.columns -%}
        {%- do columns.update({
            column.name: debezium_spark._short_hash(decode.column_form(config, column))
        }) -%}
    {%- endfor -%}
    {%- set options = {
        'connector': config.connector,
        'table': arguments.table,
        'topics': arguments.topics | sort,
        'shared_topic': arguments.shared_topic and arguments.schemas is none,
        'origins': arguments.origins,
        'former_keys': arguments.former_keys,
        'complete_before': 'yes'
            if debezium_spark.has_complete_before(config, arguments.table)
            else 'no',
        'placeholder': config.get('unavailable_value_placeholder'),
        'decimal_format': config.get('decimal_format'),
        'binary_handling_mode': config.get('binary_handling_mode'),
    } -%}
    {%- set identities = debezium_spark.replica_identities(config, arguments.table) -%}
    {%- if identities and identities[0]['is'] != 'full'
        or identities | length > 1
        or identities | selectattr('from', 'defined') | list -%}
        {#- which `before` may be trusted, and which keys -#}
        {%- do options.update({'replica_identities': identities}) -%}
    {%- endif -%}
    {%- if debezium_spark.may_lack_keys(config) -%}
        {%- do options.update({'may_lack_keys': true}) -%}
    {%- endif -%}
    {%- do options.update(debezium_spark.flattened_fingerprint(config)) -%}
    {%- set ignored = {} -%}
    {%- for record in debezium_spark.ignored_records(config, arguments.topics) -%}
        {%- set event_id = record.topic ~ ':' ~ record.partition ~ ':' ~ record.offset -%}
        {%- do ignored.update({event_id: record.reason}) -%}
    {%- endfor -%}
    {{- return(dict({'ignored': ignored} if ignored else {}, **{
        'version': 7,
        'columns': columns,
        'key': debezium_spark._short_hash(decode.key_form(config, arguments.key)),
        'options': debezium_spark._short_hash(options),
    })) -}}
{%- endmacro -%}
