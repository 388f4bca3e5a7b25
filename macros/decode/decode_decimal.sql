{#-
    DECIMAL(p,s), or the exact number as text, from what `prepare_decimal` gives: upper-case hexadecimal digits, or `=` and a number.

    Up to 18 digits the unscaled value fits 64 bits and is scaled by one exact multiplication. Beyond, the decimal point is placed as
    text: Spark's decimal division and multiplication round when the result type would need more than 38 digits (spec §11.1.5).
-#}
{%- macro decode_decimal(encoding, prepared) -%}
    {%- set from_number = debezium_spark.decode_decimal_number(encoding, 'substr(' ~ prepared ~ ', 2)') -%}
    {{- return(
        'case when startswith(' ~ prepared ~ ", '=') then " ~ from_number
        ~ ' else ' ~ debezium_spark.decode_decimal_bytes(encoding, prepared) ~ ' end'
    ) -}}
{%- endmacro -%}


{%- macro decode_decimal_bytes(encoding, digits) -%}
    {%- if encoding.spark_type == 'string' -%}
        {{- return(debezium_spark.let('d', digits, debezium_spark.let(
            'n', debezium_spark.integer_text('d'), debezium_spark.scaled_decimal_text('n', encoding.scale | string)
        ))) -}}
    {%- elif encoding.get('cut') -%}
        {#- a declared negative scale, sent as a positive one: the digits behind the point are zeros -#}
        {%- set whole = 'substr(n, 1, greatest(length(n) - ' ~ encoding.scale ~ ', 0))' -%}
        {{- return(debezium_spark.let('d', digits, debezium_spark.let(
            'n', debezium_spark.integer_text('d'),
            "case when n = '0' then cast(0 as " ~ encoding.spark_type ~ ") when right(n, " ~ encoding.scale ~ ") = repeat('0', " ~ encoding.scale ~ ') then try_cast('
            ~ whole ~ ' as ' ~ encoding.spark_type ~ ') end',
        ))) -}}
    {%- elif encoding.precision <= 18 and encoding.scale >= 0 -%}
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
    {%- set plain = debezium_spark.scaled_decimal_text('cast(u as string)', encoding.scale | string) -%}
    {{- return(debezium_spark.let('d', digits, debezium_spark.let(
        'u', debezium_spark.unscaled_decimal('d'), 'try_cast(' ~ plain ~ ' as ' ~ encoding.spark_type ~ ')'
    ))) -}}
{%- endmacro -%}


{#- A number that the converter wrote as one. A digit more than the column has would be rounded away: then it is not read. -#}
{%- macro decode_decimal_number(encoding, number) -%}
    {%- if encoding.spark_type == 'string' -%}
        {{- return(number) -}}
    {%- endif -%}
    {%- set scale = 0 if encoding.get('cut') else [encoding.scale, 0] | max -%}
    {%- set whole_digits = (encoding.spark_type.split('(')[1].split(',')[0] | int) - scale -%}
    {%- set widest = 'decimal(38,' ~ (38 - whole_digits) ~ ')' -%}
    {{- return(
        'case when try_cast(' ~ number ~ ' as ' ~ encoding.spark_type ~ ') = try_cast(' ~ number ~ ' as ' ~ widest
        ~ ') then try_cast(' ~ number ~ ' as ' ~ encoding.spark_type ~ ') end'
    ) -}}
{%- endmacro -%}
