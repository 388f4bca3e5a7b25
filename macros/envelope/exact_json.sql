{#- SQL: a struct as JSON text that tells any two different values apart: Spark's default prints timestamps in milliseconds. -#}
{%- macro exact_json(struct) -%}
    {%- set format = "'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS'" -%}
    {{- return(
        'to_json(' ~ struct ~ ", map('timestampFormat', " ~ format ~ ", 'timestampNTZFormat', " ~ format ~ ", 'ignoreNullFields', 'false'))"
    ) -}}
{%- endmacro -%}
