"""Read one JSON line of Lenses' sinks, an envelope of key, value, headers and metadata.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.landing.json_members import object_at
from dbt_debezium_spark.landing.record_line import (
    Record,
    check_place,
    members_of_line,
    record_of_members,
    row_of,
    text_of_line,
)
from dbt_debezium_spark.landing.record_values import REQUIRED, LineError, missing


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
        raise LineError(f"{missing('metadata')} (`store.envelope` of the sink writes it)")
    if "value" not in members:
        # The sink writes the null of a tombstone. Without the member, values are not stored.
        raise LineError(f"{missing('value')} (`store.envelope.value` of the sink writes it)")
    place = dict(object_at(metadata, 0)[0])
    check_place(place)
    record = {name: place[name] for name in (*REQUIRED, "timestamp") if name in place}
    record |= {name: members[name] for name in ("key", "value", "headers") if name in members}
    return record_of_members(record)


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the record of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)
