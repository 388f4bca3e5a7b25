"""SQL that tells the two forms of a Connect decimal apart: base64 bytes and JSON numbers."""

from __future__ import annotations

import json

from dbt_debezium_spark.decode.columns import Column, Config
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.sql_text import text_literal

# The digits of any decimal number that a double holds.
_DIGITS_OF_DOUBLE = 15


def prepare_decimal(config: Config, column: Column, text: str, record: str | None) -> str:
    """Return SQL: a Connect decimal as `decode_decimal` takes it.

    That is the bytes as upper-case hexadecimal digits, or `=` and the number where the converter
    wrote a number (`decimal.format` NUMERIC). Which of the two shows per value; configuration only
    says what is usual.

    Only texts below `:` can be numbers, and base64 of most values begins with a letter: the usual
    value costs one comparison more. Base64 has neither a point nor a minus; digits alone are a
    number when the record has them unquoted. Without the record (keys, elements of arrays) the
    configuration decides.

    Args:
        config: of the source.
        column: the decimal.
        text: SQL: the value's JSON text.
        record: SQL: the JSON text that the value came from, where there is one.
    """
    is_usual = config.get("decimal_format") == "numeric"
    # base64 without padding is none of Connect's, but words like NAN would be such
    hexadecimal = f"hex(try_to_binary({text}, 'base64'))"
    as_bytes = f"case when length({text}) % 4 = 0 then {hexadecimal} end"
    number = f"concat('=', {text})"
    if record is not None:
        is_unquoted = _is_unquoted(column["name"], text, record)
    else:
        is_unquoted = "true" if is_usual else "false"
    believed = number if is_usual else _believed(config, column, text, number)
    return (
        f"case when {text} >= ':' then {as_bytes}"
        f" when not {text} rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' then {as_bytes}"
        f" when {text} like '%.%' then {believed}"
        f" when {text} like '-%' or {is_unquoted} then {number}"
        f" else {as_bytes} end"
    )


def _is_unquoted(name: str, text: str, record: str) -> str:
    label = text_literal(json.dumps(name) + ":")
    spaced_label = text_literal(json.dumps(name) + ": ")
    return (
        f"(instr({record}, concat({label}, {text})) > 0"
        f" or instr({record}, concat({spaced_label}, {text})) > 0)"
    )


def _believed(config: Config, column: Column, text: str, number: str) -> str:
    """Return SQL: a number with a fraction, which Spark reads through a double.

    Where the configuration does not announce numbers (`quote_fractions`), one is believed only when
    all digits that the column could give it are at most 15, which a double holds.
    """
    encoding = encoding_of(config, column)
    scale = encoding["scale"]
    if encoding["precision"] <= _DIGITS_OF_DOUBLE:
        return number
    if scale < _DIGITS_OF_DOUBLE:
        limit = f"1e{_DIGITS_OF_DOUBLE - scale}"
        return f"case when abs(try_cast({text} as double)) < {limit} then {number} end"
    return "cast(null as string)"
