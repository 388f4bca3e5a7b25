"""SQL that keeps every digit of the numbers in a record's JSON text."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Config
from dbt_debezium_spark.text.sql_text import text_literal

_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# One pass: `\G` begins where the last number ended, and texts and whole numbers are skipped. Every
# repetition is possessive, so that long texts do not overflow the stack.
_FRACTION = (
    rf'\G((?:[^"0-9-]++|{_TEXT}|-?[0-9]++(?![0-9.eE]))*+)'
    r"(-?[0-9]++[.eE][0-9.eE+-]*+)"
)


def exact_numbers(config: Config, text: str) -> str:
    """Return SQL: a record's text from which Spark reads every digit of its numbers.

    Args:
        config: configuration of the source; only `decimal_format: numeric` changes the text.
        text: SQL: the record's JSON text.
    """
    return quote_fractions(text) if config["decimal_format"] == "numeric" else text


def quote_fractions(text: str) -> str:
    """Return SQL: a JSON text with quotes around each number with a fraction or an exponent.

    Spark reads such a number as a double before it converts it to text, and rounds it. A number in
    quotes stays as it is (spec §11.1).
    """
    return f"regexp_replace({text}, {text_literal(_FRACTION)}, '$1\"$2\"')"
