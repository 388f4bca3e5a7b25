{#-
    SQL: a record key as a map from name to JSON text, in each form of spec §1.1 and trap 10: with
    or without the schema block, `Struct{id=1}`, or the bare value of a one-column key. NULL for any
    other text. `key_json` is the parsed key, so that each is parsed once. `may_be_bare`: the key of
    the record, which exists if `has_key`; false for the key in a header, which is always a struct:
    a binary header is no text at all.
-#}
{%- macro key_members(text, key_json, key, may_be_bare=true) -%}
{%- set payload = key_json ~ "['payload']" -%}
{%- set scalar = 'cast(null as map<string,string>)' -%}
{%- set scalar_payload = scalar -%}
{%- if may_be_bare and key | length == 1 -%}
    {%- set name = debezium_spark.text_literal(
        adapter.debezium().staging.all_names(key)[0]
    ) -%}
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
    when {{ 'not has_key' if may_be_bare else text ~ ' is null' }} then null
    when startswith({{ text }}, 'Struct{')
        then {{ adapter.debezium().staging.struct_text_members(text, key) }}
    when {{ key_json }} is null then {{ scalar }}
    when size({{ key_json }}) = 2
        and map_contains_key({{ key_json }}, 'payload')
        and map_contains_key({{ key_json }}, 'schema')
        and coalesce({{ key_json }}['schema'] like {{ "'{%'" }}, true)
        then coalesce(from_json({{ payload }}, 'map<string,string>'), {{ scalar_payload }})
    else {{ key_json }}
end
{%- endmacro -%}


{#- SQL: the columns that a key `Struct{id=1,name=x}` names, in its order; NULL without any. -#}
{%- macro struct_text_names(text, columns) -%}
{%- set offset_of = {} -%}
{%- for name in ['name', 'one', 'other'] -%}
    {%- do offset_of.update({
        name: "instr(concat(',', substring(" ~ text ~ ", 8)), concat(',', " ~ name ~ ", '='))"
    }) -%}
{%- endfor -%}
nullif(array_sort(filter({{ columns }}, name -> {{ offset_of.name }} > 0),
    (one, other) -> {{ offset_of.one }} - {{ offset_of.other }}),
    array())
{%- endmacro -%}


{#-
    Values that connectors make up for what a replica identity lacks: zero, false, empty, the epoch.
    `rest` matches what follows a date or a time.
-#}
{%- macro _invented_pattern(rest) -%}
    {{- return(
        '-?0+([.]0+)?|false|(AAAA)*(AA==|AAA=)?|1970-01-01' ~ rest ~ '|00:00:00' ~ rest ~ '|P0'
        ~ rest
    ) -}}
{%- endmacro -%}


{%- macro is_inventable(text) -%}
    {{- return(
        'coalesce(' ~ text ~ ' rlike '
        ~ debezium_spark.text_literal('^(' ~ debezium_spark._invented_pattern('.*') ~ '|[{\\[].*)$')
        ~ ', true)'
    ) -}}
{%- endmacro -%}


{#-
    SQL condition: a member of a key may be made up. This is no proof; `is_invented_key` decides.
-#}
{%- macro is_doubtful_key(key) -%}
    {%- set value = '"?(null|' ~ debezium_spark._invented_pattern('[^",}]*') ~ ')"?' -%}
    {{- return(
        'coalesce(substring_index(' ~ key ~ ", '\"payload\":', -1) rlike "
        ~ debezium_spark.text_literal('(^|[:=])\\s*' ~ value ~ '\\s*([,}]|$)|[:=]\\s*[{\\[]')
        ~ ', false)'
    ) -}}
{%- endmacro -%}
