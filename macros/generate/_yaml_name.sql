{#- A name as YAML has it: `literals.py` in Python. -#}
{%- macro _yaml_name(text) -%}
    {{- return(adapter.debezium().text.yaml_name(text)) -}}
{%- endmacro -%}
