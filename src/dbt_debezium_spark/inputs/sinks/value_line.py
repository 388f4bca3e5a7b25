"""Read one line that is a value or a key alone; `connect_rows` must agree with the result.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

import json
from typing import Any

from dbt_debezium_spark.landing.json_members import value_of
from dbt_debezium_spark.landing.record_line import Record, row_of, text_of_line
from dbt_debezium_spark.landing.record_values import LineError, json_or_text

# Lines of these readers have no place in Kafka: the name of their file tells it.
NO_OFFSET = -1
NO_PLACE: dict[str, Any] = {"topic": "", "partition": 0, "offset": NO_OFFSET}
# What stands around the records of a file that is one JSON array.
_BRACKETS = ("[", "]", "[]")


def read_line(line: bytes) -> Record | None:
    """Return a record with the value of a line, or None for a blank line.

    A line that is a string holds the text of the value, one that is null a tombstone. Any other
    value stays as it is written.

    Raises:
        LineError: the line is not one JSON value.
    """
    text = record_text(line)
    if not text:
        return None
    try:
        raw = value_of(text)
    except json.JSONDecodeError as error:
        raise LineError(
            f"malformed_line: not JSON: {error.msg} at character {error.pos + 1}"
        ) from error
    except RecursionError as error:
        raise LineError("malformed_line: nested too deeply") from error
    content = json_or_text(raw, "value")  # refuses half of a surrogate pair
    return record_of(value=content if raw[0] in '"n' else raw)


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the value of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)


def record_text(line: bytes) -> str:
    """Return the text of a line without what separates the items of an array.

    Raises:
        LineError: the line is not UTF-8.
    """
    text = text_of_line(line)
    return "" if text in _BRACKETS else text.removesuffix(",")


def record_of(**members: Any) -> Record:
    """Return a record with some members; those not given are absent."""
    absent = dict.fromkeys(("timestamp_us", "timestamp_type", "key", "value", "headers"))
    return Record(**NO_PLACE | absent | members)
