{#-
    SQL: the members of the row's key: those of the message key, or, in a record landed without one, the key columns of its row image
    where it has them all (spec §3: anything unusual must not stop the consumer).
-#}
{%- macro key_or_image(members, image, key) -%}
    {%- if not key -%}{{- return(members) -}}{%- endif -%}
    {%- set pairs = [] -%}
    {%- set present = [] -%}
    {%- for column in key -%}
        {%- set name = debezium_spark.text_literal(column.name) -%}
        {%- do pairs.append(name ~ ', try_element_at(' ~ image ~ ', ' ~ name ~ ')') -%}
        {%- do present.append('try_element_at(' ~ image ~ ', ' ~ name ~ ') is not null') -%}
    {%- endfor -%}
    {{- return(
        'coalesce(' ~ members ~ ', case when ' ~ present | join(' and ') ~ ' then map(' ~ pairs | join(', ') ~ ') end)'
    ) -}}
{%- endmacro -%}
