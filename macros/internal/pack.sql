{#-
    A value as the text of a table property, which Spark shows unchanged whatever names it contains.
-#}
{%- macro pack(value) -%}
    {{- return(adapter.debezium_pack(tojson(value, sort_keys=true))) -}}
{%- endmacro -%}


{#- None for a text that cannot be read. -#}
{%- macro unpack(text) -%}
    {%- set json = adapter.debezium_unpack(text) -%}
    {{- return(fromjson(json) if json else none) -}}
{%- endmacro -%}
