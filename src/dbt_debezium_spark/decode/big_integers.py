"""SQL for integers of any length: from big-endian two's complement bytes to text.

Bytes are SQL expressions of their upper-case hexadecimal text. A function with a name as argument
uses it many times; callers bind long expressions with `let`.
"""

from __future__ import annotations

from dbt_debezium_spark.decode.let import let


def unscaled_decimal(digits: str) -> str:
    """Return SQL: the number in the given bytes, as DECIMAL(38,0) (spec §11.3).

    It computes two halves of 64 bits. A negative number is read as the complement of its bits and
    then negated, so that no step needs more digits than the result. The result is NULL if the
    number has more than 38 digits or there are no bytes.

    Args:
        digits: SQL name of the hexadecimal digits.
    """
    bits = _bits(digits)
    low = f"cast(conv(right({bits}, 16), 16, 10) as decimal(38, 0))"
    high = (
        f"cast(conv(right(substr({bits}, 1, length({digits}) - 16), 16), 16, 10) as decimal(20, 0))"
    )
    wide = (
        f"case when ltrim('0', substr({bits}, 1, length({digits}) - 32)) = ''"
        f" or length({digits}) <= 32 then"
        f" try_add(try_cast(try_multiply({high}, 18446744073709551616BD) as decimal(38, 0)), {low})"
        " end"
    )
    magnitude = f"case when length({digits}) <= 16 then {low} else {wide} end"
    return (
        f"case when length({digits}) > 0 then case when {_is_negative(digits)}"
        f" then -1BD - ({magnitude}) else {magnitude} end end"
    )


def integer_text(digits: str) -> str:
    """Return SQL: the decimal digits of the integer, with `-` before a negative one.

    DECIMAL reads up to 38 decimal digits. A longer number is built in limbs of ten decimal digits,
    the lowest first: each seven hexadecimal digits multiply all limbs by 2^28. Each step carries
    the excess of a limb to the next one. So all limbs stay below 1.03 * 10^10, and no product
    exceeds 64 bits.

    The work grows with the square of the length, so the limit is 4,096 bytes (9,864 decimal
    digits). Such a value takes half a second; the longest one of PostgreSQL (61 kB) would take
    minutes. Declared columns have at most 416 bytes (1,000 digits). The result is NULL above the
    limit, and if there are no bytes.

    Args:
        digits: SQL name of the hexadecimal digits.
    """
    negative = _is_negative(digits)
    padded = f"lpad({_bits(digits)}, cast(ceil(length({digits}) / 7) * 7 as int), '0')"
    chunks = (
        "transform(sequence(0, length(p) div 7 - 1),"
        " i -> cast(conv(substr(p, i * 7 + 1, 7), 16, 10) as bigint))"
    )
    lower = "transform(limbs, limb -> limb * 268435456L % 10000000000L)"
    upper = "transform(limbs, limb -> limb * 268435456L div 10000000000L)"
    limbs = (
        f"aggregate({chunks}, array(0L), (limbs, chunk) -> zip_with(concat({lower}, array(0L)),"
        f" concat(array(chunk), {upper}), (low, high) -> low + high))"
    )
    # a negative number is the complement of its bits plus one
    plain = (
        f"aggregate({limbs}, named_struct('carry', case when {negative} then 1L else 0L end,"
        " 'text', ''), (s, limb) ->"
        " named_struct('carry', (limb + s.carry) div 10000000000L,"
        " 'text', concat(lpad(cast((limb + s.carry) % 10000000000L as string), 10, '0'), s.text)),"
        " s -> ltrim('0', s.text))"
    )
    wide = let("p", padded, f"concat(case when {negative} then '-' else '' end, {plain})")
    return (
        f"case when length({digits}) between 1 and 8192 then"
        f" coalesce(cast({unscaled_decimal(digits)} as string), {wide}) end"
    )


def scaled_decimal_text(unscaled: str, scale: str) -> str:
    """Return SQL: the exact plain text of `unscaled * 10^-scale` (spec §11.1.5).

    The decimal point is inserted into the digits, without arithmetic.

    Args:
        unscaled: SQL: the text of an integer.
        scale: SQL: an INT of either sign.
    """
    digits = f"ltrim('-', {unscaled})"
    padded = f"lpad({digits}, greatest(length({digits}), {scale} + 1), '0')"
    return (
        f"concat(case when {unscaled} like '-%' then '-' else '' end, case"
        f" when {scale} > 0 then concat(substr({padded}, 1, length({padded}) - {scale}), '.',"
        f" right({padded}, {scale}))"
        f" when {unscaled} = '0' then '0' else concat({digits}, repeat('0', -({scale}))) end)"
    )


def _is_negative(digits: str) -> str:
    return f"substr({digits}, 1, 1) >= '8'"


def _bits(digits: str) -> str:
    """Return SQL: the digits, or those of the complement of a negative number."""
    return (
        f"case when {_is_negative(digits)} then"
        f" translate({digits}, '0123456789ABCDEF', 'FEDCBA9876543210') else {digits} end"
    )
