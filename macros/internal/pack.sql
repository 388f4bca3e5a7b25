{#-
    A value as the text of a table property, which Spark shows unchanged whatever names it contains.
-#}
{%- macro pack(value) -%}
    {{- return(adapter.debezium().text.pack(tojson(value, sort_keys=true))) -}}
{%- endmacro -%}


{#- None for a text that cannot be read. -#}
{%- macro unpack(text) -%}
    {%- set json = adapter.debezium().text.unpack(text) -%}
    {{- return(fromjson(json) if json else none) -}}
{%- endmacro -%}
