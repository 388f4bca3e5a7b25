"""SQL that distinguishes the two forms of a Connect decimal: base64 bytes and JSON numbers."""

from __future__ import annotations

import json

from dbt_debezium_spark.decode.columns import Column, Config, names_of
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.text.sql_text import text_literal

# Maximal number of decimal digits that a double always represents.
_DIGITS_OF_DOUBLE = 15


def prepare_decimal(config: Config, column: Column, text: str, record: str | None) -> str:
    """Return SQL: a Connect decimal as input of `decode_decimal`.

    The result has the bytes as upper-case hexadecimal digits, or `=` and the number if the
    converter wrote a number (`decimal.format` NUMERIC). Each value shows its form; the
    configuration only names the usual one.

    Only texts below `:` can be numbers, and base64 of most values begins with a letter, so a usual
    value needs only one more comparison. Base64 has neither a point nor a minus. A text of digits
    is a number if the record has it without quotes. Without the record (keys, elements of arrays)
    the configuration decides.

    Args:
        config: configuration of the source.
        column: the decimal.
        text: SQL: the value's JSON text.
        record: SQL: the JSON text that contains the value, if available.
    """
    is_usually_number = config.get("decimal_format") == "numeric"
    # Connect pads base64; without this condition words like NAN would be decoded.
    hexadecimal = f"hex(try_to_binary({text}, 'base64'))"
    as_bytes = f"case when length({text}) % 4 = 0 then {hexadecimal} end"
    number = f"concat('=', {text})"
    if record is not None:
        is_unquoted = _is_unquoted(column, text, record)
    else:
        is_unquoted = "true" if is_usually_number else "false"
    fraction = number if is_usually_number else _exact_fraction(config, column, text, number)
    return (
        f"case when {text} >= ':' then {as_bytes}"
        f" when not {text} rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' then {as_bytes}"
        f" when {text} like '%.%' then {fraction}"
        f" when {text} like '-%' or {is_unquoted} then {number}"
        f" else {as_bytes} end"
    )


def _is_unquoted(column: Column, text: str, record: str) -> str:
    labels = [
        text_literal(json.dumps(name) + colon) for name in names_of(column) for colon in (":", ": ")
    ]
    found = (f"instr({record}, concat({label}, {text})) > 0" for label in labels)
    return f"({' or '.join(found)})"


def _exact_fraction(config: Config, column: Column, text: str, number: str) -> str:
    """Return SQL: a number with a fraction that Spark read exactly, else NULL.

    Spark reads such a number as a double, unless the configuration announces numbers
    (`quote_fractions`). So the number is exact only if the column has at most 15 digits.
    """
    encoding = encoding_of(config, column)
    scale = encoding["scale"]
    if encoding["precision"] <= _DIGITS_OF_DOUBLE:
        return number
    if scale < _DIGITS_OF_DOUBLE:
        limit = f"1e{_DIGITS_OF_DOUBLE - scale}"
        return f"case when abs(try_cast({text} as double)) < {limit} then {number} end"
    return "cast(null as string)"
