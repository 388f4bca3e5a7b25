{#-
    The catalog: one row per table, version and column, merged from all evidence.

    Which columns a table has and how they are encoded: embedded schemas; for tables without them the
    schema-change topic; for tables without either the configuration. On top of that the definitions of
    the schema-change topic give nullability, order, comments and database types to both.
    The key is what the connector puts into record keys (`message.key.columns` can differ from the
    primary key, and rows are identified by the record key); the topic's primary key where no record
    key was seen; a configured `key` overrides both.

    A version is a distinct list of columns, numbered by its first sighting, so that numbers stay when
    records arrive. The current version is the one seen last, which after a column was added and dropped
    again is an old number.

    Tables are small here, so everything of a table is gathered into one row and compared as arrays:
    joining the parts by name instead took half a minute to plan.
-#}
{%- macro catalog_columns(source, schemas) -%}
    {{- return(adapter.dispatch('catalog_columns', 'debezium_spark')(source, schemas)) -}}
{%- endmacro -%}


{%- macro default__catalog_columns(source, schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set prefix = debezium_spark.text_literal(config['topic_prefix']) -%}
    {%- set has_definitions = debezium_spark._has_schema_change_topic(config) -%}
with

samples as (

    select
        topic,
        key_hash,
        value_hash,
        min(
            named_struct(
                'at', first_timestamp, 'topic', topic, 'partition', partition, 'offset', first_offset
            )
        ) as first_seen,
        max(
            named_struct(
                'at', last_timestamp, 'topic', topic, 'partition', partition, 'offset', last_offset
            )
        ) as last_seen,
        max(kind) as kind,
        max(key_schema) as key_schema,
        max(value_schema) as value_schema,
        max(key_fields) as key_fields,
        max(source_block) as source_block,
        max(definition) as definition
    from {{ schemas }}
    group by topic, key_hash, value_hash

),

-- whose records are they? The source block says; a topic's name is ambiguous
record_evidence as (

    select
        {{ debezium_spark._sampled_table('database') }} as database_name,
        {{ debezium_spark._sampled_table('schema') }} as schema_name,
        {{ debezium_spark._sampled_table('table') }} as table_name,
        topic,
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
        ) as nodes,
        cast(null as {{ debezium_spark._definition_type() }}) as definition,
        from_json(get_json_object(key_schema, '$.fields'), 'array<string>') as key_nodes,
        key_fields as record_key,
        cast(null as array<string>) as primary_key,
        get_json_object(source_block, '$.version') as connector_version,
        first_seen,
        last_seen
    from (
        select
            *,
            split(substring(topic, length({{ prefix }}) + 2), '\\.') as topic_parts
        from samples
        where kind = 'data'
    ) as data_samples

),

{%- if has_definitions %}

topic_evidence as (

    select
        -- every part of the id is quoted, and may hold dots
        get(parts, size(parts) - 3) as database_name,
        coalesce(get(parts, size(parts) - 2), get(parts, size(parts) - 3)) as schema_name,
        get(parts, size(parts) - 1) as table_name,
        cast(null as string) as topic,
        cast(null as array<string>) as nodes,
        transform(
            encoded,
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
                'comment', pair.field.comment
            )
        ) as definition,
        cast(null as array<string>) as key_nodes,
        cast(null as array<string>) as record_key,
        change.table.primaryKeyColumnNames as primary_key,
        connector_version,
        first_seen,
        last_seen
    from (
        select
            first_seen,
            last_seen,
            get_json_object(source_block, '$.version') as connector_version,
            change,
            transform(
                split(regexp_replace(change.id, '^"|"$', ''), if(change.id like '"%', '"\\."', '\\.')),
                part -> replace(part, '""', '"')
            ) as parts,
            transform(
                change.table.columns,
                field -> named_struct(
                    'field', field,
                    'encoding', {{ debezium_spark._definition_encoding('field', config) }}
                )
            ) as encoded
        from (
            select
                first_seen,
                last_seen,
                source_block,
                explode(
                    from_json(
                        get_json_object(definition, '$.tableChanges'),
                        '{{ debezium_spark._table_changes_type() }}'
                    )
                ) as change
            from samples
            where kind = 'schema_change'
        ) as changes
        where change.table.columns is not null
    ) as encoded_changes

),

{%- endif %}

evidence as (

    select
        {# SQL Server captures several databases in one source; elsewhere one can be renamed #}
        {{ "coalesce(database_name, '')" if config['connector'] == 'sqlserver' else "''" }} as identity_database,
        *
    from (
        select * from record_evidence
        {%- if has_definitions %}
        union all
        select * from topic_evidence
        {%- endif %}
    ) as all_evidence
    {%- if config.get('signal_data_collection') %}
    where
        {{ debezium_spark.text_literal(config['signal_data_collection']) }} not in (
            concat(schema_name, '.', table_name),
            concat(database_name, '.', schema_name, '.', table_name)
        )
    {%- endif %}

),

layouts as (

    select
        identity_database,
        schema_name,
        table_name,
        nodes,
        definition,
        max_by(database_name, last_seen) as database_name,
        collect_set(topic) as topics,
        max_by(key_nodes, last_seen) filter (where key_nodes is not null) as key_nodes,
        max_by(record_key, last_seen) filter (where record_key is not null) as record_key,
        max_by(primary_key, last_seen) as primary_key,
        max_by(connector_version, last_seen) as connector_version,
        min(first_seen) as first_seen,
        max(last_seen) as last_seen,
        max(last_seen) filter (where record_key is not null or key_nodes is not null) as key_seen
    from evidence
    group by identity_database, schema_name, table_name, nodes, definition

),

found_tables as (

    select
        identity_database,
        schema_name,
        table_name,
        max_by(database_name, last_seen) as database_name,
        array_sort(array_distinct(flatten(collect_list(topics)))) as topics,
        max_by(
            coalesce(transform(key_nodes, node -> get_json_object(node, '$.field')), record_key),
            key_seen
        ) filter (where key_seen is not null) as record_key,
        max_by(key_nodes, last_seen) filter (where key_nodes is not null) as key_nodes,
        max_by(primary_key, last_seen) filter (where definition is not null) as primary_key,
        max_by(connector_version, last_seen) as connector_version,
        collect_list(
            named_struct('first_seen', first_seen, 'nodes', nodes, 'last_seen', last_seen)
        ) filter (where nodes is not null) as embedded,
        collect_list(
            named_struct('first_seen', first_seen, 'definition', definition, 'last_seen', last_seen)
        ) filter (where definition is not null) as definitions
    from layouts
    group by identity_database, schema_name, table_name

),

{%- set configured = debezium_spark._configured_nodes(config) %}

tables as (

    select
        {%- if configured %}
        coalesce(found_tables.database_name, get(parts, size(parts) - 3)) as database_name,
        coalesce(found_tables.schema_name, get(parts, size(parts) - 2)) as schema_name,
        coalesce(found_tables.table_name, get(parts, size(parts) - 1)) as table_name,
        found_tables.topics,
        found_tables.key_nodes,
        found_tables.connector_version,
        found_tables.embedded,
        found_tables.definitions,
        coalesce(
            settings.key, found_tables.record_key, found_tables.primary_key, array()
        ) as key_names,
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
        database_name,
        schema_name,
        table_name,
        topics,
        key_nodes,
        connector_version,
        embedded,
        definitions,
        coalesce(record_key, primary_key, array()) as key_names,
        cast(array() as array<string>) as configured_nodes
    from found_tables
        {%- endif %}

),

layouts_of_tables as (

    select
        database_name,
        schema_name,
        table_name,
        coalesce(
            nullif(topics, array()), array({{ debezium_spark._default_topic(config) }})
        ) as topics,
        key_nodes,
        key_names,
        configured_nodes,
        coalesce(definitions, array()) as definitions,
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
                            'last_seen', known.last_seen
                        )
                    )
                when size(configured_nodes) > 0
                    then array(
                        named_struct(
                            'first_seen', cast(null as {{ debezium_spark._sighting_type() }}),
                            'nodes', configured_nodes,
                            'last_seen', cast(null as {{ debezium_spark._sighting_type() }})
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
        layout.last_seen <=> array_max(transform(versions, one -> one.last_seen)) as is_current
    from layouts_of_tables
    lateral view posexplode(versions) exploded as version_index, layout

),

-- the definition that says most about a version: same columns if there is one, else the latest
defined_versions as (

    select
        *,
        array_max(
            transform(
                definitions,
                known -> named_struct(
                    'fits', array_sort(transform(known.definition, field -> field.name))
                        = array_sort(names),
                    'seen', known.last_seen,
                    'definition', known.definition
                )
            )
        ).definition as definition
    from versions

),

ordered_versions as (

    select
        *,
        concat(
            array_sort(
                transform(
                    layout.nodes,
                    (node, place) -> named_struct(
                        'position', coalesce(
                            get(
                                filter(
                                    definition,
                                    field -> field.name = get_json_object(node, '$.field')
                                ),
                                0
                            ).position,
                            100000
                        ),
                        'place', place,
                        -- what the topic names and cannot encode, configuration may
                        'node', if(
                            get_json_object(node, '$.type') is null,
                            coalesce(
                                get(
                                    filter(
                                        configured_nodes,
                                        other -> get_json_object(other, '$.field')
                                            = get_json_object(node, '$.field')
                                    ),
                                    0
                                ),
                                node
                            ),
                            node
                        )
                    )
                )
            ),
            -- a routing transform can add fields to the key alone
            transform(
                filter(
                    coalesce(key_nodes, array()),
                    node -> not array_contains(names, get_json_object(node, '$.field'))
                ),
                node -> named_struct(
                    'position', cast(null as int), 'place', cast(null as int), 'node', node
                )
            )
        ) as ordered_nodes
    from defined_versions

),

columns as (

    select
        ordered_versions.*,
        node_index,
        column_node.place is not null as is_in_row,
        column_node.node,
        get_json_object(column_node.node, '$.field') as column_name,
        from_json(
            get_json_object(column_node.node, '$.parameters'), 'map<string, string>'
        ) as parameters,
        get(
            filter(
                definition, field -> field.name = get_json_object(column_node.node, '$.field')
            ),
            0
        ) as defined
    from ordered_versions
    lateral view posexplode(ordered_nodes) exploded as node_index, column_node

)

select
    {{ debezium_spark.text_literal(source) }} as source_name,
    database_name,
    schema_name,
    table_name,
    topics[0] as topic,
    topics,
    version_index + 1 as version,
    is_current,
    nullif(
        concat_ws(
            ':', layout.first_seen.topic, layout.first_seen.partition, layout.first_seen.offset
        ),
        ''
    ) as since_position,
    evidence,
    column_name,
    if(is_in_row, node_index + 1, null) as ordinal_position,
    get_json_object(node, '$.type') as connect_type,
    get_json_object(node, '$.name') as semantic_type,
    parameters,
    node as schema_json,
    coalesce(
        defined.is_optional, cast(get_json_object(node, '$.optional') as boolean), true
    ) as is_optional,
    coalesce(get_json_object(node, '$.default'), defined.default_value) as default_value,
    array_contains(key_names, column_name) as is_key,
    nullif(cast(array_position(key_names, column_name) as int), 0) as key_position,
    coalesce(
        defined.database_type, {{ debezium_spark._propagated_type('parameters') }}
    ) as database_type,
    nullif(
        trim(coalesce(defined.comment, parameters['__debezium.source.column.comment'])), ''
    ) as comment
from columns
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


{#- `column.propagate.source.type` and `datatype.propagate.source.type` put the type into parameters. -#}
{%- macro _propagated_type(parameters) -%}
    {%- set prefix = '__debezium.source.column.' -%}
concat(
            lower({{ parameters }}['{{ prefix }}type']),
            coalesce(
                concat(
                    '(',
                    nullif(
                        concat_ws(
                            ',',
                            {{ parameters }}['{{ prefix }}length'],
                            {{ parameters }}['{{ prefix }}scale']
                        ),
                        ''
                    ),
                    ')'
                ),
                ''
            )
        )
{%- endmacro -%}


{%- macro _sighting_type() -%}
struct<at: timestamp, topic: string, partition: int, offset: bigint>
{%- endmacro -%}
