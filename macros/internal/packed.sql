{#-
    A value as the text of a table property, which Spark shows unchanged whatever names it contains.
-#}
{%- macro packed(value) -%}
    {{- return(adapter.debezium_pack(tojson(value, sort_keys=true))) -}}
{%- endmacro -%}


{#- The value that a property holds, none where it holds none that can be read. -#}
{%- macro unpacked(text) -%}
    {%- set json = adapter.debezium_unpack(text) -%}
    {{- return(fromjson(json) if json else none) -}}
{%- endmacro -%}
