{#- Embedded schemas of records: their texts, and the hashes by which the catalog knows them. -#}

{#- SQL: the text of one side of a record up to its payload, whole without a schema before it. -#}
{%- macro _schema_prefix(side) -%}
    {{- return('substring_index(' ~ side ~ ", ',\"payload\":', 1)") -}}
{%- endmacro -%}


{#-
    SQL: the schema of one side of a record, NULL without one. Where many records are read, a column
    has the prefix, so that it is cut once.
-#}
{%- macro _embedded_schema(side, prefix=none) -%}
    {%- set prefix = prefix or debezium_spark._schema_prefix(side) -%}
case
            when
                startswith({{ side }}, '{"schema":{')
                and octet_length({{ prefix }}) < octet_length({{ side }})
                then {{ prefix }}
            -- same object, written by something else: blanks, or payload first
            when {{ side }} rlike '^\\s*\\{\\s*"(schema|payload)"\\s*:'
                and get_json_object({{ side }}, '$.schema.type') is not null
                then get_json_object({{ side }}, '$.schema')
        end
{%- endmacro -%}


{%- macro embedded_schema_hash(side) -%}
    {{- return('xxhash64(' ~ debezium_spark._embedded_schema(side) ~ ')') -}}
{%- endmacro -%}


{#-
    A schema that has a member called `payload` ends the prefix too early: then the whole record is
    parsed.
-#}
{%- macro _schema_node(schema, record) -%}
case
            when {{ schema }} is null then cast(null as string)
            else coalesce(
                get_json_object(concat({{ schema }}, '}'), '$.schema'),
                get_json_object({{ record }}, '$.schema')
            )
        end
{%- endmacro -%}
