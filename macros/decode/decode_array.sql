{#-
    Array from the texts of its elements, each read with the element's own decoder. One element that cannot be read makes the
    whole array unread: a NULL among the values would be a lie.
-#}
{%- macro decode_array(source, column, texts) -%}
    {%- set items = column.get('items') or {'type': 'string'} -%}
    {%- if debezium_spark.encoding(source, items).kind == 'string' -%}
        {{- return(texts) -}}
    {%- endif -%}
    {%- set item = debezium_spark.decode(source, items, debezium_spark.prepare(source, items, 'item')) -%}
    {{- return(
        'case when not exists(' ~ texts ~ ', item -> item is not null and (' ~ item ~ ') is null) then '
        ~ 'transform(' ~ texts ~ ', item -> ' ~ item ~ ') end'
    ) -}}
{%- endmacro -%}
