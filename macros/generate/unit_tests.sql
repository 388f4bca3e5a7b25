{#-
    dbt unit tests of a table's state and current model: lines of the properties file, empty for other models.

    They say what the models promise, with rows of this table's columns and types: a deleted row stays deleted, whatever a connector
    repeats; a live one shows what its last event said; `cur_` shows the live ones only. The state of a table without a key has none:
    counting its rows takes longer than all else here (docs/decisions.md); nor has that of a
    collection, a Python model.

    dbt writes what it is given here into SQL and Jinja, and renders it twice: a table with a column whose name is not plain
    (`is_plain`) has no unit tests.
-#}
{%- macro _unit_test_lines(prefix, name, config, table) -%}
    {%- if not adapter.debezium_is_plain(table['decoded'] | map(attribute='name') | join('')) -%}
        {{- return([]) -}}
    {%- elif prefix == 'cur' -%}
        {{- return(debezium_spark._current_unit_test(name, config, table)) -}}
    {%- elif prefix == 'state' and table['key'] and not table.get('is_collection') -%}
        {{- return(debezium_spark._state_unit_test(name, config, table)) -}}
    {%- endif -%}
    {{- return([]) -}}
{%- endmacro -%}


{%- macro _state_unit_test(name, config, table) -%}
    {%- set select = [
        '_cdc_key',
        '_cdc_op',
        '_cdc_pos',
        '_cdc_pos as _cdc_stream_pos',
        "'topic' as _cdc_topic",
        '0 as _cdc_partition',
        'cast(_cdc_offset as bigint) as _cdc_offset',
        "timestamp '2026-01-01 00:00:00' as _cdc_timestamp",
        "'false' as _cdc_snapshot",
        "timestamp '2026-01-01 00:00:00' as _cdc_source_at",
        'cast(1 as bigint) as _cdc_batch_id',
        'cast(null as array<string>) as _cdc_unavailable',
        'cast(null as string) as _cdc_identity',
        'cast(null as string) as _cdc_old_key',
    ] + debezium_spark._example_selects(table, "_cdc_op = 'c'") -%}
    {%- set events = [
        "('deleted', 'c', 1, '01')",
        "('deleted', 'u', 2, '02')",
        "('live', 'c', 3, '03')",
        "('deleted', 'd', 4, '04')",
        "('live', 'u', 5, '05')",
        "('deleted', 'u', 6, '02')",
        "('live', 'c', 7, '03')",
    ] -%}
    {%- set rows = [] -%}
    {%- for key, op, deleted in [('deleted', 'd', 'true'), ('live', 'u', 'false')] -%}
        {%- do rows.append(
            [('_cdc_key', key), ('_cdc_op', op), ('_cdc_is_deleted', deleted)] + debezium_spark._example_row(table)
        ) -%}
    {%- endfor -%}
    {{- return(debezium_spark._unit_test(
        name, 'repeated_events_change_nothing',
        'A row is created, updated and deleted, another one created and updated; then the connector repeats a change of each.',
        'stg_' ~ config['name'] ~ '__' ~ table['model'],
        debezium_spark._example_sql(select, events, 'events (_cdc_key, _cdc_op, _cdc_offset, _cdc_pos)'),
        rows,
        ['    overrides:', '      macros: {debezium_spark.needs_every_rule: false}'],
    )) -}}
{%- endmacro -%}


{%- macro _current_unit_test(name, config, table) -%}
    {%- set select = debezium_spark._example_selects(table, '_cdc_is_deleted') + [
        '_cdc_op',
        "'01' as _cdc_pos",
        "timestamp '2026-01-01 00:00:00' as _cdc_source_at",
        '_cdc_is_deleted',
    ] + ([] if table['key'] else ['cast(_cdc_count as bigint) as _cdc_count']) -%}
    {%- set copies = 1 if table['key'] else 2 -%}
    {%- if table['key'] -%}
        {%- set sql = debezium_spark._example_sql(select, ["('u', false)", "('d', true)"], 'rows (_cdc_op, _cdc_is_deleted)') -%}
    {%- else -%}
        {%- set sql = debezium_spark._example_sql(
            select, ["('u', false, 2)", "('d', true, 0)"], 'rows (_cdc_op, _cdc_is_deleted, _cdc_count)'
        ) -%}
    {%- endif -%}
    {{- return(debezium_spark._unit_test(
        name, 'only_live_rows_show',
        'One row is live, another one deleted.' if table['key'] else 'A content is there twice, another one no more.',
        'state_' ~ config['name'] ~ '__' ~ table['model'],
        sql,
        [[('_cdc_op', 'u')] + debezium_spark._example_row(table)] * copies,
    )) -}}
{%- endmacro -%}


{#-
    Lines of one unit test. Rows are given as SQL, because dbt's other formats take no structs and ask the database for the input's
    columns, so that the input would have to exist; they are expected as values of the columns that matter.
-#}
{%- macro _unit_test(name, sentence, description, input, sql, rows, overrides=[]) -%}
    {%- set head = debezium_spark._config_head() -%}
    {%- set lines = [
        '',
        'unit_tests:',
        '  - name: ' ~ name ~ '__' ~ sentence,
        '    description: ' ~ adapter.debezium_yaml_text(description),
        '    model: ' ~ name,
    ] + (head if head | length > 1 else []) + overrides + [
        '    given:',
        "      - input: ref('" ~ input ~ "')",
        '        format: sql',
        '        rows: |\n          ' ~ sql | replace('\n', '\n          '),
        '    expect:',
        '      rows:',
    ] -%}
    {%- for row in rows -%}
        {%- for column, value in row -%}
            {%- do lines.append(
                ('        - ' if loop.first else '          ') ~ adapter.debezium_yaml_name(column) ~ ': '
                ~ adapter.debezium_yaml_text(value | string)
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(lines) -}}
{%- endmacro -%}


{%- macro _example_sql(select, rows, alias) -%}
    {{- return(
        'select\n    ' ~ select | join(',\n    ') ~ '\nfrom values\n    ' ~ rows | join(',\n    ') ~ '\nas ' ~ alias
    ) -}}
{%- endmacro -%}


{#-
    What a test says about each column of the table: its name in SQL, its type, and two values, none where dbt cannot compare them.
-#}
{%- macro _column_examples(table) -%}
    {%- set by_type = {} -%}
    {%- set examples = [] -%}
    {%- for column in table['decoded'] -%}
        {%- set data_type = column['data_type'] -%}
        {%- if data_type not in by_type -%}
            {%- do by_type.update({data_type: debezium_spark._example_values(data_type)}) -%}
        {%- endif -%}
        {%- do examples.append({
            'name': column['name'],
            'quoted': debezium_spark.quoted(column['name']),
            'data_type': data_type,
            'values': by_type[data_type],
        }) -%}
    {%- endfor -%}
    {{- return(examples) -}}
{%- endmacro -%}


{#- Selected columns of the table, with their first values where `condition` holds, else their second ones. -#}
{%- macro _example_selects(table, condition) -%}
    {%- set selects = [] -%}
    {%- for example in table['examples'] -%}
        {%- set values = example['values'] -%}
        {%- do selects.append(
            'cast('
            ~ ('if(' ~ condition ~ ", '" ~ values[0] ~ "', '" ~ values[1] ~ "')" if values else 'null')
            ~ ' as ' ~ example['data_type'] ~ ') as ' ~ example['quoted']
        ) -%}
    {%- endfor -%}
    {{- return(selects) -}}
{%- endmacro -%}


{#- (column, value) of the second values of the columns that can be compared. -#}
{%- macro _example_row(table) -%}
    {%- set row = [] -%}
    {%- for example in table['examples'] if example['values'] is not none -%}
        {%- do row.append((example['name'], example['values'][1])) -%}
    {%- endfor -%}
    {{- return(row) -}}
{%- endmacro -%}


{#- Two texts that Spark casts to different values of a type; none for types whose values dbt cannot compare. -#}
{%- macro _example_values(data_type) -%}
    {%- if data_type in ('int', 'bigint', 'float', 'double') -%}
        {{- return(['1', '2']) -}}
    {%- elif data_type == 'string' -%}
        {{- return(['one', 'two']) -}}
    {%- elif data_type == 'boolean' -%}
        {{- return(['false', 'true']) -}}
    {%- elif data_type in ('date', 'timestamp', 'timestamp_ntz') -%}
        {{- return(['2026-01-01', '2026-01-02']) -}}
    {%- elif data_type.startswith('decimal(') -%}
        {%- set digits = modules.re.findall('[0-9]+', data_type) -%}
        {{- return(['1', '2'] if digits[0] | int > digits[1] | int else ['0.1', '0.2']) -}}
    {%- endif -%}
    {{- return(none) -}}
{%- endmacro -%}
