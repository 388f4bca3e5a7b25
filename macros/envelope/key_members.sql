{#-
    SQL: a record key as a map from name to JSON text, in each form of spec §1.1 and trap 10: with
    or without the schema block, `Struct{id=1}`, or the bare value of a one-column key. NULL for any
    other text. `key_json` is the parsed key, so that each is parsed once. `may_be_bare`: false for
    the key in a header, which is always a struct; a binary header is no text at all.
-#}
{%- macro key_members(text, key_json, key, may_be_bare=true) -%}
{%- set payload = key_json ~ "['payload']" -%}
{%- set scalar = 'cast(null as map<string,string>)' -%}
{%- set scalar_payload = scalar -%}
{%- if may_be_bare and key | length == 1 -%}
    {%- set name = debezium_spark.text_literal(key[0].name) -%}
    {%- set json_scalar = debezium_spark.text_literal(
        '^\\s*("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|[-+.0-9eE]++|true|false)\\s*$'
    ) -%}
    {%- set plain -%}
case
                when {{ text }} rlike {{ json_scalar }}
                    then from_json(concat('{"value":', {{ text }}, '}'),
                        'struct<value:string>').value
            end
    {%- endset -%}
    {%- set scalar -%}
case
            when not {{ text }} rlike '^\\s*(?:[{\\[]|Struct[{])'
                then map({{ name }}, coalesce({{ plain }}, {{ text }}))
        end
    {%- endset -%}
    {%- set scalar_payload -%}
case when {{ payload }} is not null then map({{ name }}, {{ payload }}) end
    {%- endset -%}
{%- endif -%}
case
    when {{ debezium_spark.is_null_payload(text) }} then null
    when {{ debezium_spark.is_struct_text(text) }}
        then {{ debezium_spark.struct_text_members(text, key) }}
    when {{ key_json }} is null then {{ scalar }}
    when size({{ key_json }}) = 2
        and map_contains_key({{ key_json }}, 'payload')
        and map_contains_key({{ key_json }}, 'schema')
        and coalesce({{ key_json }}['schema'] like {{ "'{%'" }}, true)
        then coalesce(from_json({{ payload }}, 'map<string,string>'), {{ scalar_payload }})
    else {{ key_json }}
end
{%- endmacro -%}
