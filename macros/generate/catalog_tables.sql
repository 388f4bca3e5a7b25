{#-
    The tables of a source as its catalog knows them now, ready to be written as models.

    Returns {tables, messages}. A table is {source, name, model, topics, is_shared_topic, key, columns, described,
    evidence}; `columns` and `key` are what the macros take, `described` adds comments and database types. A
    table that cannot become models is left out with a message of kind `problem`; the others are not held up.
    One query, and one more for topics that no table describes.
-#}
{%- macro catalog_tables(config) -%}
    {%- set found = debezium_spark._catalog_rows(config) -%}
    {%- set messages = found['messages'] -%}
    {%- set usable = [] -%}
    {%- set tables = debezium_spark._tables_of_rows(config, found['columns'], found['topics']) -%}
    {%- do messages.extend(debezium_spark._configured_names(config, tables)) -%}
    {%- for table in tables -%}
        {%- for problem in table['problems'] -%}
            {%- do messages.append({
                'kind': 'problem', 'source': config['name'], 'table': table['name'], 'message': problem,
            }) -%}
        {%- endfor -%}
        {%- if not table['problems'] -%}
            {%- set described = debezium_spark._described_table(config, table) -%}
            {%- do messages.extend(described['messages']) -%}
            {%- if described['columns'] -%}{%- do usable.append(described) -%}{%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do debezium_spark._mark_shared_topics(usable) -%}
    {{- return({'tables': usable | sort(attribute='name'), 'messages': messages}) -}}
{%- endmacro -%}


{#-
    The rows of a source's catalog by table, each table with its name, the keys its records have had and what keeps it from becoming
    models. `topics`: those of `_topics_seen`.
-#}
{%- macro _tables_of_rows(config, rows, topics) -%}
    {%- set tables = {} -%}
    {%- for row in rows -%}
        {%- set full_name = [row.get('database_name') or '', row['schema_name'], row['table_name']] -%}
        {%- set identity = tojson([row.get('topic_prefix')] + full_name) -%}
        {%- if identity not in tables -%}
            {%- do tables.update({
                identity: {'topic_prefix': row.get('topic_prefix'), 'full_name': full_name, 'rows': []},
            }) -%}
        {%- endif -%}
        {%- do tables[identity]['rows'].append(row) -%}
    {%- endfor -%}
    {%- set tables = tables.values() | list -%}
    {%- do debezium_spark._name_tables(config, tables) -%}
    {%- for table in tables -%}
        {%- do table.update({
            'record_keys': debezium_spark._record_keys(topics, table['rows'][0]),
            'origins': debezium_spark._origins_of(config, table),
            'has_keys': debezium_spark._topics_of(topics, table['rows'][0]) | selectattr('has_key') | list | length > 0,
            'problems': adapter.debezium_table_problems(config['name'], table),
        }) -%}
    {%- endfor -%}
    {{- return(tables) -}}
{%- endmacro -%}


{#- The current versions of a catalog, in the order of tables and columns. -#}
{%- macro _current_catalog(catalog) -%}
    {#- as JSON text, so that maps, arrays and texts that look like numbers arrive as they are; sorted in one partition, because a
        global sort runs everything twice, the first time for a sample -#}
    {%- set query -%}
select to_json(struct(*)) as catalog_row
from (
    select /*+ repartition(1) */ *
    from {{ catalog }}
    where is_current
) as current_columns
sort by topic_prefix, database_name, schema_name, table_name, ordinal_position nulls last, key_position
    {%- endset -%}
    {%- set rows = [] -%}
    {%- for text in adapter.debezium_texts(query) %}{% do rows.append(fromjson(text)) %}{% endfor -%}
    {{- return(rows) -}}
{%- endmacro -%}


{#-
    What the topics of a source have carried, from its `catalog_<source>__schemas`: table, fields, key fields, and the first record that did.
    Tables that others include stand under the names of those.
-#}
{%- macro _topics_seen(config, schemas) -%}
    {%- set included = debezium_spark.included_origins(config) -%}
    {%- set query -%}
select to_json(
    struct(
        topic,
        kind,
        value_fields,
        key_fields,
        has_key,
        {%- for column in ['topic_prefix', 'database_name', 'schema_name', 'table_name'] %}
        {{ debezium_spark._with_included(config, included, column) ~ ' as ' ~ column if included else column }},
        {%- endfor %}
        event_id
    )
) as topic_row
from (
    select
        topic,
        {{ debezium_spark._kind_in_source(config) }} as kind,
        value_fields,
        array_sort(key_fields) as key_fields,
        get_json_object(source_block, '$.name') as topic_prefix,
        get_json_object(source_block, '$.db') as database_name,
        {{ "get_json_object(source_block, '$.schema')" if 'schema' in debezium_spark.origin_members(config)
            else "get_json_object(source_block, '$.db')" }} as schema_name,
        get_json_object(source_block, '$.table') as table_name,
        bool_or(key_hash <> 0) as has_key,
        min_by(
            concat_ws(':', topic, partition, first_offset), struct(first_timestamp, topic, partition, first_offset)
        ) as event_id
    from {{ schemas }}
    where {{ debezium_spark._kind_in_source(config) }} in ('data', 'other')
    group by 1, 2, 3, 4, 5, 6, 7, 8
) as seen_topics
order by topic_row
    {%- endset -%}
    {%- set topics = [] -%}
    {%- for text in adapter.debezium_texts(query) %}{% do topics.append(fromjson(text)) %}{% endfor -%}
    {{- return(topics) -}}
{%- endmacro -%}


{#- Rows of the catalog's current versions, and what there is to say about topics without columns. -#}
{%- macro _catalog_rows(config) -%}
    {%- set columns = [] -%}
    {%- set messages = [] -%}
    {%- set described_topics = [] -%}
    {%- set catalog = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__columns') -%}
    {%- set schemas = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__schemas') -%}
    {%- if catalog is none or schemas is none -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': none,
            'message': "source '" ~ config['name'] ~ "': the catalog is not built yet. Run `debezium-spark generate`.",
        }) -%}
        {{- return({'columns': columns, 'topics': [], 'messages': messages}) -}}
    {%- endif -%}
    {%- set columns = debezium_spark._current_catalog(catalog) -%}
    {%- for column in columns %}{% do described_topics.extend(column['topics']) %}{% endfor -%}
    {%- set topics = debezium_spark._topics_seen(config, schemas) -%}
    {%- for other in debezium_spark.undescribed_tables(config, columns, topics) -%}
        {%- do messages.append({
            'kind': 'warning', 'source': config['name'], 'table': other.name,
            'message': "topic '" ~ other.topic ~ "' also holds records of table '" ~ other.name ~ "' (the first: " ~ other.event_id
                ~ '), which go to no model: they carry no schema, so its types are unknown (fields seen: '
                ~ other.fields | join(', ') ~ '). Declare them: debezium_sources.' ~ config['name'] ~ '.tables.' ~ other.name ~ '.columns.',
        }) -%}
    {%- endfor -%}
    {%- set unwritten = debezium_spark._unwritten_schemas(config, schemas) -%}
    {%- set seen = unwritten | map(attribute='topic') | list -%}
    {%- for topic in topics -%}
        {%- set name = (topic.get('schema_name') or topic.get('database_name') or '') ~ '.' ~ topic.get('table_name', '') -%}
        {%- set signal = config.get('signal_data_collection') -%}
        {%- if topic['topic'] not in described_topics and topic['topic'] not in seen
            and signal not in [name, topic.get('database_name', '') ~ '.' ~ name] -%}
            {%- do seen.append(topic['topic']) -%}
            {%- if topic['kind'] == 'data' -%}
                {%- do messages.append({
                    'kind': 'warning', 'source': config['name'], 'table': name,
                    'message': "the records of topic '" ~ topic['topic'] ~ "' carry no schema, so the types of table '" ~ name
                        ~ "' are unknown (fields seen: " ~ (topic.get('value_fields') or []) | join(', ')
                        ~ "). Declare them: debezium_sources." ~ config['name'] ~ ".tables." ~ name ~ ".columns."
                        ~ (" If it is the signal table: signal_data_collection: " ~ name ~ "."
                            if topic.get('value_fields') == ['id', 'type', 'data'] else ''),
                }) -%}
            {%- else -%}
                {%- do messages.append({
                    'kind': 'note', 'source': config['name'], 'table': none,
                    'message': "topic '" ~ topic['topic'] ~ "' holds records that are no change events; it is left alone.",
                }) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do messages.extend(debezium_spark._unwritten_messages(config, unwritten, described_topics)) -%}
    {%- do messages.extend(debezium_spark._undefined_messages(config, schemas)) -%}
    {%- do messages.extend(debezium_spark._other_source_messages(config, schemas)) -%}
    {%- do messages.extend(debezium_spark._disagreement_messages(config)) -%}
    {%- if not columns -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': none,
            'message': "source '" ~ config['name'] ~ "': no table seen yet in the records landed so far.",
        }) -%}
    {%- endif -%}
    {{- return({'columns': columns, 'topics': topics, 'messages': messages}) -}}
{%- endmacro -%}


{#- What the topics carry of one table. -#}
{%- macro _topics_of(topics, row) -%}
    {%- set own = [] -%}
    {%- for topic in topics
        if topic['topic'] in row['topics'] and debezium_spark._carries(topic, row) -%}
        {%- do own.append(topic) -%}
    {%- endfor -%}
    {{- return(own) -}}
{%- endmacro -%}


{#- Names of the key columns, a list for each set of them that records of the table have had. -#}
{%- macro _record_keys(topics, row) -%}
    {%- set keys = [] -%}
    {%- for topic in debezium_spark._topics_of(topics, row)
        if topic.get('key_fields') and debezium_spark._is_key_of(topic) and topic['key_fields'] not in keys -%}
        {%- do keys.append(topic['key_fields']) -%}
    {%- endfor -%}
    {{- return(keys | sort) -}}
{%- endmacro -%}


{#- Whether what a topic carried is of the table of a row of the catalog; what its records leave open is no contradiction. -#}
{%- macro _carries(topic, row) -%}
    {{- return(
        topic.get('table_name') == row['table_name']
        and debezium_spark._agree(topic.get('schema_name'), row['schema_name'])
        and debezium_spark._agree(topic.get('database_name'), row.get('database_name'))
        and debezium_spark._agree(topic.get('topic_prefix'), row.get('topic_prefix'))
    ) -}}
{%- endmacro -%}


{%- macro _agree(one, other) -%}
    {{- return(one is none or other is none or one == other) -}}
{%- endmacro -%}


{#-
    Tables without known types in topics of tables that have them: a list of {name, topic, event_id, fields}. Their records go to nobody's
    model, and a topic of their own that would tell them there is not.
-#}
{%- macro undescribed_tables(config, rows, topics) -%}
    {%- set signals = config.get('signal_data_collection') -%}
    {%- set tables = {} -%}
    {%- for topic in topics if topic['kind'] == 'data' and topic.get('table_name') -%}
        {%- set neighbours = [] -%}
        {%- set own = [] -%}
        {%- for row in rows if topic['topic'] in row['topics'] -%}
            {%- do (own if debezium_spark._carries(topic, row) else neighbours).append(row) -%}
        {%- endfor -%}
        {%- set short = (topic.get('schema_name') or topic.get('database_name') or '') ~ '.' ~ topic['table_name'] -%}
        {%- set long = (topic.get('database_name') or '') ~ '.' ~ short -%}
        {%- if neighbours and not own and signals not in [short, long] -%}
            {%- set names = [] -%}
            {%- for row in neighbours %}{% do names.append(row['schema_name'] ~ '.' ~ row['table_name']) %}{% endfor -%}
            {%- do tables.setdefault(long if short in names else short, {
                'name': long if short in names else short, 'topic': topic['topic'], 'event_id': topic.get('event_id'),
                'fields': topic.get('value_fields') or [],
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(tables.values() | list) -}}
{%- endmacro -%}


{#- What the source blocks of a table's records hold (macros/envelope/origins.sql), by its row of the catalog and the configuration. -#}
{%- macro _origins_of(config, table) -%}
    {%- set columns = debezium_spark._origin_columns(config) -%}
    {%- set parts = {
        'topic_prefix': table.get('topic_prefix'), 'database_name': table.full_name[0], 'schema_name': table.full_name[1],
        'table_name': table.full_name[2],
    } -%}
    {%- set own = {} -%}
    {%- for member in debezium_spark.origin_members(config) if parts[columns[member][0]] -%}
        {%- do own.update({member: parts[columns[member][0]]}) -%}
    {%- endfor -%}
    {%- set origins = [own] -%}
    {%- for one in debezium_spark.included_origins(config) -%}
        {%- set of_it = [] -%}
        {%- for member, text in one.own.items() if own.get(member) != text %}{% do of_it.append(member) %}{% endfor -%}
        {%- if not of_it %}{% do origins.append(dict(own, **one.members)) %}{% endif -%}
    {%- endfor -%}
    {{- return(origins) -}}
{%- endmacro -%}


{#- Whether the fields of a key name a row: one of them at least is a column, and none stands twice. -#}
{%- macro _is_key_of(topic) -%}
    {%- set fields = topic['key_fields'] -%}
    {%- set columns = topic.get('value_fields') -%}
    {{- return(
        fields | unique | list | length == fields | length and (not columns or fields | select('in', columns) | list | length > 0)
    ) -}}
{%- endmacro -%}


{#- How many disagreements the evidence has, with one of them: the model has them all. -#}
{%- macro _disagreement_messages(config) -%}
    {%- set name = 'catalog_' ~ config['name'] ~ '__disagreements' -%}
    {%- set relation = debezium_spark._model_relation(name) -%}
    {%- if relation is none %}{{ return([]) }}{% endif -%}
    {%- set query -%}
select to_json(
    struct(
        count(*) as disagreements,
        min(
            concat(
                schema_name, '.', table_name, coalesce(concat(', column ', column_name), ''), ': ', matter, ' ',
                chosen, ' (', chosen_from, '), not ', other, ' (', other_from, ')'
            )
        ) as example
    )
) as disagreement_row
from {{ relation }}
    {%- endset -%}
    {%- set found = fromjson(adapter.debezium_texts(query)[0]) -%}
    {%- if not found['disagreements'] %}{{ return([]) }}{% endif -%}
    {{- return([{
        'kind': 'note', 'source': config['name'], 'table': none,
        'message': "source '" ~ config['name'] ~ "': records, definitions and configuration disagree in "
            ~ found['disagreements'] ~ " places, which " ~ name ~ " lists. One: " ~ found['example'] ~ ".",
    }]) -}}
{%- endmacro -%}


{#- The relation of a model of the project, none while it is not built. -#}
{%- macro _model_relation(name) -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.name == name -%}
        {%- set relation = api.Relation.create(
            database=node.database, schema=node.schema, identifier=node.alias
        ) -%}
        {%- if load_relation(relation) is not none -%}{{- return(relation) -}}{%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}


{#- The row's catalog entries as the dictionaries that models and properties are written from. -#}
{%- macro _described_table(config, table) -%}
    {%- set columns = [] -%}
    {%- set described = {} -%}
    {%- set key = {} -%}
    {%- set history = debezium_spark._told_history(config, table) -%}
    {%- set messages = history['messages'] -%}
    {%- if table['rows'][0].get('ended_by') -%}
        {%- do messages.append({
            'kind': 'note', 'source': config['name'], 'table': table['name'],
            'message': "table '" ~ table['name'] ~ "' was " ~ table['rows'][0]['ended_by']
                ~ ' at the source; its models are kept' ~ (
                    ', and its rows end.' if table['rows'][0]['ended_by'] == 'dropped' else ' and show the rows it held.'
                ),
        }) -%}
    {%- endif -%}
    {%- for row in table['rows'] -%}
        {%- set node = fromjson(row['schema_json']) -%}
        {%- if row.get('connect_type') is none -%}
            {%- do messages.append({
                'kind': 'note', 'source': config['name'], 'table': table['name'],
                'message': "column '" ~ row['column_name'] ~ "' of table '" ~ table['name'] ~ "' has the type '"
                    ~ (row.get('database_type') or 'unknown') ~ "', which the connector does not encode in a known way; it is left "
                    ~ "out (values that arrive are kept in _cdc_unmapped). Declare it: debezium_sources." ~ config['name']
                    ~ ".tables." ~ table['name'] ~ ".columns.",
            }) -%}
        {%- else -%}
            {%- set column = debezium_spark.known_database_type(
                config, debezium_spark._column_of(node), row.get('database_type')
            ) -%}
            {#- the definition of the table knows better than a schema what may be null -#}
            {%- do column.pop('optional', none) -%}
            {%- do column.update(history['columns'].get(column['name'], {})) -%}
            {%- if not row['is_optional'] %}{% do column.update({'optional': false}) %}{% endif -%}
            {%- if row.get('gone_until') and not row['is_key'] -%}
                {%- do column.update({'gone_until': row['gone_until']}) -%}
                {%- do messages.append({
                    'kind': 'note', 'source': config['name'], 'table': table['name'],
                    'message': "column '" ~ row['column_name'] ~ "' of table '" ~ table['name'] ~ "' was gone and is there again: what records up to position "
                        ~ row['gone_until'] ~ ' say of it is not shown.',
                }) -%}
            {%- endif -%}
            {%- if row.get('ordinal_position') is not none -%}
                {%- do columns.append(column) -%}
                {%- do described.update({column['name']: row}) -%}
            {%- endif -%}
            {%- if row['is_key'] -%}
                {%- set key_column = column.copy() -%}
                {%- do key_column.pop('optional', none) -%}
                {%- do key_column.pop('added_default', none) -%}
                {%- do key.update({row['key_position']: key_column}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set key_columns = [] -%}
    {%- for position in key | sort %}{% do key_columns.append(key[position]) %}{% endfor -%}
    {%- do messages.extend(debezium_spark._keyless_messages(config, table, key_columns, described)) -%}
    {{- return({
        'source': config['name'],
        'name': table['name'],
        'model': table['model'],
        'topics': table['rows'][0]['topics'],
        'is_shared_topic': false,
        'origins': table['origins'],
        'evidence': table['rows'][0]['evidence'],
        'ended_by': table['rows'][0].get('ended_by'),
        'since_position': table['rows'][0].get('since_position'),
        'last_position': table['rows'][0].get('last_position'),
        'comment': table['rows'][0].get('table_comment'),
        'key': key_columns,
        'former_keys': debezium_spark._former_keys(config, table, key_columns),
        'columns': columns,
        'decoded': debezium_spark.decoded_columns(config, columns),
        'described': described,
        'messages': messages,
    }) -}}
{%- endmacro -%}


{#-
    A Connect schema node as the column dictionary of the macros, the reverse of `_connect_node`.
    Left out: what decodes no value and changes often (labels of an enum, documentation, defaults).
-#}
{%- macro _column_of(node) -%}
    {%- set column = {} -%}
    {%- if node.get('field') is not none %}{% do column.update({'name': node['field']}) %}{% endif -%}
    {%- do column.update({'type': node['type']}) -%}
    {%- if node.get('name') %}{% do column.update({'semantic': node['name']}) %}{% endif -%}
    {%- set parameters = {} -%}
    {%- for name, parameter in (node.get('parameters') or {}).items() -%}
        {%- if name != 'allowed' and not name.startswith('__debezium.') -%}
            {%- do parameters.update({name: parameter}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if parameters %}{% do column.update({'parameters': parameters}) %}{% endif -%}
    {%- if node.get('optional') is false %}{% do column.update({'optional': false}) %}{% endif -%}
    {%- for member in ['items', 'keys', 'values'] if node.get(member) -%}
        {%- do column.update({member: debezium_spark._column_of(node[member])}) -%}
    {%- endfor -%}
    {%- if node.get('fields') -%}
        {%- set fields = [] -%}
        {%- for field in node['fields'] %}{% do fields.append(debezium_spark._column_of(field)) %}{% endfor -%}
        {%- do column.update({'fields': fields}) -%}
    {%- endif -%}
    {{- return(column) -}}
{%- endmacro -%}


{#- Tables whose topic holds records of another table too: only the source block tells them apart. -#}
{%- macro _mark_shared_topics(tables) -%}
    {%- set owners = {} -%}
    {%- for table in tables -%}
        {%- for topic in table['topics'] -%}
            {%- do owners.update({topic: owners.get(topic, 0) + 1}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for table in tables -%}
        {%- for topic in table['topics'] if owners[topic] > 1 -%}
            {%- do table.update({'is_shared_topic': true}) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro -%}
