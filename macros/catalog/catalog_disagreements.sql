{#-
    Where the evidence about a source's tables disagrees, one row per table, column and matter, for people.

    Compared is what holds now: the current layout of the records, the definition that describes it, and the
    configuration. `chosen` is what the catalog goes by and `other` what it was told instead (design: embedded
    schemas know the encoding, the schema-change topic knows what may be null, configuration fills gaps; the record
    key goes before the primary key, a configured key before both). No row is an error by itself: `meaning` says
    what it can come from.
-#}
{%- macro catalog_disagreements(source, schemas) -%}
    {%- if debezium_spark.is_linted() -%}{{- return(debezium_spark.typed_skeleton(schemas)) -}}{%- endif -%}
    {%- set inputs = debezium_spark.up_to_date_with(schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}{{- return(debezium_spark.nothing_to_do()) -}}{%- endif -%}
    {%- set sql = adapter.dispatch('catalog_disagreements', 'debezium_spark')(source, schemas) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark._decide_by_rows_read(sql, schemas) -%}
    {{- return(sql) -}}
{%- endmacro -%}


{%- macro default__catalog_disagreements(source, schemas) -%}
    {%- set config = debezium_spark.source_config(source) -%}
{{ debezium_spark._defined_versions(config, schemas) }},

compared_columns as (

    select
        *,
        get(
            filter(layout.nodes, node -> get_json_object(node, '$.field') = column_name), 0
        ) as node,
        get(filter(definition, field -> field.name = column_name), 0) as defined,
        get(
            filter(configured_nodes, node -> get_json_object(node, '$.field') = column_name), 0
        ) as configured
    from defined_versions
    lateral view explode(
        concat(
            if(
                evidence = 'configuration',
                array(),
                array_distinct(
                    concat(
                        names,
                        transform(coalesce(definition, array()), field -> field.name),
                        transform(configured_nodes, node -> get_json_object(node, '$.field'))
                    )
                )
            ),
            -- the table as a whole
            array(cast(null as string))
        )
    ) exploded as column_name
    where is_current

),

disagreements as (

    select
        database_name,
        schema_name,
        table_name,
        column_name,
        disagreement
    from compared_columns
    lateral view explode(
        filter(
            array(
                case
                    when
                        evidence = 'embedded_schema'
                        and {{ debezium_spark._node_encoding('node') }}
                            != {{ debezium_spark._node_encoding('defined.node') }}
                        then {{ debezium_spark._disagreement(
                            'encoding',
                            debezium_spark._node_encoding('node'), 'embedded_schema',
                            debezium_spark._node_encoding('defined.node'), 'schema_change_topic',
                            "A handling mode in the configuration of the source differs from the connector's, or the column changed its type."
                        ) }}
                end,
                case
                    when
                        evidence = 'embedded_schema'
                        and cast(get_json_object(node, '$.optional') as boolean) != defined.is_optional
                        then {{ debezium_spark._disagreement(
                            'nullability',
                            "if(defined.is_optional, 'null allowed', 'not null')", 'schema_change_topic',
                            "if(defined.is_optional, 'not null', 'null allowed')", 'embedded_schema',
                            'The column was altered between the two, or a transform changed the schema of the records.'
                        ) }}
                end,
                case
                    when evidence = 'embedded_schema' and definition is not null and node is not null and defined is null
                        then {{ debezium_spark._disagreement(
                            'presence',
                            "'column'", 'embedded_schema',
                            "'no such column'", 'schema_change_topic',
                            'The column is newer than the last definition, or a transform adds it to the records.'
                        ) }}
                    when evidence = 'embedded_schema' and node is null and defined is not null
                        then {{ debezium_spark._disagreement(
                            'presence',
                            "'no such column'", 'embedded_schema',
                            "'column'", 'schema_change_topic',
                            'No record has come since the column was added, or the connector leaves it out (column.exclude.list).'
                        ) }}
                end,
                case
                    when configured is not null and node is null
                        then {{ debezium_spark._disagreement(
                            'presence',
                            "'no such column'", 'evidence',
                            "'column'", "configuration",
                            'The configured name is wrong, or the column is gone: correct or remove it.'
                        ) }}
                    when
                        {{ debezium_spark._node_encoding('node') }}
                        != {{ debezium_spark._node_encoding('configured') }}
                        then {{ debezium_spark._disagreement(
                            'encoding',
                            debezium_spark._node_encoding('node'), 'evidence',
                            debezium_spark._node_encoding('configured'), 'configuration',
                            'The configured type is not used: remove it or correct it.'
                        ) }}
                end,
                case
                    when column_name is null and array_sort(record_key) != array_sort(primary_key)
                        then {{ debezium_spark._disagreement(
                            'key',
                            debezium_spark._key_text('record_key'), 'record_key',
                            debezium_spark._key_text('primary_key'), 'schema_change_topic',
                            'message.key.columns of the connector sets another key than the primary key, or the key was altered.'
                        ) }}
                end,
                case
                    when
                        column_name is null
                        and array_sort(configured_key) != array_sort(coalesce(record_key, primary_key))
                        then {{ debezium_spark._disagreement(
                            'key',
                            debezium_spark._key_text('configured_key'), 'configuration',
                            debezium_spark._key_text('coalesce(record_key, primary_key)'),
                            "if(record_key is null, 'schema_change_topic', 'record_key')",
                            'The configured key overrides the one the connector uses.'
                        ) }}
                end
            ),
            one -> one is not null
        )
    ) exploded as disagreement

)

select
    {{ debezium_spark.text_literal(source) }} as source_name,
    database_name,
    schema_name,
    table_name,
    column_name,
    disagreement.matter,
    disagreement.chosen,
    disagreement.chosen_from,
    disagreement.other,
    disagreement.other_from,
    disagreement.meaning
from disagreements
{%- endmacro -%}


{#- One disagreement as a struct; values are SQL, and so are origins that are no kind of evidence. -#}
{%- macro _disagreement(matter, chosen, chosen_from, other, other_from, meaning) -%}
    {%- set kinds = ['embedded_schema', 'schema_change_topic', 'configuration', 'record_key'] -%}
    {%- set origins = [] -%}
    {%- for origin in [chosen_from, other_from] -%}
        {%- do origins.append(debezium_spark.text_literal(origin) if origin in kinds else origin) -%}
    {%- endfor -%}
named_struct(
                            'matter', '{{ matter }}',
                            'chosen', {{ chosen }},
                            'chosen_from', {{ origins[0] }},
                            'other', {{ other }},
                            'other_from', {{ origins[1] }},
                            'meaning', {{ debezium_spark.text_literal(meaning) }}
                        )
{%- endmacro -%}


{#- How a Connect schema encodes values, as people read it; null when it is not known. -#}
{%- macro _node_encoding(node) -%}
if(
                        get_json_object({{ node }}, '$.type') is null,
                        null,
                        concat_ws(
                            ' ',
                            get_json_object({{ node }}, '$.type'),
                            get_json_object({{ node }}, '$.name'),
                            concat('scale ', get_json_object({{ node }}, '$.parameters.scale'))
                        )
                    )
{%- endmacro -%}


{%- macro _key_text(key) -%}
if(size({{ key }}) = 0, 'no key', concat_ws(', ', {{ key }}))
{%- endmacro -%}
