{#- How each semantic type is read: the table of `decode/semantic_types.py` in Python. -#}
{%- macro semantic_types() -%}
    {{- return(adapter.debezium_semantic_types()) -}}
{%- endmacro -%}


{%- macro literal_types() -%}
    {{- return(adapter.debezium_literal_types()) -}}
{%- endmacro -%}
