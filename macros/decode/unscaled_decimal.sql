{#-
    Unscaled value of a Connect decimal, as DECIMAL(38,0): the big-endian two's complement number in the given bytes (spec §11.3).

    `digits` is a SQL expression: the bytes as upper-case hexadecimal text. Works on two halves of 64 bits. A negative number is read
    as the complement of its bits and then negated, so that no step needs more digits than the result. NULL when the number has more
    than 38 digits or there is no byte.
-#}
{%- macro unscaled_decimal(digits) -%}
    {%- set negative = "substr(" ~ digits ~ ", 1, 1) >= '8'" -%}
    {%- set bits = (
        "case when " ~ negative ~ " then translate(" ~ digits ~ ", '0123456789ABCDEF', 'FEDCBA9876543210') else " ~ digits ~ " end"
    ) -%}
    {%- set low = "cast(conv(right(" ~ bits ~ ", 16), 16, 10) as decimal(38, 0))" -%}
    {%- set high = (
        "cast(conv(right(substr(" ~ bits ~ ", 1, length(" ~ digits ~ ") - 16), 16), 16, 10) as decimal(20, 0))"
    ) -%}
    {%- set wide = (
        "case when ltrim('0', substr(" ~ bits ~ ", 1, length(" ~ digits ~ ") - 32)) = '' or length(" ~ digits ~ ") <= 32 then "
        ~ "try_add(try_cast(try_multiply(" ~ high ~ ", 18446744073709551616BD) as decimal(38, 0)), " ~ low ~ ") end"
    ) -%}
    {%- set magnitude = "case when length(" ~ digits ~ ") <= 16 then " ~ low ~ " else " ~ wide ~ " end" -%}
    {{- return(
        "case when length(" ~ digits ~ ") > 0 then case when " ~ negative ~ " then -1BD - (" ~ magnitude ~ ") else "
        ~ magnitude ~ " end end"
    ) -}}
{%- endmacro -%}
