"""Read one JSON line of Lenses' sinks, an envelope of key, value, headers and metadata.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.landing.json_members import object_at
from dbt_debezium_spark.landing.record_headers import headers_of
from dbt_debezium_spark.landing.record_line import Record, members_of_line, row_of, text_of_line
from dbt_debezium_spark.landing.record_values import (
    INT_MAX,
    LONG_MAX,
    LineError,
    is_absent,
    json_or_text,
    text_of,
    timestamp_us,
    whole_number,
)

_PLACE = ("topic", "partition", "offset")


def read_line(line: bytes) -> Record | None:
    """Return the record of a line, or None for a blank line.

    Raises:
        LineError: the line is no whole envelope.
    """
    text = text_of_line(line)
    if not text:
        return None
    members = dict(members_of_line(text))
    metadata = members.get("metadata")
    if metadata is None or not metadata.startswith("{"):
        raise LineError("missing_column: metadata (`store.envelope` of the sink writes it)")
    if "value" not in members:
        # The sink writes the null of a tombstone. Without the member, values are not stored.
        raise LineError("missing_column: value (`store.envelope.value` of the sink writes it)")
    place = dict(object_at(metadata, 0)[0])
    for name in _PLACE:
        if is_absent(place.get(name)):
            raise LineError(f"missing_column: {name} (in `metadata`)")
    topic = text_of(place["topic"], "topic")
    if not topic or not place["topic"].startswith('"'):
        raise LineError(f"bad_value: topic: {place['topic'][:100]}")
    return Record(
        topic=topic,
        partition=whole_number(place["partition"], "partition", INT_MAX),
        offset=whole_number(place["offset"], "offset", LONG_MAX),
        timestamp_us=timestamp_us(place.get("timestamp")),
        timestamp_type=None,
        key=json_or_text(members.get("key"), "key"),
        value=json_or_text(members["value"], "value"),
        headers=headers_of(members.get("headers")),
    )


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the record of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)
