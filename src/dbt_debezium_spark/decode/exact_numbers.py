"""SQL that keeps every digit of the numbers in a record's JSON text."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Config
from dbt_debezium_spark.sql_text import text_literal

_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# One pass: `\G` begins where the last number ended, texts and whole numbers are stepped over, and
# every repetition is possessive, so that no text is long enough to overflow the stack.
_FRACTION = (
    rf'\G((?:[^"0-9-]++|{_TEXT}|-?[0-9]++(?![0-9.eE]))*+)'
    r"(-?[0-9]++[.eE][0-9.eE+-]*+)"
)


def exact_numbers(config: Config, text: str) -> str:
    """Return SQL: a record's text so that every digit of its numbers survives being read as text.

    Args:
        config: of the source; only with `decimal_format: numeric` does the text change.
        text: SQL: the record's JSON text.
    """
    return quote_fractions(text) if config["decimal_format"] == "numeric" else text


def quote_fractions(text: str) -> str:
    """Return SQL: a JSON text with quotes around each number with a fraction or an exponent.

    Spark reads such a number through a double when it is wanted as text, and rounds it; a quoted
    one comes through as it was written (spec §11.1).
    """
    return f"regexp_replace({text}, {text_literal(_FRACTION)}, '$1\"$2\"')"
