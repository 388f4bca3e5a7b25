{#-
    Exact text of the integer whose big-endian two's complement bytes are given, of any length: digits with a `-` in front of negative
    ones. NULL when there is no byte.

    `digits` is a SQL name: the bytes as upper-case hexadecimal text. Up to 38 decimal digits by DECIMAL; beyond, the number is built in
    limbs of nine decimal digits, the lowest first: each eight hexadecimal digits multiply all limbs by 2^32. No step leaves 64 bits.
    Slow, and only for numbers that no DECIMAL holds.
-#}
{%- macro integer_text(digits) -%}
    {%- set negative = "substr(" ~ digits ~ ", 1, 1) >= '8'" -%}
    {%- set bits = (
        'case when ' ~ negative ~ ' then translate(' ~ digits ~ ", '0123456789ABCDEF', 'FEDCBA9876543210') else " ~ digits ~ ' end'
    ) -%}
    {%- set padded = "lpad(" ~ bits ~ ', cast(ceil(length(' ~ digits ~ ") / 8) * 8 as int), '0')" -%}
    {%- set chunks = (
        'transform(sequence(0, length(p) div 8 - 1), i -> cast(conv(substr(p, i * 8 + 1, 8), 16, 10) as bigint))'
    ) -%}
    {%- set limbs = (
        'aggregate(' ~ chunks ~ ', array(0L), (limbs, chunk) -> ' ~ debezium_spark.times_and_plus('limbs', '4294967296L', 'chunk') ~ ')'
    ) -%}
    {#- a negative number is the complement of its bits, and one more -#}
    {%- set magnitude = debezium_spark.times_and_plus(limbs, '1L', 'case when ' ~ negative ~ ' then 1L else 0L end') -%}
    {%- set plain = (
        "ltrim('0', array_join(transform(reverse(" ~ magnitude ~ "), limb -> lpad(cast(limb as string), 9, '0')), ''))"
    ) -%}
    {%- set wide = debezium_spark.let('p', padded, 'concat(case when ' ~ negative ~ " then '-' else '' end, " ~ plain ~ ')') -%}
    {{- return(
        'case when length(' ~ digits ~ ') > 0 then coalesce(cast(' ~ debezium_spark.unscaled_decimal(digits) ~ ' as string), '
        ~ wide ~ ') end'
    ) -}}
{%- endmacro -%}


{#- SQL: limbs of nine decimal digits, lowest first, multiplied by `factor` and increased by `addend`, both of type bigint. -#}
{%- macro times_and_plus(limbs, factor, addend) -%}
    {%- set sum = '(limb * ' ~ factor ~ ' + s.carry)' -%}
    {{- return(
        'aggregate(' ~ limbs ~ ', named_struct(' ~ "'carry', " ~ addend ~ ", 'done', cast(array() as array<bigint>)), (s, limb) -> "
        ~ "named_struct('carry', " ~ sum ~ " div 1000000000L, 'done', concat(s.done, array(" ~ sum ~ ' % 1000000000L))), '
        ~ 's -> case when s.carry = 0 then s.done when s.carry < 1000000000L then concat(s.done, array(s.carry)) '
        ~ 'else concat(s.done, array(s.carry % 1000000000L, s.carry div 1000000000L)) end)'
    ) -}}
{%- endmacro -%}
