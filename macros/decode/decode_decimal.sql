{#-
    DECIMAL(p,s) from a Connect decimal, whose bytes are given as upper-case hexadecimal digits.

    Up to 18 digits the unscaled value fits 64 bits and is scaled by one exact multiplication. Beyond, the decimal point is placed as
    text: Spark's decimal division and multiplication round when the result type would need more than 38 digits (spec §11.1.5).
-#}
{%- macro decode_decimal(encoding, digits) -%}
    {%- if encoding.precision <= 18 and encoding.scale >= 0 -%}
        {#- eight bytes at most: sign-extended to 64 bits, which `conv` to base -10 reads as a signed number -#}
        {%- set unscaled = (
            'case when length(' ~ digits ~ ') between 1 and 16 then '
            ~ 'cast(conv(concat(repeat(case when substr(' ~ digits ~ ", 1, 1) >= '8' then 'FF' else '00' end, "
            ~ '8 - length(' ~ digits ~ ') div 2), ' ~ digits ~ '), 16, -10) as decimal(19, 0)) end'
        ) -%}
        {%- if encoding.scale == 0 -%}
            {{- return('try_cast(' ~ unscaled ~ ' as ' ~ encoding.spark_type ~ ')') -}}
        {%- endif -%}
        {%- set one_unit = '0.' ~ '0' * (encoding.scale - 1) ~ '1BD' -%}
        {{- return('try_cast((' ~ unscaled ~ ') * ' ~ one_unit ~ ' as ' ~ encoding.spark_type ~ ')') -}}
    {%- endif -%}
    {%- set plain = debezium_spark.scaled_decimal_text('u', encoding.scale | string) -%}
    {%- set value = plain if encoding.spark_type == 'string' else 'try_cast(' ~ plain ~ ' as ' ~ encoding.spark_type ~ ')' -%}
    {{- return(debezium_spark.let('d', digits, debezium_spark.let('u', debezium_spark.unscaled_decimal('d'), value))) -}}
{%- endmacro -%}
