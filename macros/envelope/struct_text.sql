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
