"""SQL that decodes numbers, booleans and bytes."""

from __future__ import annotations


def decode_number(spark_type: str, text: str, is_small: bool) -> str:
    """Return SQL: a number of a literal type.

    Args:
        spark_type: type of the value.
        text: SQL: the number's text.
        is_small: whether its literal type is `int16`.
    """
    value = f"try_cast({text} as {spark_type})"
    if is_small:
        # MySQL's tinyint(1): snapshots have numbers; tables that were created later, booleans
        return f"coalesce({value}, case {text} when 'true' then 1 when 'false' then 0 end)"
    if spark_type in ("float", "double"):
        return _decode_float(spark_type, text)
    return value


def decode_unsigned(spark_type: str, number: str) -> str:
    """Return SQL: an unsigned number of 64 bits that was sent as a signed one.

    Args:
        spark_type: type of the value.
        number: SQL: a BIGINT.
    """
    unwrapped = f"cast({number} as decimal(20, 0)) + 18446744073709551616BD"
    return f"try_cast(case when {number} < 0 then {unwrapped} else {number} end as {spark_type})"


def decode_boolean(text: str) -> str:
    """Return SQL: BOOLEAN from a word or a digit."""
    return (
        f"case {text} when 'true' then true when 'false' then false"
        " when '1' then true when '0' then false end"
    )


def decode_base64(text: str) -> str:
    """Return SQL: BINARY from base64."""
    return f"try_to_binary({text}, 'base64')"


def decode_url_safe_base64(text: str) -> str:
    """Return SQL: BINARY from URL-safe base64, which has `-` and `_` for `+` and `/`."""
    return f"try_to_binary(translate({text}, '-_', '+/'), 'base64')"


def decode_hexadecimal(text: str) -> str:
    """Return SQL: BINARY from an even number of hexadecimal digits; Spark accepts odd ones."""
    return f"case when length({text}) % 2 = 0 then unhex({text}) end"


def _decode_float(spark_type: str, text: str) -> str:
    """Return SQL: FLOAT or DOUBLE.

    Connectors write NaN, Infinity and -Infinity as words. A number that becomes infinite does not
    fit in the type, so no column of a source contains it.
    """
    value = f"try_cast({text} as {spark_type})"
    return (
        f"case when abs({value}) < cast('Infinity' as {spark_type})"
        f" or {text} in ('NaN', 'Infinity', '-Infinity') then {value} end"
    )
