{#-
    SQL: the members of a record's key as a map from name to JSON text, in every form of spec §1.1 and trap 10: with or without the
    schema block, or a bare scalar, which then is the value of the only key column. NULL when the record has no key.

    `text` is the key; `with_schema` is what `key_with_schema` made of it, computed before so that each key is parsed once.
-#}
{%- macro key_members(text, with_schema, key) -%}
    {%- set plain = 'from_json(' ~ text ~ ", 'map<string,string>')" -%}
    {%- if key | length != 1 -%}
        {{- return(
            'case when ' ~ debezium_spark.is_null_payload(text) ~ ' then null else coalesce(' ~ with_schema ~ ', ' ~ plain ~ ') end'
        ) -}}
    {%- endif -%}
    {%- set name = debezium_spark.text_literal(key[0].name) -%}
    {%- set scalar = 'from_json(concat(\'{"value":\', ' ~ text ~ ", '}'), 'struct<value:string>').value" -%}
    {{- return(
        'case when ' ~ debezium_spark.is_null_payload(text) ~ ' then null when ' ~ with_schema ~ ' is not null then ' ~ with_schema
        ~ ' when ' ~ plain ~ ' is null then map(' ~ name ~ ', coalesce(' ~ scalar ~ ', ' ~ text ~ '))'
        ~ ' when map_keys(' ~ plain ~ ") = array('schema', 'payload') then map(" ~ name ~ ', ' ~ plain ~ "['payload'])"
        ~ ' else ' ~ plain ~ ' end'
    ) -}}
{%- endmacro -%}
