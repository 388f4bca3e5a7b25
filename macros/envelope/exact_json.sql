{#- SQL: JSON text that differs for different structs: Spark's default drops microseconds. -#}
{%- macro exact_json(struct) -%}
{%- set format = "'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS'" -%}
to_json({{ struct }}, map('timestampFormat', {{ format }}, 'timestampNTZFormat', {{ format }},
    'ignoreNullFields', 'false'))
{%- endmacro -%}
