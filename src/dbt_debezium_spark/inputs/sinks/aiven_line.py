"""Read one JSON line of Aiven's sinks, an object of the configured fields.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.inputs.sinks.value_line import NO_OFFSET, record_of, record_text
from dbt_debezium_spark.landing.record_headers import headers_of
from dbt_debezium_spark.landing.record_line import Record, members_of_line, row_of
from dbt_debezium_spark.landing.record_values import (
    LineError,
    is_absent,
    json_or_text,
    missing,
    timestamp_us,
    whole_number,
)

FIELDS = ("key", "value", "offset", "timestamp", "headers")


def read_line(line: bytes) -> Record | None:
    """Return the record of a line, or None for a blank line.

    Raises:
        LineError: the line is not one object of the sink's fields.
    """
    text = record_text(line)
    if not text:
        return None
    members = members_of_line(text)
    by_name = dict(members)
    if "value" not in by_name:
        names = ", ".join(f"`{name}`" for name, _ in members[:3]) or "no member"
        raise LineError(f"{missing('value')} (the line has {names})")
    for name, _ in members:
        if name not in FIELDS:
            raise LineError(f"malformed_line: `{name}` is no field of the sink's output")
    offset = by_name.get("offset")
    return record_of(
        offset=NO_OFFSET if is_absent(offset) else whole_number(str(offset), "offset"),
        timestamp_us=timestamp_us(by_name.get("timestamp")),
        key=json_or_text(by_name.get("key"), "key"),
        value=json_or_text(by_name["value"], "value"),
        headers=headers_of(by_name.get("headers")),
    )


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the record of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)
