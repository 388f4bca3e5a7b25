{#-
    Keys that a text converter wrote (`key.converter=…StringConverter`): `Struct{id=1,name=x}`, what Connect prints of a struct, without
    its null members and without any escape.
-#}


{#-
    SQL: the members of such a key as a map from name to text, NULL where they cannot be told for certain: another member or order, one
    that is null, a text that holds the name of the next one, and types whose print is not what JSON has (decimals, bytes, Connect's
    own dates).
-#}
{%- macro struct_text_members(text, key) -%}
    {%- if not key -%}{{- return('cast(null as map<string,string>)') -}}{%- endif -%}
    {%- set places = [] -%}
    {%- set once = [] -%}
    {%- set pairs = [] -%}
    {%- for column in key -%}
        {%- set value = debezium_spark._printed_pattern(column) -%}
        {%- if value is none -%}{{- return('cast(null as map<string,string>)') -}}{%- endif -%}
        {%- do places.append(modules.re.escape(column.name) ~ '=(' ~ value ~ ')') -%}
        {%- if not loop.first -%}
            {%- do once.append(
                'size(split(' ~ text ~ ', ' ~ debezium_spark.text_literal(',' ~ modules.re.escape(column.name) ~ '=') ~ ')) = 2'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set pattern = debezium_spark.text_literal('(?s)^Struct\\{' ~ places | join(',') ~ '\\}$') -%}
    {%- for column in key -%}
        {%- do pairs.append(
            debezium_spark.text_literal(column.name) ~ ', regexp_extract(' ~ text ~ ', ' ~ pattern ~ ', ' ~ loop.index ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(
        'case when ' ~ ([text ~ ' rlike ' ~ pattern] + once) | join(' and ') ~ ' then map(' ~ pairs | join(', ') ~ ') end'
    ) -}}
{%- endmacro -%}


{#- A pattern of what Connect prints of a column's values, without groups; none where JSON has another text for them. -#}
{%- macro _printed_pattern(column) -%}
    {%- if (column.get('semantic') or '').startswith('org.apache.kafka.connect.data.') -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'int8': '-?[0-9]+', 'int16': '-?[0-9]+', 'int32': '-?[0-9]+', 'int64': '-?[0-9]+', 'boolean': 'true|false', 'string': '.*',
    }.get(column.type)) -}}
{%- endmacro -%}


{#- SQL condition: a key is such a text. -#}
{%- macro is_struct_text(text) -%}
    {{- return('startswith(' ~ text ~ ", 'Struct{')") -}}
{%- endmacro -%}


{#- SQL: of the columns of a row those that such a key names, in its order; NULL when there are none. -#}
{%- macro struct_text_names(text, columns) -%}
    {%- set place = "instr(concat(',', substring(" ~ text ~ ", 8)), concat(',', %, '='))" -%}
    {{- return(
        'nullif(array_sort(filter(' ~ columns ~ ', name -> ' ~ place | replace('%', 'name') ~ ' > 0), (one, other) -> '
        ~ place | replace('%', 'one') ~ ' - ' ~ place | replace('%', 'other') ~ '), array())'
    ) -}}
{%- endmacro -%}
