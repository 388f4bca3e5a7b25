"""Read one line that is the bytes of a value, as Connect's ByteArrayFormat writes them.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.inputs.sinks.value_line import record_of
from dbt_debezium_spark.landing.record_line import Record, row_of
from dbt_debezium_spark.landing.record_values import LineError, without_half_pairs


def read_line(line: bytes) -> Record:
    """Return a record with a line as its value.

    Raises:
        LineError: the line is not UTF-8, or contains half of a surrogate pair.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(
            f"bad_value: value: not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}"
        ) from error
    return record_of(value=without_half_pairs(text.rstrip("\r"), "value"))


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the value of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)
