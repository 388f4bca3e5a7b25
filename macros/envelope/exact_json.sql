{#-
    SQL: a struct as JSON text that differs for any two different values: Spark's default prints
    timestamps in milliseconds.
-#}
{%- macro exact_json(struct) -%}
{%- set format = "'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS'" -%}
to_json({{ struct }}, map('timestampFormat', {{ format }}, 'timestampNTZFormat', {{ format }},
    'ignoreNullFields', 'false'))
{%- endmacro -%}
