{#- How each semantic type is read: the table of `decode/semantic_types.py` in Python. -#}
{%- macro semantic_types() -%}
    {{- return(adapter.debezium_semantic_types()) -}}
{%- endmacro -%}


{#- How each literal type of Connect is read when no semantic type says otherwise. -#}
{%- macro literal_types() -%}
    {{- return(adapter.debezium_literal_types()) -}}
{%- endmacro -%}
