{#-
    The project-wide observability models: one call each over all tables of all sources.

    `found` are the tables of the sources being generated, `kept` those of them whose models stay; those of other sources are taken from the models the
    project has, so that generating one source forgets no other.
-#}
{%- macro observability_files(sources, found, kept=[]) -%}
    {%- set tables = [] -%}
    {%- for table in kept -%}
        {%- do tables.append({'source': table.source, 'table': table.table, 'model': table.model}) -%}
    {%- endfor -%}
    {%- for table in found -%}
        {%- do tables.append({
            'source': table['source'], 'table': table['name'], 'model': table['model'],
        }) -%}
    {%- endfor -%}
    {%- set raws = sources | list -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- set meta = node.config.get('meta', {}).get('debezium_spark', {}) -%}
        {%- if meta.get('source') and meta['source'] not in sources -%}
            {%- if node.name.startswith('raw_') and meta['source'] not in raws -%}
                {%- do raws.append(meta['source']) -%}
            {%- elif node.name.startswith('stg_') and meta.get('table') -%}
                {%- do tables.append({
                    'source': meta['source'], 'table': adapter.debezium_read_argument(meta['table']), 'model': meta['model'],
                }) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not tables %}{{ return([]) }}{% endif -%}
    {%- set tables = tables | sort(attribute='source,table') -%}

    {#- documents have no layout that could drift from that of their models -#}
    {%- set of_documents = [] -%}
    {%- for name in raws if ((var('debezium_sources', {}) or {}).get(name) or {}).get('connector') == 'mongodb' -%}
        {%- do of_documents.append(name) -%}
    {%- endfor -%}
    {%- set per_source = {'raws': [], 'catalogs': []} -%}
    {%- for name in raws | sort -%}
        {%- do per_source['raws'].append("            ('" ~ name ~ "', ref('raw_" ~ name ~ "')),") -%}
        {%- if name not in of_documents -%}
        {%- do per_source['catalogs'].append(
            ' ' * 12 ~ '{\n' ~ ' ' * 16 ~ "'source': '" ~ name ~ "',\n"
            ~ ' ' * 16 ~ "'columns': ref('catalog_" ~ name ~ "__columns'),\n"
            ~ ' ' * 16 ~ "'schemas': ref('catalog_" ~ name ~ "__schemas'),\n" ~ ' ' * 12 ~ '},'
        ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set files = [] -%}
    {%- for subject in debezium_spark._observability_subjects() -%}
        {%- set watched = tables | rejectattr('source', 'in', of_documents) | list if subject['per_source'] == 'catalogs' else tables -%}
        {%- if watched -%}
        {%- set arguments = [] -%}
        {%- if subject['per_source'] -%}
            {%- do arguments.append(
                '        ' ~ subject['per_source'] ~ '=[\n' ~ per_source[subject['per_source']] | join('\n') ~ '\n        ],'
            ) -%}
        {%- endif -%}
        {%- for argument, prefix in subject['relations'] -%}
            {%- set lines = [] -%}
            {%- for table in watched -%}
                {%- set members = [
                    "'source': " ~ debezium_spark._jinja_text(table['source']),
                    "'table': " ~ debezium_spark._jinja_text(table['table']),
                    "'relation': ref('" ~ prefix ~ '_' ~ table['source'] ~ '__' ~ table['model'] ~ "')",
                ] -%}
                {%- set line = ' ' * 12 ~ '{' ~ members | join(', ') ~ '},' -%}
                {%- if line | length > 100 -%}
                    {%- set inner = '\n' ~ ' ' * 16 -%}
                    {%- set line = ' ' * 12 ~ '{' ~ inner ~ members | join(',' ~ inner) ~ ',\n' ~ ' ' * 12 ~ '},' -%}
                {%- endif -%}
                {%- do lines.append(line) -%}
            {%- endfor -%}
            {%- do arguments.append('        ' ~ argument ~ '=[\n' ~ lines | join('\n') ~ '\n        ],') -%}
        {%- endfor -%}
        {%- set path = 'models/observability/debezium_obs__' ~ subject['name'] -%}
        {%- do files.append(debezium_spark._generated_file(
            path ~ '.sql',
            debezium_spark._generated_mark('--')
            ~ "\n{{\n    config(materialized='debezium_view')\n}}\n\n{{\n    debezium_spark.obs_" ~ subject['name'] ~ '(\n'
            ~ arguments | join('\n') ~ '\n    )\n}}\n',
        )) -%}
        {%- do files.append(debezium_spark._generated_file(
            path ~ '.yml', debezium_spark._observability_properties_text(subject)
        )) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{#- Properties of one observability model. Severity of its test: var `debezium_test_severity`. -#}
{%- macro _observability_properties_text(subject) -%}
    {%- set lines = [
        debezium_spark._generated_mark('#'),
        'models:',
        '  - name: debezium_obs__' ~ subject['name'],
        '    description: ' ~ debezium_spark._yaml_text(subject['description']),
    ] -%}
    {%- if debezium_spark._config_head() | length > 1 %}{% do lines.extend(debezium_spark._config_head()) %}{% endif -%}
    {%- if subject['fails'] -%}
        {%- do lines.extend(['    data_tests:', '      - debezium_spark.reports_nothing:']) -%}
        {%- if subject['fails'] != 'always' -%}
            {%- do lines.extend([
                '          arguments:', '            condition: ' ~ debezium_spark._yaml_text(subject['fails']),
            ]) -%}
        {%- endif -%}
        {%- do lines.extend([
            '          config:',
            "            severity: \"{{ var('debezium_test_severity', 'error') }}\"",
        ]) -%}
    {%- endif -%}
    {%- do lines.append('    columns:') -%}
    {%- for name, data_type, description in debezium_spark._subject_columns(subject) -%}
        {%- do lines.extend(debezium_spark._plain_column_lines(name, data_type, description)) -%}
    {%- endfor -%}
    {{- return(lines | join('\n') ~ '\n') -}}
{%- endmacro -%}


{#- All columns of an observability model. -#}
{%- macro _subject_columns(subject) -%}
    {{- return([
        ('source_name', 'string', 'Source in the configuration.'),
        ('table_name', 'string', 'Table, as the source writes it.'),
    ] + subject['columns']) -}}
{%- endmacro -%}


{%- macro _observability_subject(name) -%}
    {{- return(debezium_spark._observability_subjects() | selectattr('name', 'equalto', name) | first) -}}
{%- endmacro -%}


{#-
    Subject → what its macro `obs_<name>` takes and gives. `fails`: which rows fail the model's test, `always` for
    every row.
-#}
{%- macro _observability_subjects() -%}
    {{- return([
        {
            'name': 'quarantine',
            'per_source': 'raws',
            'relations': [('stagings', 'stg')],
            'description': 'Everything that could not be read, or that ignore_records leaves out, with where it came from and why. Nothing in it is lost.',
            'fails': "reason not like 'record: ignored: %'",
            'columns': [
                ('stage', 'string', 'Where it was kept aside: landing or staging.'),
                ('file', 'string', 'File of a line that could not land.'),
                ('line', 'bigint', 'Number of that line, from 1.'),
                ('topic', 'string', 'Kafka topic of the record.'),
                ('partition', 'int', 'Partition of the record.'),
                ('offset', 'bigint', 'Offset of the record.'),
                ('reason', 'string', 'Why it was kept aside.'),
                ('content', 'string', 'What could not be read; the raw table has that of staged records.'),
                ('_cdc_batch_id', 'bigint', 'Landing run that met it.'),
                ('_cdc_landed_at', 'timestamp', 'When that was.'),
            ],
        },
        {
            'name': 'replays',
            'per_source': none,
            'relations': [('states', 'state')],
            'description': 'How often connectors repeated themselves. Unexplained: below the position of their row and never '
                ~ 'delivered before: their first delivery did not land, or positions started anew (a restored database, '
                ~ 'another adapter) and no epoch says so. docs/operations.md has the query that tells.',
            'fails': 'unexplained > 0',
            'columns': [
                ('replays', 'bigint', 'Events that repeated earlier ones; normal after a crash.'),
                ('unexplained', 'bigint', 'Those among them whose first delivery was never seen.'),
                ('first_unexplained_event_id', 'string', 'One of the latter, as topic:partition:offset.'),
            ],
        },
        {
            'name': 'unavailable',
            'per_source': none,
            'relations': [('states', 'state')],
            'description': 'Columns of live rows whose value no landed event says. They are NULL until a snapshot reads them.',
            'fails': 'always',
            'columns': [
                ('column_name', 'string', 'Column whose value is not known.'),
                ('row_count', 'bigint', 'Live rows in which it is not known.'),
                ('example_key', 'string', 'Key of one of them.'),
            ],
        },
        {
            'name': 'drift',
            'per_source': 'catalogs',
            'relations': [('stagings', 'stg')],
            'description': 'Where a table at its source differed from its models at the last build: one row a change, with the commands that '
                ~ 'bring the models up to date. Nothing is lost until then.',
            'fails': 'always',
            'columns': [
                ('change', 'string', 'column_added, column_dropped, column_added_again, column_type_changed, column_nullability_changed, '
                    ~ 'key_changed, topics_changed, table_added, table_dropped or table_renamed.'),
                ('column_name', 'string', 'Column that changed; null where the table as a whole did.'),
                ('modelled', 'string', 'What the models say; null where they say nothing.'),
                ('recorded', 'string', 'What the source says; null for a column it no longer has.'),
                ('is_compatible', 'boolean', 'Whether a plain dbt build takes the change in once the models are generated.'),
                ('evidence', 'string', 'How it is known: embedded_schema, schema_change_topic or configuration; values where only _cdc_unmapped '
                    ~ 'of the newest event shows the column.'),
                ('event_id', 'string', "Record (topic:partition:offset) that first showed the table's layout; the newest event where only values "
                    ~ 'show the column; null where no record tells.'),
                ('batch_id', 'bigint', 'Landing run that brought the newest event, where only values show the column.'),
                ('remedy', 'string', 'What to do, with the commands.'),
            ],
        },
        {
            'name': 'lag',
            'per_source': none,
            'relations': [('stagings', 'stg')],
            'description': 'How far each table is behind its source, by its newest event.',
            'fails': none,
            'columns': [
                ('newest_source_at', 'timestamp', 'When that was committed at the source.'),
                ('newest_captured_at', 'timestamp', 'When Debezium saw it.'),
                ('newest_landed_at', 'timestamp', 'When it landed.'),
                ('newest_batch_id', 'bigint', 'Landing run that brought it.'),
                ('lag_seconds', 'bigint', 'Seconds from commit to landing.'),
            ],
        },
    ]) -}}
{%- endmacro -%}
