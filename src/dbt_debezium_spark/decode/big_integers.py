"""SQL for integers that no type of Spark holds: from big-endian two's complement bytes to text.

Bytes are given as a SQL expression: their upper-case hexadecimal text. Where a function takes a
name, it uses it many times: bind long expressions with `let`.
"""

from __future__ import annotations

from dbt_debezium_spark.decode.let import let


def unscaled_decimal(digits: str) -> str:
    """Return SQL: the number in the given bytes, as DECIMAL(38,0) (spec §11.3).

    It works on two halves of 64 bits. A negative number is read as the complement of its bits and
    then negated, so that no step needs more digits than the result. NULL when the number has more
    than 38 digits or there is no byte.

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
    """Return SQL: the decimal digits of the integer, with a `-` in front of a negative one.

    Up to 38 decimal digits are read by DECIMAL. Beyond, the number is built in limbs of ten decimal
    digits, the lowest first: each seven hexadecimal digits multiply all limbs by 2^28. What a limb
    has too much goes to the next one once per step, which keeps all below 1.03 * 10^10, and no
    product leaves 64 bits.

    The work grows with the square of the length, hence a limit of 4,096 bytes (9,864 decimal
    digits): such a value takes half a second, the longest that PostgreSQL can hold (61 kB) would
    take minutes. What a source declares has 416 bytes at most (1,000 digits). NULL beyond the
    limit, and when there is no byte.

    Args:
        digits: SQL name of the hexadecimal digits.
    """
    negative = _is_negative(digits)
    padded = f"lpad({_bits(digits)}, cast(ceil(length({digits}) / 7) * 7 as int), '0')"
    chunks = (
        "transform(sequence(0, length(p) div 7 - 1),"
        " i -> cast(conv(substr(p, i * 7 + 1, 7), 16, 10) as bigint))"
    )
    kept = "transform(limbs, limb -> limb * 268435456L % 10000000000L)"
    carried = "transform(limbs, limb -> limb * 268435456L div 10000000000L)"
    limbs = (
        f"aggregate({chunks}, array(0L), (limbs, chunk) -> zip_with(concat({kept}, array(0L)),"
        f" concat(array(chunk), {carried}), (low, high) -> low + high))"
    )
    # a negative number is the complement of its bits, and one more
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

    The decimal point is placed in the digits, nothing is computed.

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
    """Return SQL: the digits, of a negative number those of its complement."""
    return (
        f"case when {_is_negative(digits)} then"
        f" translate({digits}, '0123456789ABCDEF', 'FEDCBA9876543210') else {digits} end"
    )
