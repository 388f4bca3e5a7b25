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
    {{- return(adapter.dispatch('catalog_columns', 'debezium_spark')(source, schemas)) -}}
{%- endmacro -%}


{%- macro default__catalog_columns(source, schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set of_column = 'database_name, schema_name, table_name, column_name' -%}
    {%- set all_versions = (
        'partition by ' ~ of_column ~ ' order by version_index rows between unbounded preceding and unbounded following'
    ) -%}
{{ debezium_spark._defined_versions(config, schemas) }},

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
    layout.lowest_position as since_source_position,
    nullif(layout.standing.position, '') as last_source_position,
    evidence,
    column_name,
    if(is_in_row, node_index + 1, null) as ordinal_position,
    get_json_object(node, '$.type') as connect_type,
    get_json_object(node, '$.name') as semantic_type,
    parameters,
    node as schema_json,
    is_optional,
    bool_and(
        not is_optional and not coalesce(cast(get_json_object(node, '$.optional') as boolean), true)
    ) over (partition by {{ of_column }})
    and count(*) over (partition by {{ of_column }}) = size(versions) as is_never_null,
    coalesce(get_json_object(node, '$.default'), defined.default_value) as default_value,
    array_contains(key_names, column_name) as is_key,
    nullif(cast(array_position(key_names, column_name) as int), 0) as key_position,
    coalesce(
        defined.database_type, {{ debezium_spark._propagated_type('parameters') }}
    ) as database_type,
    nullif(
        trim(coalesce(defined.comment, parameters['__debezium.source.column.comment'])), ''
    ) as comment,
    nullif(
        array_distinct(
            flatten(
                filter(
                    transform(
                        array_sort(definitions),
                        known -> get(
                            filter(known.definition, field -> field.name = column_name), 0
                        ).enum_values
                    ),
                    labels -> labels is not null
                )
            )
        ),
        array()
    ) as enum_values,
    nullif(
        array_distinct(collect_list(enum_list) over ({{ all_versions }})), array()
    ) as enum_lists,
    nullif(trim(table_comment), '') as table_comment,
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
