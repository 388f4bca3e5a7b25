{#-
    Properties of one model: every column with its description, type and origin, and the tests.

    One file per model: a table that comes or goes touches no other table's file, and a person who wants to
    write a model's properties by hand takes over one file.
-#}
{%- macro _properties_text(prefix, name, config, table, blocks) -%}
    {%- set about = adapter.debezium_plain_words(table.get('comment') or '') -%}
    {%- set table_name = adapter.debezium_plain_words(table['name']) -%}
    {%- set head = {
        'stg': "Every change event of table `" ~ table_name ~ "`, flattened and typed; append-only.",
        'state': "Private: one row per key of table `" ~ table_name ~ "` ever seen, deleted keys kept.",
        'cur': "Rows of table `" ~ table_name ~ "` as they are at the source after the last landed event.",
    }[prefix] -%}
    {%- if table.get('is_collection') -%}
        {%- set head = {
            'stg': "Every change event of collection `" ~ table_name ~ "`, as the connector wrote it; append-only.",
            'state': "Private: one row per document of collection `" ~ table_name ~ "` ever seen, deleted ones kept.",
            'cur': "Documents of collection `" ~ table_name ~ "` as they are at the source after the last landed event.",
        }[prefix] -%}
    {%- elif not table['key'] -%}
        {%- set head = {
            'stg': head,
            'state': "Private: one row per distinct content that table `" ~ table_name ~ "`, which has no key, ever held.",
            'cur': head,
        }[prefix] -%}
    {%- endif -%}
    {%- if table.get('ended_by') -%}
        {%- set head = head ~ ' The table was ' ~ adapter.debezium_plain_words(table['ended_by']) ~ ' at the source.' -%}
    {%- endif -%}
    {%- set lines = [
        debezium_spark._generated_mark('#', debezium_spark._evidence_words(table['evidence'])),
        'models:',
        '  - name: ' ~ name,
        '    description: ' ~ adapter.debezium_yaml_text((about ~ ' — ' if about else '') ~ head),
    ] + debezium_spark._config_head(config['name']) + [
        '      meta:',
        '        debezium_spark:',
        '          source: ' ~ config['name'],
        '          table: ' ~ adapter.debezium_yaml_argument(table['name']),
        '          model: ' ~ table['model'],
    ] -%}
    {#- what debezium_obs__drift compares with the catalog -#}
    {%- if table.get('ended_by') -%}
        {%- do lines.append('          ended_by: ' ~ adapter.debezium_yaml_argument(table['ended_by'])) -%}
    {%- endif -%}
    {%- do lines.extend(debezium_spark._model_test_lines(prefix, config, table)) -%}
    {%- do lines.append('    columns:') -%}
    {%- set block = debezium_spark._cdc_block(prefix, config, table, blocks) -%}
    {%- do lines.extend(block['first']) -%}
    {%- for text in table['texts'] -%}
        {%- set tests = debezium_spark._column_tests(config, table, text['column']) if prefix == 'cur' and text['is_plain'] else [] -%}
        {%- do lines.extend(text['first']) -%}
        {#- dbt's tests write a name as it is unless told to quote it; a plain one may still be a word of SQL -#}
        {%- if tests or text['needs_quotes'] %}{% do lines.append('        quote: true') %}{% endif -%}
        {%- do lines.extend(text['last']) -%}
        {%- if tests %}{% do lines.extend(debezium_spark._test_lines(tests, 8)) %}{% endif -%}
    {%- endfor -%}
    {%- do lines.extend(block['last']) -%}
    {%- do lines.extend(debezium_spark._unit_test_lines(prefix, name, config, table)) -%}
    {{- return(lines | join('\n') ~ '\n') -}}
{%- endmacro -%}


{#-
    Tests that look at whole rows. Those that find records nobody could explain stand on the observability
    models: a failing one there does not keep `dbt build` from bringing the tables up to date.
-#}
{%- macro _model_test_lines(prefix, config, table) -%}
    {%- if prefix != 'cur' %}{{ return([]) }}{% endif -%}
    {%- set tests = debezium_spark._key_tests(table) -%}
    {%- for text in table['texts'] if not text['is_plain'] -%}
        {%- do tests.extend(debezium_spark._tests_by_name(
            text['column']['name'], debezium_spark._column_tests(config, table, text['column'])
        )) -%}
    {%- endfor -%}
    {%- set texts = table['decoded'] | selectattr('data_type', 'equalto', 'string') | map(attribute='name') | list -%}
    {%- if texts and not table.get('is_collection') -%}
        {#- one scan for all text columns instead of one per column -#}
        {%- do tests.append({'debezium_spark.no_placeholder': {'source': config['name'], 'columns': texts}}) -%}
    {%- endif -%}
    {{- return(debezium_spark._test_lines(tests, 4)) -}}
{%- endmacro -%}


{#-
    What the properties of all three models say about the table's columns, tests aside: `first` and `last` lines of each, and whether its
    name is none that SQL takes without quotes.
-#}
{%- macro _column_texts(table) -%}
    {%- set texts = [] -%}
    {%- for column in table['decoded'] -%}
        {%- set name = column['name'] -%}
        {%- set of = column['of'] or name -%}
        {%- set row = table['described'][of] -%}
        {%- if column['of'] -%}
            {%- set description = "Exact text of `" ~ adapter.debezium_plain_words(of) ~ "`, whose type cannot hold every value in full." -%}
        {%- elif row.get('about') -%}
            {%- set description = row['about'] -%}
        {%- else -%}
            {%- set description = adapter.debezium_plain_words(row.get('comment') or '')
                or "Column `" ~ adapter.debezium_plain_words(of) ~ "` of " ~ adapter.debezium_plain_words(table['name']) ~ "." -%}
        {%- endif -%}
        {%- set first = [
            '      - name: ' ~ adapter.debezium_yaml_name(name),
            '        description: ' ~ adapter.debezium_yaml_text(description),
            '        data_type: ' ~ adapter.debezium_yaml_name(column['data_type']),
        ] -%}
        {%- set last = [
            '        config:',
            '          meta:',
            '            database_type: ' ~ adapter.debezium_yaml_text(adapter.debezium_plain_words(row['database_type'])),
        ] if row.get('database_type') and not column['of'] else [] -%}
        {%- do texts.append({
            'column': column,
            'first': first,
            'needs_quotes': modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', name) is none,
            'is_plain': adapter.debezium_is_plain(name),
            'last': last,
        }) -%}
    {%- endfor -%}
    {{- return(texts) -}}
{%- endmacro -%}


{#-
    Lines of the columns we add, before and after those of the table. The same for most tables of a layer,
    so `blocks` keeps what was made once: for a hundred tables these are most of all lines.
-#}
{%- macro _cdc_block(prefix, config, table, blocks) -%}
    {%- set names = debezium_spark._cdc_columns(prefix, config, table) -%}
    {%- set identity = prefix ~ ' ' ~ names | join(' ') -%}
    {%- if identity not in blocks -%}
        {%- set first = [] -%}
        {%- set last = [] -%}
        {%- for name in names -%}
            {%- set lines = debezium_spark._cdc_column_lines(name, prefix) -%}
            {%- if prefix == 'state' and name == '_cdc_key' -%}
                {%- do first.extend(lines) -%}
            {%- else -%}
                {%- do last.extend(lines) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do blocks.update({identity: {'first': first, 'last': last}}) -%}
    {%- endif -%}
    {{- return(blocks[identity]) -}}
{%- endmacro -%}


{%- macro _cdc_column_lines(name, prefix) -%}
    {%- set lines = [
        '      - name: ' ~ name,
        "        description: \"{{ doc('debezium_spark', '" ~ name ~ "') }}\"",
        '        data_type: ' ~ adapter.debezium_yaml_name(debezium_spark._cdc_types()[name]),
    ] -%}
    {%- if name == '_cdc_key' and prefix == 'state' -%}
        {%- do lines.extend(['        data_tests:', '          - not_null', '          - unique']) -%}
    {%- endif -%}
    {{- return(lines) -}}
{%- endmacro -%}


{#- The columns we add, by layer, in the order the models have them. -#}
{%- macro _cdc_columns(prefix, config, table) -%}
    {%- if prefix == 'cur' -%}
        {{- return(['_cdc_op', '_cdc_pos', '_cdc_source_at']) -}}
    {%- elif table.get('is_collection') -%}
        {{- return(debezium_spark._cdc_columns_of_collection(prefix)) -}}
    {%- elif prefix == 'state' -%}
        {%- set names = [
            '_cdc_key', '_cdc_batch_id', '_cdc_op', '_cdc_is_deleted', '_cdc_pos', '_cdc_source_at', '_cdc_unavailable',
        ] + ([] if table['key'] else ['_cdc_count']) -%}
        {%- for name in debezium_spark.fold_members() -%}
            {%- do names.append('_cdc_fold_' ~ name) -%}
        {%- endfor -%}
        {{- return(names + ['_cdc_marks']) -}}
    {%- endif -%}
    {%- set before = [] -%}
    {%- if not table['key'] and debezium_spark.has_complete_before(config, table['name']) -%}
        {%- set before = ['_cdc_before'] -%}
    {%- endif -%}
    {{- return(before + [
        '_cdc_op', '_cdc_key', '_cdc_pos', '_cdc_stream_pos', '_cdc_identity', '_cdc_topic', '_cdc_partition', '_cdc_offset',
        '_cdc_timestamp', '_cdc_event_id', '_cdc_tx_id', '_cdc_tx_total_order', '_cdc_tx_collection_order',
        '_cdc_snapshot', '_cdc_source_at', '_cdc_captured_at', '_cdc_landed_at', '_cdc_batch_id',
        '_cdc_old_key', '_cdc_run_id', '_cdc_unavailable', '_cdc_unmapped', '_cdc_errors',
    ]) -}}
{%- endmacro -%}


{%- macro _cdc_columns_of_collection(prefix) -%}
    {%- if prefix == 'stg' -%}
        {{- return([
            '_cdc_op', '_cdc_key', '_cdc_pos', '_cdc_identity', '_cdc_topic', '_cdc_partition', '_cdc_offset', '_cdc_timestamp',
            '_cdc_event_id', '_cdc_tx_id', '_cdc_tx_total_order', '_cdc_tx_collection_order', '_cdc_snapshot', '_cdc_source_at',
            '_cdc_captured_at', '_cdc_landed_at', '_cdc_batch_id', '_cdc_run_id', '_cdc_errors',
        ]) -}}
    {%- endif -%}
    {%- set names = [
        '_cdc_key', '_cdc_batch_id', '_cdc_op', '_cdc_is_deleted', '_cdc_pos', '_cdc_source_at', '_cdc_unavailable',
    ] -%}
    {%- for name in [
        'topic', 'mark', 'last_incarnation', 'last_partition', 'last_offset', 'last_timestamp', 'last_op', 'tombstone_at', 'is_moved', 'replays',
        'unexplained', 'first_unexplained',
    ] -%}
        {%- do names.append('_cdc_fold_' ~ name) -%}
    {%- endfor -%}
    {{- return(names + ['_cdc_marks']) -}}
{%- endmacro -%}


{%- macro _cdc_types() -%}
    {%- set types = {
        '_cdc_before': 'struct',
        '_cdc_op': 'string',
        '_cdc_key': 'string',
        '_cdc_pos': 'string',
        '_cdc_stream_pos': 'string',
        '_cdc_identity': 'string',
        '_cdc_topic': 'string',
        '_cdc_partition': 'int',
        '_cdc_offset': 'bigint',
        '_cdc_timestamp': 'timestamp',
        '_cdc_event_id': 'string',
        '_cdc_tx_id': 'string',
        '_cdc_tx_total_order': 'bigint',
        '_cdc_tx_collection_order': 'bigint',
        '_cdc_snapshot': 'string',
        '_cdc_source_at': 'timestamp',
        '_cdc_captured_at': 'timestamp',
        '_cdc_landed_at': 'timestamp',
        '_cdc_batch_id': 'bigint',
        '_cdc_old_key': 'string',
        '_cdc_run_id': 'string',
        '_cdc_unavailable': 'array<string>',
        '_cdc_unmapped': 'map<string,string>',
        '_cdc_errors': 'array<string>',
        '_cdc_is_deleted': 'boolean',
        '_cdc_count': 'bigint',
        '_cdc_marks': 'string',
    } -%}
    {%- for name, type in debezium_spark.fold_members().items() -%}
        {%- do types.update({'_cdc_fold_' ~ name: type}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{%- endmacro -%}
