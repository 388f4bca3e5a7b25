{#-
    Exact text of a decimal that carries its own scale, parsed from `{"scale": 4, "value": "AYr3"}`. A STRING, because no DECIMAL(p,s)
    holds every value of a column without a declared scale; of any number of digits.
-#}
{%- macro decode_variable_scale_decimal(parsed) -%}
    {%- set digits = 'hex(try_to_binary(' ~ parsed ~ ".value, 'base64'))" -%}
    {{- return(debezium_spark.let(
        'd', digits, debezium_spark.let(
            'n', debezium_spark.integer_text('d'), debezium_spark.scaled_decimal_text('n', parsed ~ '.scale')
        )
    )) -}}
{%- endmacro -%}
