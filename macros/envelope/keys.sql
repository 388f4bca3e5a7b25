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


{#-
    Keys that a string converter wrote: `Struct{id=1,name=x}`, what Connect prints of a struct,
    without null members and without escapes.
-#}


{#-
    SQL: their members, NULL where they are not certain: a text may contain the name of the next
    member, and decimals, bytes and Connect's dates are not printed as JSON has them.
-#}
{%- macro struct_text_members(text, key) -%}
    {%- set conditions = [text ~ ' rlike ' ~ debezium_spark._struct_pattern(key)] -%}
    {%- set pairs = [] -%}
    {%- for column in key -%}
        {%- if debezium_spark._printed_pattern(column) is none -%}
            {{- return('cast(null as map<string,string>)') -}}
        {%- endif -%}
        {%- if not loop.first -%}
            {%- do conditions.append(
                'size(split(' ~ text ~ ', '
                ~ debezium_spark.text_literal(',' ~ modules.re.escape(column.name) ~ '=') ~ ')) = 2'
            ) -%}
        {%- endif -%}
        {%- do pairs.append(
            debezium_spark.text_literal(column.name) ~ ', regexp_extract(' ~ text ~ ', '
            ~ debezium_spark._struct_pattern(key) ~ ', ' ~ loop.index ~ ')'
        ) -%}
    {%- endfor -%}
    {%- if not key -%}{{- return('cast(null as map<string,string>)') -}}{%- endif -%}
    {{- return(
        'case when ' ~ conditions | join(' and ') ~ ' then map(' ~ pairs | join(', ') ~ ') end'
    ) -}}
{%- endmacro -%}


{%- macro _struct_pattern(key) -%}
    {%- set groups = [] -%}
    {%- for column in key -%}
        {%- do groups.append(
            modules.re.escape(column.name) ~ '=('
            ~ (debezium_spark._printed_pattern(column) or '.*') ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(debezium_spark.text_literal('(?s)^Struct\\{' ~ groups | join(',') ~ '\\}$')) -}}
{%- endmacro -%}


{#- A pattern of what Connect prints of a column; none where JSON differs. -#}
{%- macro _printed_pattern(column) -%}
    {%- if (column.get('semantic') or '').startswith('org.apache.kafka.connect.data.') -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(
        {
            'int8': '-?[0-9]+',
            'int16': '-?[0-9]+',
            'int32': '-?[0-9]+',
            'int64': '-?[0-9]+',
            'boolean': 'true|false',
            'string': '.*',
        }.get(column.type)
    ) -}}
{%- endmacro -%}


{#- SQL condition: a key is such a text; with `key`, one with these columns in their order. -#}
{%- macro is_struct_text(text, key=none) -%}
    {%- if key is not none -%}
        {{- return(
            'coalesce(' ~ text ~ ' rlike ' ~ debezium_spark._struct_pattern(key) ~ ', false)'
        ) -}}
    {%- endif -%}
    {{- return('startswith(' ~ text ~ ", 'Struct{')") -}}
{%- endmacro -%}


{#- SQL: the columns that such a key names, in its order; NULL without any. -#}
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
    SQL: a row's key as canonical JSON (`_cdc_key`), NULL for members that identify no row. Members
    are decoded and printed in the model's order, so that neither a connector upgrade nor another
    converter doubles the rows.

    A key with other members, of a time before DDL changed it (spec §6.2), is printed sorted, if all
    of them are columns (`known_names`, a SQL array). `record`: see `prepare`.
-#}
{%- macro canonical_key(source, members, key, record=none, known_names=none) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not key -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {%- set pairs = [] -%}
    {%- set json_parts = [] -%}
    {%- set decoded_conditions = [] -%}
    {%- set undecodable_conditions = [] -%}
    {%- set spark_types = [] -%}
    {%- set name_conditions = [] -%}
    {%- for column in key -%}
        {%- set name = debezium_spark.text_literal(column.name) -%}
        {%- set text = debezium_spark.column_member(members, column) -%}
        {%- set prepared = debezium.decode.prepare(source, column, text, record) -%}
        {%- set exact_text = debezium.decode.encoding_of(source, column).get('exact_text') -%}
        {%- set value = debezium.decode.decode_recorded(
            source, column, text, prepared, '_key_layout', record
        ) -%}
        {%- if exact_text == 'always' -%}
            {%- set value = debezium.decode.decode_exact_text(source, column, prepared) -%}
        {%- elif exact_text -%}
            {%- set value = (
                'coalesce('
                ~ debezium.decode.decode_exact_text(source, column, prepared) ~ ', cast('
                ~ value ~ ' as string))'
            ) -%}
        {%- endif -%}
        {%- do pairs.append(name ~ ', ' ~ value) -%}
        {%- do json_parts.append(
            debezium_spark.text_literal(tojson(column.name) ~ ':') ~ ', ' ~ value
        ) -%}
        {%- do decoded_conditions.append('(' ~ value ~ ') is not null') -%}
        {%- do undecodable_conditions.append(text ~ ' is not null and (' ~ value ~ ') is null') -%}
        {%- do spark_types.append(debezium.decode.encoding_of(source, column).spark_type) -%}
        {%- do name_conditions.append('(' ~ debezium_spark.has_column(members, column) ~ ')') -%}
    {%- endfor -%}
    {%- if spark_types | reject('in', ['int', 'bigint']) | list -%}
        {%- set canonical = debezium_spark.exact_json(
            'named_struct(' ~ pairs | join(', ') ~ ')'
        ) -%}
    {%- else -%}
        {#- integers need no JSON writer; the text is the same -#}
        {%- set canonical = "concat('{', " ~ json_parts | join(", ',', ") ~ ", '}')" -%}
    {%- endif -%}
    {%- set names = 'map_keys(' ~ members ~ ')' -%}
case
    when {{ members }} is null then null
    when size({{ members }}) = {{ key | length }} and {{ decoded_conditions | join(' and ') }}
        then {{ canonical }}
    when size({{ members }}) = 0
        or size(array_distinct({{ names }})) < size({{ members }}) then null
    when size({{ members }}) = {{ key | length }} and {{ name_conditions | join(' and ') }}
        and ({{ undecodable_conditions | join(' or ') }}) then null
    {%- if known_names %}
    when size(array_except({{ names }}, {{ known_names }})) > 0 then null
    {%- endif %}
    else to_json(map_from_entries(array_sort(map_entries({{ members }}))))
end
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
