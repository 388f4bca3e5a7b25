{#-
    Exact text of a decimal that carries its own scale, parsed from `{"scale": 4, "value": "AYr3"}`. A STRING, because no DECIMAL(p,s)
    holds every value of a column without a declared scale.

    Read are the scales that a source has, PostgreSQL's being the widest (131072 digits before the point, 16383 behind it): a record can
    say any, and the zeros of two billion are two gigabytes.
-#}
{%- macro decode_variable_scale_decimal(parsed) -%}
    {%- set digits = 'hex(try_to_binary(' ~ parsed ~ ".value, 'base64'))" -%}
    {{- return(debezium_spark.let(
        'd', digits, debezium_spark.let(
            'n', debezium_spark.integer_text('d'),
            'case when ' ~ parsed ~ '.scale between -131072 and 16383 then '
            ~ debezium_spark.scaled_decimal_text('n', parsed ~ '.scale') ~ ' end'
        )
    )) -}}
{%- endmacro -%}
