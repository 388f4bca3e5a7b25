{#-
    Literals of Jinja and YAML: `literals.py` of the Python module, for files with few of them. Where there are many, macros ask the
    adapter itself: under dbt the call of a macro costs more than the work.
-#}
{%- macro _jinja_text(text) -%}
    {{- return(adapter.debezium_jinja_text(text)) -}}
{%- endmacro -%}


{%- macro _yaml_text(text) -%}
    {{- return(adapter.debezium_yaml_text(text)) -}}
{%- endmacro -%}


{%- macro _yaml_name(text) -%}
    {{- return(adapter.debezium_yaml_name(text)) -}}
{%- endmacro -%}
