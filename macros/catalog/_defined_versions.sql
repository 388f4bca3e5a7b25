{#-
    The layouts of every table of a source: the CTEs that the models of the catalog begin with, the last
    of them `defined_versions`, one row per table and version.

    Three kinds of evidence become rows of one form: embedded schemas (`nodes`), definitions of the
    schema-change topic (`definition`) and ends of tables (`ended_by`). Each stands where its records stand in
    the source's log: incarnation, epoch, life (counts full snapshots of a database that started again lower), position,
    and arrival between equals. The highest standing wins wherever evidence of one kind differs, so a repeated
    stretch of records changes nothing.

    Tables are small here, so everything of a table is gathered into one row and compared as arrays:
    joining the parts by name instead took half a minute to plan.
-#}
{%- macro _defined_versions(config, schemas) -%}
    {%- set prefix = debezium_spark.text_literal(config['topic_prefix']) -%}
    {%- set has_definitions = debezium_spark._has_schema_change_topic(config) -%}
    {#- only a run may look at data -#}
    {%- set unwritten = debezium_spark._unwritten_schemas(config, schemas) if debezium_spark.is_running() else [] -%}
with

-- per layout and epoch the record furthest in the source's log and the last one; snapshots one by one
sightings as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        {{ debezium_spark._kind_in_source(config) }} as kind,
        key_schema,
        value_schema,
        array_distinct(key_fields) as key_fields,
        value_fields,
        source_block,
        definition,
        lowest_position,
        coalesce(is_snapshot, false) as is_snapshot,
        named_struct(
            'at', first_timestamp, 'topic', topic, 'partition', partition, 'offset', first_offset
        ) as first_seen,
        point.position,
        topic as _cdc_topic,
        partition as _cdc_partition,
        point.offset as _cdc_offset,
        point.at as _cdc_timestamp
    from {{ schemas }}
    lateral view explode(
        array(
            named_struct('at', last_timestamp, 'offset', last_offset, 'position', last_position),
            named_struct(
                'at', coalesce(highest_timestamp, last_timestamp),
                'offset', coalesce(highest_offset, last_offset),
                'position', highest_position
            )
        )
    ) exploded as point
    {%- if unwritten %}
    where
        {%- for schema in unwritten %}
        {{ 'and ' if not loop.first }}not (
            topic = {{ debezium_spark.text_literal(schema.topic) }}
            and key_hash = {{ schema.key_hash }}
            and value_hash = {{ schema.value_hash }}
        )
        {%- endfor %}
    {%- endif %}

),

points as (

    select
        topic,
        key_hash,
        value_hash,
        origin_hash,
        max(kind) as kind,
        max(key_schema) as key_schema,
        max(value_schema) as value_schema,
        max(key_fields) as key_fields,
        max(value_fields) as value_fields,
        max(source_block) as source_block,
        max(definition) as definition,
        min(lowest_position) as lowest_position,
        min(first_seen) as first_seen,
        is_snapshot,
        incarnation,
        epoch,
        max(named_struct('position', position, 'seen', seen)) as highest,
        max(named_struct('seen', seen, 'position', position)) as last
    from (
        select
            *,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            {{ debezium_spark.event_epoch(config) }} as epoch,
            named_struct(
                'at', _cdc_timestamp, 'topic', topic, 'partition', partition, 'offset', _cdc_offset
            ) as seen
        from sightings
    ) as placed
    group by
        topic,
        key_hash,
        value_hash,
        origin_hash,
        is_snapshot,
        incarnation,
        epoch,
        if(is_snapshot, position, null)

),

samples as (

    select
        topic,
        key_hash,
        value_hash,
        min(first_seen) as first_seen,
        min(lowest_position) as lowest_position,
        -- a full snapshot shows columns that the stream leaves out: only changes tell when one was there
        min(lowest_position) filter (where not is_snapshot) as lowest_streamed,
        max(highest.position) filter (where not is_snapshot) as highest_streamed,
        flatten(
            collect_list(
                array(
                    named_struct(
                        'incarnation', incarnation,
                        'epoch', epoch,
                        'position', highest.position,
                        'seen', highest.seen,
                        'restarted', if(is_snapshot, first_seen, null)
                    ),
                    named_struct(
                        'incarnation', incarnation,
                        'epoch', epoch,
                        'position', last.position,
                        'seen', last.seen,
                        'restarted', if(is_snapshot, first_seen, null)
                    )
                )
            )
        ) as points,
        max(kind) as kind,
        max(key_schema) as key_schema,
        max(value_schema) as value_schema,
        max(key_fields) as key_fields,
        max(value_fields) as value_fields,
        max(source_block) as source_block,
        max(definition) as definition
    from points
    group by topic, key_hash, value_hash, origin_hash

),

{%- if has_definitions %}

defined_samples as (

    select
        *,
        if(
            kind = 'schema_change',
            filter({{ debezium_spark._table_changes('definition') }}, one -> {{ debezium_spark._is_definition('one') }}),
            null
        ) as changes,
        get_json_object(source_block, '$.table') as changed_tables
    from samples
    where kind in ('data', 'schema_change')

),

-- one row per table that a record tells something about
facts as (

    select
        *,
        {# every part of the id is quoted, and may hold dots and doubled quotes #}
        if(
            change.id like '"%',
            transform(
                regexp_extract_all(change.id, '"((?:[^"]|"")*)"', 1),
                part -> replace(part, '""', '"')
            ),
            split(change.id, '\\.')
        ) as parts
    from defined_samples
    lateral view explode(
        if(
            kind = 'data',
            {# a cast would do, but SQLFluff reads no type with so many closing brackets #}
            array(from_json(cast(null as string), '{{ debezium_spark._table_changes_type()[6:-1] }}')),
            concat(
                -- a snapshot begins with statements that build a replica: they drop nothing at the source
                filter(
                    changes,
                    one -> one.type != 'DROP'
                        or coalesce(get_json_object(source_block, '$.snapshot'), 'false') = 'false'
                ),
                -- of a rename the id is the new name; only the list of tables (`old,new`) has the old one
                transform(
                    filter(
                        changes,
                        one -> one.type = 'ALTER'
                            and endswith(
                                changed_tables,
                                concat(',', {{ debezium_spark._table_of_id('one.id') }})
                            )
                    ),
                    one -> named_struct('type', 'RENAME', 'id', one.id, 'table', one.table)
                )
            )
        )
    ) exploded as change

),

{%- endif %}

-- whose records are they? The source block says; a topic's name is ambiguous
named_evidence as (

    select
        coalesce(
            nullif(get_json_object(source_block, '$.name'), ''), {{ prefix }}
        ) as topic_prefix,
        {%- if has_definitions %}
        -- without schemas the database takes their place
        if(
            kind = 'data',
            {{ debezium_spark._sampled_table('database') }},
            coalesce(get(parts, size(parts) - 3), get(parts, size(parts) - 2))
        ) as database_name,
        if(
            kind = 'data',
            {{ debezium_spark._sampled_table('schema') }},
            get(parts, size(parts) - 2)
        ) as schema_name,
        case
            when kind = 'data' then {{ debezium_spark._sampled_table('table') }}
            when change.type = 'RENAME'
                then substring(
                    changed_tables, 1, length(changed_tables) - length(parts[size(parts) - 1]) - 1
                )
            else get(parts, size(parts) - 1)
        end as table_name,
        if(kind = 'data', topic, null) as topic,
        {%- else %}
        {{ debezium_spark._sampled_table('database') }} as database_name,
        {{ debezium_spark._sampled_table('schema') }} as schema_name,
        {{ debezium_spark._sampled_table('table') }} as table_name,
        topic,
        {%- endif %}
        if(
            kind = 'data',
            from_json(
                get_json_object(
                    get(
                        filter(
                            from_json(get_json_object(value_schema, '$.fields'), 'array<string>'),
                            field -> get_json_object(field, '$.field') = 'after'
                        ),
                        0
                    ),
                    '$.fields'
                ),
                'array<string>'
            ),
            null
        ) as nodes,
        {%- if has_definitions %}
        -- up to 2.3 a DROP repeats the last definition
        if(
            change.type in ('CREATE', 'ALTER'),
            transform(
                transform(
                    change.table.columns,
                    field -> named_struct(
                        'field', field,
                        'encoding', {{ debezium_spark._definition_encoding('field', config) }}
                    )
                ),
                pair -> named_struct(
                    'name', pair.field.name,
                    'node', to_json(
                        named_struct(
                            'type', pair.encoding.type,
                            'optional', pair.field.optional,
                            'name', pair.encoding.name,
                            'parameters', pair.encoding.parameters,
                            'field', pair.field.name
                        )
                    ),
                    'is_optional', pair.field.optional,
                    'position', pair.field.position,
                    'default_value', pair.field.defaultValueExpression,
                    'database_type', pair.encoding.database_type,
                    'comment', pair.field.comment,
                    'enum_values', if(
                        upper(pair.field.typeName) like 'ENUM%',
                        transform(
                            pair.field.enumValues,
                            label -> {{ debezium_spark._enum_label('label') }}
                        ),
                        null
                    )
                )
            ),
            null
        ) as definition,
        change.table.primaryKeyColumnNames as primary_key,
        change.table.comment as table_comment,
        case change.type
            when 'DROP' then 'dropped'
            when 'RENAME' then concat('renamed to ', parts[size(parts) - 2], '.', parts[size(parts) - 1])
        end as ended_by,
        {%- else %}
        cast(null as {{ debezium_spark._definition_type() }}) as definition,
        cast(null as array<string>) as primary_key,
        cast(null as string) as table_comment,
        cast(null as string) as ended_by,
        {%- endif %}
        if(
            kind = 'data',
            from_json(get_json_object(key_schema, '$.fields'), 'array<string>'),
            null
        ) as key_nodes,
        if(kind = 'data', key_fields, null) as record_key,
        value_fields,
        get_json_object(source_block, '$.version') as connector_version,
        first_seen,
        lowest_position,
        lowest_streamed,
        highest_streamed,
        points
    from (
        select
            *,
            split(substring(topic, length({{ prefix }}) + 2), '\\.') as topic_parts
        from {{ 'facts' if has_definitions else 'samples' }}
        {%- if not has_definitions %}
        where kind = 'data'
        {%- endif %}
    ) as named_facts

),

{%- set included = debezium_spark.included_origins(config) %}

all_evidence as (

    select
        {%- if included %}
        {# of tables that configuration includes in others; the end of one of them is not the end of the whole #}
        * except (topic_prefix, database_name, schema_name, table_name, ended_by),
        if({{ debezium_spark._is_included(config, included) }}, null, ended_by) as ended_by,
        {%- for column in ['topic_prefix', 'database_name', 'schema_name', 'table_name'] %}
        {{ debezium_spark._with_included(config, included, column) }} as {{ column }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- else %}
        *
        {%- endif %}
    from named_evidence

),

evidence as (

    select
        {# a record that does not tell its database is of the one that others tell #}
        coalesce(
            database_name,
            max(database_name) over (partition by topic_prefix, schema_name, table_name),
            ''
        ) as identity_database,
        {# a key that shares no column with its row is none of the table: cut, damaged, or of another form #}
        * except (key_nodes, record_key, value_fields),
        if(
            {{ debezium_spark._names_a_row("transform(key_nodes, node -> get_json_object(node, '$.field'))") }},
            key_nodes,
            null
        ) as key_nodes,
        if({{ debezium_spark._names_a_row('record_key') }}, record_key, null) as record_key
    from all_evidence
    where
        schema_name <> ''
        and table_name <> ''
        {%- if config.get('signal_data_collection') %}
        and {{ debezium_spark.text_literal(config['signal_data_collection']) }} not in (
            concat(schema_name, '.', table_name),
            concat(database_name, '.', schema_name, '.', table_name)
        )
        {%- endif %}

),

-- a full snapshot that stands lower than what came before it is of a database that started again
restarts as (

    select
        *,
        array_distinct(
            transform(
                filter(
                    table_points,
                    point -> point.restarted is not null
                    and exists(
                        table_points,
                        earlier -> earlier.seen < point.restarted
                        and earlier.incarnation = point.incarnation
                        and earlier.epoch = point.epoch
                        and earlier.position > point.position
                    )
                ),
                point -> point.restarted
            )
        ) as restarted
    from (
        select
            *,
            flatten(
                collect_list(points) over (
                    partition by topic_prefix, identity_database, schema_name, table_name
                )
            ) as table_points
        from evidence
    ) as points_of_tables

),

-- how far evidence reaches in the source's log; arrival decides only between equal positions
standing_evidence as (

    select
        * except (table_points, restarted, points),
        array_max(
            transform(
                points,
                point -> named_struct(
                    'incarnation', point.incarnation,
                    'epoch', point.epoch,
                    'life', size(filter(restarted, restart -> restart <= point.seen)),
                    'position', coalesce(point.position, ''),
                    'seen', point.seen
                )
            )
        ) as standing
    from restarts

),

layouts as (

    select
        topic_prefix,
        identity_database,
        schema_name,
        table_name,
        nodes,
        definition,
        ended_by,
        max_by(database_name, standing) as database_name,
        collect_set(topic) as topics,
        max_by(key_nodes, standing) filter (where key_nodes is not null) as key_nodes,
        max_by(record_key, standing) filter (where record_key is not null) as record_key,
        max_by(primary_key, standing) as primary_key,
        max_by(table_comment, standing) as table_comment,
        max_by(connector_version, standing) as connector_version,
        min(first_seen) as first_seen,
        min(lowest_position) as lowest_position,
        min(lowest_streamed) as lowest_streamed,
        max(highest_streamed) as highest_streamed,
        max(standing) as standing,
        max(standing) filter (where record_key is not null or key_nodes is not null) as key_standing
    from standing_evidence
    group by topic_prefix, identity_database, schema_name, table_name, nodes, definition, ended_by

),

found_tables as (

    select
        topic_prefix,
        identity_database,
        schema_name,
        table_name,
        max_by(database_name, standing) as database_name,
        array_sort(array_distinct(flatten(collect_list(topics)))) as topics,
        max_by(
            coalesce(transform(key_nodes, node -> get_json_object(node, '$.field')), record_key),
            key_standing
        ) filter (where key_standing is not null) as record_key,
        max_by(key_nodes, key_standing) filter (where key_nodes is not null) as key_nodes,
        max_by(primary_key, standing) filter (where definition is not null) as primary_key,
        max_by(table_comment, standing) filter (where definition is not null) as table_comment,
        max_by(connector_version, standing) as connector_version,
        {# the last thing known of the table is its end #}
        max_by(ended_by, standing) as ended_by,
        collect_list(
            named_struct(
                'first_seen', first_seen,
                'nodes', nodes,
                'standing', standing,
                'lowest_position', lowest_position
            )
        ) filter (where nodes is not null) as embedded,
        {{ debezium_spark._streamed_layouts(config) | indent(8) }} as streamed,
        collect_list(
            named_struct(
                'first_seen', first_seen,
                'definition', definition,
                'standing', standing,
                'lowest_position', lowest_position
            )
        ) filter (where definition is not null) as definitions
    from layouts
    group by topic_prefix, identity_database, schema_name, table_name

),

{%- set configured = debezium_spark._configured_nodes(config) %}

tables as (

    select
        {%- if configured %}
        coalesce(found_tables.topic_prefix, {{ prefix }}) as topic_prefix,
        coalesce(found_tables.database_name, get(parts, size(parts) - 3)) as database_name,
        coalesce(found_tables.schema_name, get(parts, size(parts) - 2)) as schema_name,
        coalesce(found_tables.table_name, get(parts, size(parts) - 1)) as table_name,
        found_tables.topics,
        found_tables.key_nodes,
        found_tables.connector_version,
        found_tables.table_comment,
        found_tables.ended_by,
        found_tables.embedded,
        found_tables.definitions,
        found_tables.streamed,
        found_tables.record_key,
        found_tables.primary_key,
        settings.key as configured_key,
        coalesce(settings.columns, array()) as configured_nodes
    from found_tables
    full outer join (
        select
            table_key,
            settings,
            split(table_key, '\\.') as parts
        from (
            select explode(
                from_json(
                    {{ debezium_spark.text_literal(tojson(configured)) }},
                    'map<string, struct<key: array<string>, columns: array<string>>>'
                )
            ) as (table_key, settings)
        ) as configuration
    ) as configured_tables
        on configured_tables.table_key in (
            concat(found_tables.schema_name, '.', found_tables.table_name),
            concat(
                found_tables.database_name, '.', found_tables.schema_name, '.', found_tables.table_name
            )
        )
        {%- else %}
        topic_prefix,
        database_name,
        schema_name,
        table_name,
        topics,
        key_nodes,
        connector_version,
        table_comment,
        ended_by,
        embedded,
        definitions,
        streamed,
        record_key,
        primary_key,
        cast(null as array<string>) as configured_key,
        cast(array() as array<string>) as configured_nodes
    from found_tables
        {%- endif %}

),

layouts_of_tables as (

    select
        topic_prefix,
        database_name,
        schema_name,
        table_name,
        coalesce(
            nullif(topics, array()), array({{ debezium_spark._default_topic(config) }})
        ) as topics,
        key_nodes,
        coalesce(configured_key, record_key, primary_key, array()) as key_names,
        configured_key,
        record_key,
        primary_key,
        table_comment,
        ended_by,
        configured_nodes,
        coalesce(definitions, array()) as definitions,
        {{ debezium_spark._columns_gone() | indent(8) }} as columns_gone,
        case
            when size(embedded) > 0 then 'embedded_schema'
            when size(definitions) > 0 then 'schema_change_topic'
            else 'configuration'
        end as evidence,
        array_sort(
            case
                when size(embedded) > 0 then embedded
                when size(definitions) > 0
                    then transform(
                        definitions,
                        known -> named_struct(
                            'first_seen', known.first_seen,
                            'nodes', transform(known.definition, field -> field.node),
                            'standing', known.standing,
                            'lowest_position', known.lowest_position
                        )
                    )
                when size(configured_nodes) > 0
                    then array(
                        named_struct(
                            'first_seen', cast(null as {{ debezium_spark._sighting_type() }}),
                            'nodes', configured_nodes,
                            'standing', cast(null as {{ debezium_spark._standing_type() }}),
                            'lowest_position', cast(null as string)
                        )
                    )
            end
        ) as versions
    from tables

),

versions as (

    select
        layouts_of_tables.*,
        version_index,
        layout,
        transform(layout.nodes, node -> get_json_object(node, '$.field')) as names,
        layout.standing <=> array_max(transform(versions, one -> one.standing)) as is_current
    from layouts_of_tables
    lateral view posexplode(versions) exploded as version_index, layout

),

-- the definition that says most about a version: its own, else one of the same columns, else the latest
defined_versions as (

    select
        *,
        array_max(
            transform(
                definitions,
                known -> named_struct(
                    'is_own', transform(known.definition, field -> field.node) = layout.nodes,
                    'fits', array_sort(transform(known.definition, field -> field.name))
                        = array_sort(names),
                    'standing', known.standing,
                    'definition', known.definition
                )
            )
        ).definition as definition
    from versions

)
{%- endmacro -%}


{#- A part of the name of the table that a sampled record belongs to; the topic's parts as last resort. -#}
{%- macro _sampled_table(part) -%}
    {#- MySQL and MongoDB have no schemas: the database takes their place -#}
    {%- set members = {
        'database': ['db'],
        'schema': ['schema', 'db'],
        'table': ['table', 'collection'],
    }[part] -%}
    {%- set from_end = {'database': 3, 'schema': 2, 'table': 1}[part] -%}
coalesce(
            {%- for member in members %}
            nullif(get_json_object(source_block, '$.{{ member }}'), ''),
            {%- endfor %}
            get(topic_parts, size(topic_parts) - {{ from_end }})
        )
{%- endmacro -%}


{#- The columns of a table's name that members of a source block become; MySQL and MongoDB have databases in the place of schemas. -#}
{%- macro _origin_columns(config) -%}
    {%- set has_schemas = 'schema' in debezium_spark.origin_members(config) -%}
    {{- return({
        'name': ['topic_prefix'],
        'db': ['database_name'] if has_schemas else ['schema_name', 'database_name'],
        'schema': ['schema_name'],
        'table': ['table_name'],
        'collection': ['table_name'],
    }) -}}
{%- endmacro -%}


{#- SQL condition: evidence is of a table that another includes; by one entry, or by all of them. -#}
{%- macro _is_included(config, included) -%}
    {%- set columns = debezium_spark._origin_columns(config) -%}
    {%- set alternatives = [] -%}
    {%- for one in included -%}
        {%- set conditions = [] -%}
        {%- for member, text in one.members.items() -%}
            {%- do conditions.append(debezium_spark._matches_text(columns[member][0], text)) -%}
        {%- endfor -%}
        {%- do alternatives.append('(' ~ conditions | join(' and ') ~ ')') -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ alternatives | join(' or ') ~ ', false)') -}}
{%- endmacro -%}


{#- SQL: a part of a table's name, of included tables that of the whole. -#}
{%- macro _with_included(config, included, column) -%}
    {%- set columns = debezium_spark._origin_columns(config) -%}
    {%- set branches = [] -%}
    {%- for one in included -%}
        {%- set told = namespace(value=column) -%}
        {%- for member, text in one.own.items() if column in columns[member] -%}
            {%- set told.value = debezium_spark.text_literal(text) -%}
        {%- endfor -%}
        {%- do branches.append('when ' ~ debezium_spark._is_included(config, [one]) ~ ' then ' ~ told.value) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' else ' ~ column ~ ' end') -}}
{%- endmacro -%}


{#- SQL condition: key columns among which is one of the row's, where the record shows any of a row. -#}
{%- macro _names_a_row(key) -%}
coalesce(
                arrays_overlap(
                    {{ key }},
                    coalesce(transform(nodes, node -> get_json_object(node, '$.field')), value_fields)
                ),
                size({{ key }}) > 0
            )
{%- endmacro -%}


{#- Where the connector would write a table of which no record has come yet. -#}
{%- macro _default_topic(config) -%}
    {%- set parts = [debezium_spark.text_literal(config['topic_prefix'])] -%}
    {%- if config['connector'] == 'sqlserver' -%}
        {#- before 2.0 the database was not part of the name -#}
        {%- do parts.append(
            "if(cast(substring_index(connector_version, '.', 1) as int) < 2, null, database_name)"
        ) -%}
    {%- endif -%}
    {%- do parts.extend(['schema_name', 'table_name']) -%}
regexp_replace(concat_ws('.', {{ parts | join(', ') }}), '[^A-Za-z0-9._-]', '_')
{%- endmacro -%}


{%- macro _sighting_type() -%}
struct<at: timestamp, topic: string, partition: int, offset: bigint>
{%- endmacro -%}


{#- Where evidence stands in the source's log. -#}
{%- macro _standing_type() -%}
struct<incarnation: int, epoch: int, life: int, position: string, seen: {{ debezium_spark._sighting_type() }}>
{%- endmacro -%}
