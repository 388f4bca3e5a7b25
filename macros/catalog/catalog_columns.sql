{#-
    The catalog: one row per table, version and column, merged from all evidence.

    Which columns a table has and how they are encoded: embedded schemas; for tables without them the
    schema-change topic; for tables without either the configuration. On top of that the definitions of
    the schema-change topic give nullability, order, comments and database types to both.
    The key is what the connector puts into record keys (`message.key.columns` can differ from the
    primary key, and rows are identified by the record key); the topic's primary key where no record
    key was seen; a configured `key` overrides both.

    A version is a distinct list of columns, numbered by its first sighting, so that numbers stay when
    records arrive. The current version is the one that stands furthest in the source's log, which after
    a column was added and dropped again is an old number.
-#}
{%- macro catalog_columns(source, schemas) -%}
    {%- if debezium_spark.is_linted() -%}{{- return(debezium_spark.typed_skeleton(schemas)) -}}{%- endif -%}
    {%- set inputs = debezium_spark.up_to_date_with(schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}{{- return(debezium_spark.nothing_to_do()) -}}{%- endif -%}
    {%- set sql = adapter.dispatch('catalog_columns', 'debezium_spark')(source, schemas) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark._decide_by_rows_read(sql, schemas) -%}
    {{- return(sql) -}}
{%- endmacro -%}


{%- macro default__catalog_columns(source, schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set of_column = 'topic_prefix, database_name, schema_name, table_name, column_name' -%}
    {%- set all_versions = (
        'partition by ' ~ of_column ~ ' order by version_index rows between unbounded preceding and unbounded following'
    ) -%}
{{ debezium_spark._defined_versions(config, schemas) }},

-- what a column needs of its table and version, and no more: a row of a table with 1,000 columns is large
version_parts as (

    select
        topic_prefix,
        database_name,
        schema_name,
        table_name,
        topics,
        evidence,
        key_names,
        table_comment,
        ended_by,
        version_index,
        is_current,
        layout.first_seen as first_seen,
        layout.lowest_position as lowest_position,
        layout.standing.position as standing_position,
        layout.standing.seen as last_seen,
        size(versions) as version_count,
        columns_gone,
        definition,
        -- what the topic names and cannot encode, configuration may
        configured_nodes,
        flatten(
            transform(
                array_sort(definitions),
                known -> filter(known.definition, field -> field.enum_values is not null)
            )
        ) as enum_fields,
        concat(
            transform(
                layout.nodes, (node, place) -> named_struct('place', place, 'node', node)
            ),
            -- a routing transform can add fields to the key alone
            transform(
                filter(
                    coalesce(key_nodes, array()),
                    node -> not array_contains(names, get_json_object(node, '$.field'))
                ),
                node -> named_struct('place', cast(null as int), 'node', node)
            )
        ) as placed_nodes
    from defined_versions

),

named_columns as (

    select
        version_parts.*,
        placed.place,
        placed.node as encoded_node,
        get_json_object(placed.node, '$.field') as column_name,
        get_json_object(placed.node, '$.type') as encoded_type
    from version_parts
    lateral view explode(placed_nodes) exploded as placed

),

defined_columns as (

    select
        * except (
            definition,
            configured_nodes,
            enum_fields,
            columns_gone,
            placed_nodes,
            encoded_node,
            encoded_type
        ),
        get(filter(columns_gone, one -> one.name = column_name), 0).until as gone_until,
        get(filter(definition, field -> field.name = column_name), 0) as defined,
        if(
            encoded_type is null,
            coalesce(
                get(
                    filter(
                        configured_nodes,
                        other -> get_json_object(other, '$.field') = column_name
                    ),
                    0
                ),
                encoded_node
            ),
            encoded_node
        ) as node,
        nullif(
            array_distinct(
                flatten(
                    transform(
                        filter(enum_fields, field -> field.name = column_name),
                        field -> field.enum_values
                    )
                )
            ),
            array()
        ) as enum_values
    from named_columns

),

columns as (

    select
        *,
        if(
            place is null,
            null,
            row_number() over (
                partition by topic_prefix, database_name, schema_name, table_name, version_index
                order by place is null, coalesce(defined.position, 100000), place
            )
        ) as ordinal_position,
        from_json(get_json_object(node, '$.parameters'), 'map<string, string>') as parameters
    from defined_columns

),

described_columns as (

    select
        *,
        coalesce(
            defined.is_optional, cast(get_json_object(node, '$.optional') as boolean), true
        ) as is_optional,
        if(
            get_json_object(node, '$.name') = 'io.debezium.data.Enum', parameters['allowed'], null
        ) as enum_list
    from columns

)

select
    {{ debezium_spark.text_literal(source) }} as source_name,
    topic_prefix,
    database_name,
    schema_name,
    table_name,
    topics[0] as topic,
    topics,
    version_index + 1 as version,
    is_current,
    nullif(
        concat_ws(
            ':', first_seen.topic, first_seen.partition, first_seen.offset
        ),
        ''
    ) as since_position,
    lowest_position as since_source_position,
    nullif(standing_position, '') as last_source_position,
    nullif(
        concat_ws(':', last_seen.topic, last_seen.partition, last_seen.offset), ''
    ) as last_position,
    evidence,
    column_name,
    ordinal_position,
    get_json_object(node, '$.type') as connect_type,
    get_json_object(node, '$.name') as semantic_type,
    parameters,
    node as schema_json,
    is_optional,
    bool_and(
        not is_optional and not coalesce(cast(get_json_object(node, '$.optional') as boolean), true)
    ) over (partition by {{ of_column }})
    and count(*) over (partition by {{ of_column }}) = version_count as is_never_null,
    coalesce(get_json_object(node, '$.default'), defined.default_value) as default_value,
    array_contains(key_names, column_name) as is_key,
    nullif(cast(array_position(key_names, column_name) as int), 0) as key_position,
    coalesce(
        defined.database_type, {{ debezium_spark._propagated_type('parameters') }}
    ) as database_type,
    nullif(
        trim(coalesce(defined.comment, parameters['__debezium.source.column.comment'])), ''
    ) as comment,
    enum_values,
    nullif(
        array_distinct(collect_list(enum_list) over ({{ all_versions }})), array()
    ) as enum_lists,
    nullif(trim(table_comment), '') as table_comment,
    gone_until,
    ended_by
from described_columns
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
