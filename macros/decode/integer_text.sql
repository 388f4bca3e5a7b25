{#-
    SQL: text of the integer whose big-endian two's complement bytes are given: digits with a `-` in front of negative ones. NULL when there
    is no byte, and beyond 4,096 bytes (9,864 decimal digits).

    `digits` is a SQL name: the bytes as upper-case hexadecimal text. Up to 38 decimal digits by DECIMAL; beyond, the number is built in
    limbs of ten decimal digits, the lowest first: each seven hexadecimal digits multiply all limbs by 2^28. What a limb has too much goes
    to the next one once per step, which keeps all below 1.03 * 10^10, and no product leaves 64 bits.

    The work grows with the square of the length, hence the limit: a value of 4,096 bytes takes half a second, the longest that
    PostgreSQL can hold (61 kB) would take minutes. What a source declares has 416 bytes at most (1,000 digits).
-#}
{%- macro integer_text(digits) -%}
    {%- set negative = "substr(" ~ digits ~ ", 1, 1) >= '8'" -%}
    {%- set bits = (
        'case when ' ~ negative ~ ' then translate(' ~ digits ~ ", '0123456789ABCDEF', 'FEDCBA9876543210') else " ~ digits ~ ' end'
    ) -%}
    {%- set padded = "lpad(" ~ bits ~ ', cast(ceil(length(' ~ digits ~ ") / 7) * 7 as int), '0')" -%}
    {%- set chunks = (
        'transform(sequence(0, length(p) div 7 - 1), i -> cast(conv(substr(p, i * 7 + 1, 7), 16, 10) as bigint))'
    ) -%}
    {%- set kept = 'transform(limbs, limb -> limb * 268435456L % 10000000000L)' -%}
    {%- set carried = 'transform(limbs, limb -> limb * 268435456L div 10000000000L)' -%}
    {%- set limbs = (
        'aggregate(' ~ chunks ~ ', array(0L), (limbs, chunk) -> zip_with(concat(' ~ kept ~ ', array(0L)), concat(array(chunk), '
        ~ carried ~ '), (low, high) -> low + high))'
    ) -%}
    {#- a negative number is the complement of its bits, and one more -#}
    {%- set plain = (
        'aggregate(' ~ limbs ~ ", named_struct('carry', case when " ~ negative ~ " then 1L else 0L end, 'text', ''), (s, limb) -> "
        ~ "named_struct('carry', (limb + s.carry) div 10000000000L, "
        ~ "'text', concat(lpad(cast((limb + s.carry) % 10000000000L as string), 10, '0'), s.text)), s -> ltrim('0', s.text))"
    ) -%}
    {%- set wide = debezium_spark.let('p', padded, 'concat(case when ' ~ negative ~ " then '-' else '' end, " ~ plain ~ ')') -%}
    {{- return(
        'case when length(' ~ digits ~ ') between 1 and 8192 then coalesce(cast(' ~ debezium_spark.unscaled_decimal(digits)
        ~ ' as string), ' ~ wide ~ ') end'
    ) -}}
{%- endmacro -%}
