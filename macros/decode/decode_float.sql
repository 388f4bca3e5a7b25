{#-
    FLOAT or DOUBLE. Connectors write what is not finite as the words NaN, Infinity and -Infinity; a number that becomes infinite is one
    that the type does not hold, which no column of a source has.
-#}
{%- macro decode_float(spark_type, text) -%}
    {%- set value = 'try_cast(' ~ text ~ ' as ' ~ spark_type ~ ')' -%}
    {{- return(
        'case when abs(' ~ value ~ ') < cast(' ~ "'Infinity' as " ~ spark_type ~ ') or ' ~ text
        ~ " in ('NaN', 'Infinity', '-Infinity') then " ~ value ~ ' end'
    ) -}}
{%- endmacro -%}
