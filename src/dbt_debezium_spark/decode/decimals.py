"""SQL that decodes decimals: Connect's Decimal, and Debezium's VariableScaleDecimal."""

from __future__ import annotations

from dbt_debezium_spark.decode.big_integers import (
    integer_text,
    scaled_decimal_text,
    unscaled_decimal,
)
from dbt_debezium_spark.decode.columns import Encoding
from dbt_debezium_spark.decode.decimal_encoding import MAX_DIGITS
from dbt_debezium_spark.decode.let import let
from dbt_debezium_spark.decode.whole_number import whole_number

# Maximal number of digits of an unscaled value in eight bytes.
_DIGITS_OF_64_BITS = 18
# An eight-byte number has up to 19 digits: with such a scale, Spark multiplies exactly.
_MAX_SCALE_OF_PRODUCTS = MAX_DIGITS - _DIGITS_OF_64_BITS - 2


def decode_decimal(encoding: Encoding, prepared: str) -> str:
    """Return SQL: DECIMAL(p,s), or the exact number as text.

    An unscaled value in up to 64 bits is scaled by one exact multiplication. In
    a longer value the decimal point is inserted as text, because Spark's decimal division and
    multiplication round if the result type needs more than 38 digits (spec §11.1.5).

    Args:
        encoding: encoding of the decimal.
        prepared: SQL: result of `prepare_decimal`: upper-case hexadecimal digits, or `=` and a
            number.
    """
    from_number = decode_decimal_number(encoding, f"substr({prepared}, 2)")
    from_bytes = _decode_decimal_bytes(encoding, prepared)
    return f"case when startswith({prepared}, '=') then {from_number} else {from_bytes} end"


def decode_decimal_number(encoding: Encoding, number: str) -> str:
    """Return SQL: a number that the converter wrote as a JSON number.

    A number with more digits than the column is not decoded, because it would be rounded.

    Args:
        encoding: encoding of the decimal.
        number: SQL: the number's text.
    """
    spark_type = encoding["spark_type"]
    if spark_type == "string":
        return number
    scale = 0 if encoding.get("cut") else max(encoding["scale"], 0)
    whole_digits = whole_number(spark_type.split("(")[1].split(",")[0]) - scale
    widest = f"decimal({MAX_DIGITS},{MAX_DIGITS - whole_digits})"
    value = f"try_cast({number} as {spark_type})"
    return f"case when {value} = try_cast({number} as {widest}) then {value} end"


def decode_variable_scale_decimal(parsed: str) -> str:
    """Return SQL: the exact text of a decimal with its own scale.

    It is a STRING, because no DECIMAL(p,s) can store every value of a column without a declared
    scale.

    Only scales of real databases are decoded; PostgreSQL has the widest range (131072 digits before
    the decimal point, 16383 after it). A record can contain any scale, and the zeros of a scale of
    two billion would need two gigabytes.

    Args:
        parsed: SQL: a struct parsed from `{"scale": 4, "value": "AYr3"}`.
    """
    scaled = scaled_decimal_text("n", f"{parsed}.scale")
    number = f"case when {parsed}.scale between -131072 and 16383 then {scaled} end"
    digits = f"hex(try_to_binary({parsed}.value, 'base64'))"
    return let("d", digits, let("n", integer_text("d"), number))


def _decode_decimal_bytes(encoding: Encoding, digits: str) -> str:
    spark_type, scale = encoding["spark_type"], encoding["scale"]
    if spark_type == "string":
        number = scaled_decimal_text("n", str(scale))
        return let("d", digits, let("n", integer_text("d"), number))
    if encoding.get("cut"):
        return let("d", digits, let("n", integer_text("d"), _cut("n", spark_type, scale)))
    if encoding["precision"] <= _DIGITS_OF_64_BITS and scale >= 0:
        return _short(digits, spark_type, scale)
    plain = scaled_decimal_text("cast(u as string)", str(scale))
    long = let("d", digits, let("u", unscaled_decimal("d"), f"try_cast({plain} as {spark_type})"))
    if not 0 <= scale <= _MAX_SCALE_OF_PRODUCTS:
        return long
    # a wide column, too, has short values; `let` is not compiled
    return (
        f"case when length({digits}) <= 16 then {_short(digits, spark_type, scale)} else {long} end"
    )


def _cut(number: str, spark_type: str, scale: int) -> str:
    """Return SQL: the number, for a negative scale that arrives as a large positive one."""
    whole = f"substr({number}, 1, greatest(length({number}) - {scale}, 0))"
    return (
        f"case when {number} = '0' then cast(0 as {spark_type})"
        f" when right({number}, {scale}) = repeat('0', {scale})"
        f" then try_cast({whole} as {spark_type}) end"
    )


def _short(digits: str, spark_type: str, scale: int) -> str:
    """Return SQL: up to eight bytes, sign-extended to 64 bits.

    `conv` to base -10 reads them as a signed number.
    """
    sign = f"case when substr({digits}, 1, 1) >= '8' then 'FF' else '00' end"
    extended = f"concat(repeat({sign}, 8 - length({digits}) div 2), {digits})"
    unscaled = (
        f"case when length({digits}) between 1 and 16 then"
        f" cast(conv({extended}, 16, -10) as decimal(19, 0)) end"
    )
    if scale == 0:
        return f"try_cast({unscaled} as {spark_type})"
    one_unit = f"0.{'0' * (scale - 1)}1BD"
    return f"try_cast(({unscaled}) * {one_unit} as {spark_type})"
