{#- Connectors that describe their tables on a topic of their own, named like the topic prefix. -#}
{%- macro _has_schema_change_topic(config) -%}
    {{- return(config['connector'] in ['sqlserver', 'oracle', 'mysql', 'mariadb']) -}}
{%- endmacro -%}


{#- `tableChanges` of a schema-change record, as far as it is read. Members that old versions lack are null. -#}
{%- macro _table_changes_type() -%}
array<struct<type: string, id: string, table: struct<primaryKeyColumnNames: array<string>, {# -#}
comment: string, columns: array<struct<name: string, jdbcType: int, nativeType: int, {# -#}
typeName: string, typeExpression: string, charsetName: string, length: int, scale: int, {# -#}
position: int, optional: boolean, autoIncremented: boolean, generated: boolean, {# -#}
comment: string, defaultValueExpression: string, enumValues: array<string>>>>>>
{%- endmacro -%}


{#- SQL: the changes that a schema-change record lists. -#}
{%- macro _table_changes(definition) -%}
from_json(
                get_json_object({{ definition }}, '$.tableChanges'), '{{ debezium_spark._table_changes_type() }}'
            )
{%- endmacro -%}


{#-
    SQL condition: a change is one that a connector writes: it names its table, and each of its columns has a name of its own and a type.
    Others are no evidence, and `generate` tells them.
-#}
{%- macro _is_definition(change) -%}
coalesce(
                {{ change }}.id <> ''
                and (
                    {{ change }}.type = 'DROP'
                    or (
                        {{ change }}.type in ('CREATE', 'ALTER')
                        and not exists({{ change }}.table.columns, field -> coalesce(field.name, '') = '' or field.typeName is null)
                        and size(array_distinct(transform({{ change }}.table.columns, field -> field.name)))
                            = size({{ change }}.table.columns)
                    )
                ),
                false
            )
{%- endmacro -%}


{#- What `generate` says of changes that no connector writes: one message with the first record. -#}
{%- macro _undefined_messages(config, schemas) -%}
    {%- if not debezium_spark._has_schema_change_topic(config) %}{{ return([]) }}{% endif -%}
    {%- set query -%}
select to_json(
    struct(
        count(*) as records,
        min_by(concat_ws(':', topic, partition, first_offset), struct(topic, partition, first_offset)) as event_id
    )
) as definition_row
from {{ schemas }}
where
    {{ debezium_spark._kind_in_source(config) }} = 'schema_change'
    and exists({{ debezium_spark._table_changes('definition') }}, one -> not {{ debezium_spark._is_definition('one') }})
    {%- endset -%}
    {%- set found = fromjson(adapter.debezium_texts(query)[0]) -%}
    {%- if not found['records'] %}{{ return([]) }}{% endif -%}
    {{- return([{
        'kind': 'warning', 'source': config['name'], 'table': none,
        'message': "source '" ~ config['name'] ~ "': record " ~ found['event_id'] ~ ' of the schema-change topic'
            ~ (' (and ' ~ (found['records'] - 1) ~ ' more)' if found['records'] > 1 else '')
            ~ ' describes a table as no connector does: a name or a type is missing, or a column stands twice. It is left alone.',
    }]) -}}
{%- endmacro -%}


{#- The columns of one definition after their encoding was derived. -#}
{%- macro _definition_type() -%}
array<struct<name: string, node: string, is_optional: boolean, position: int, {# -#}
default_value: string, database_type: string, comment: string, enum_values: array<string>>>
{%- endmacro -%}


{#- SQL: the encoding of a defined column by the rules of its connector: `<connector>_encoding`. -#}
{%- macro _definition_encoding(field, config) -%}
    {{- debezium_spark[config['connector'] ~ '_encoding'](field, config) -}}
{%- endmacro -%}


{#- One label of `enumValues`, which come with their quotes or without (spec §9.4). -#}
{%- macro _enum_label(label) -%}
if(
                        {{ label }} rlike "(?s)^'.*'$" and length({{ label }}) > 1,
                        replace(substring({{ label }}, 2, length({{ label }}) - 2), "''", "'"),
                        {{ label }}
                    )
{%- endmacro -%}


{#- The table of a quoted id, which is its last part. -#}
{%- macro _table_of_id(id) -%}
replace(regexp_extract({{ id }}, '"((?:[^"]|"")*)"$', 1), '""', '"')
{%- endmacro -%}
