{#- Connectors that describe their tables on a topic of their own, named like the topic prefix. -#}
{%- macro _has_schema_change_topic(config) -%}
    {{- return(config['connector'] in ['sqlserver', 'oracle', 'mysql', 'mariadb']) -}}
{%- endmacro -%}


{#- `tableChanges` of a schema-change record, as far as it is read. -#}
{%- macro _table_changes_type() -%}
array<struct<type: string, id: string, table: struct<primaryKeyColumnNames: array<string>, {# -#}
columns: array<struct<name: string, jdbcType: int, typeName: string, typeExpression: string, {# -#}
length: int, scale: int, position: int, optional: boolean, comment: string, {# -#}
defaultValueExpression: string, enumValues: array<string>>>>>>
{%- endmacro -%}


{#- The columns of one definition after their encoding was derived. -#}
{%- macro _definition_type() -%}
array<struct<name: string, node: string, is_optional: boolean, position: int, {# -#}
default_value: string, database_type: string, comment: string>>
{%- endmacro -%}


{#- SQL: the encoding of a defined column by the rules of its connector: `<connector>_encoding`. -#}
{%- macro _definition_encoding(field, config) -%}
    {{- debezium_spark[config['connector'] ~ '_encoding'](field, config) -}}
{%- endmacro -%}
