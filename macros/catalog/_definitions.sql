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
