"""Read a damaged line as landing does, without Spark, and say what is wrong with what comes out."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from dbt_debezium_spark.landing.record_line import read_row
from dbt_debezium_spark.landing.record_values import INT_MAX, LONG_MAX

BLANK, RECORD, REJECTED = "blank", "record", "rejected"
CODES = re.compile(r"(malformed_line|missing_column|bad_value): .")
MAX_REASON_CHARACTERS = 500
_TEXTS = ("topic", "key", "value", "reason", "content", "content_hash")


def outcome(line: bytes) -> str:
    """Return what became of a line: `record`, `blank`, or the code of its rejection.

    Raises:
        AssertionError: the row is none that Spark takes, or a rejection without a reason.
        Exception: whatever left the reader.
    """
    row = read_row("file", 0, 0, line)
    state = row["state"]
    assert state in (BLANK, RECORD, REJECTED), state
    # What Arrow does not take would end the run outside of the reader.
    headers = [(one["key"], one["value"]) for one in row["headers"] or ()]
    pa.array([row[name] for name in _TEXTS] + [text for pair in headers for text in pair])
    if state == RECORD:
        _check_record(row)
    if state == REJECTED:
        found = CODES.match(row["reason"])
        assert found, f"no reason: {row['reason']!r}"
        # The net below the reader is for what nobody thought of; what is found here has a reason.
        assert "cannot be read: " not in row["reason"], row["reason"]
        assert len(row["reason"]) <= MAX_REASON_CHARACTERS, row["reason"][:100]
        assert row["content_hash"] and row["content"] is not None
        return found[1]
    return str(state)


def _check_record(row: dict[str, Any]) -> None:
    assert row["reason"] is None
    assert row["topic"]
    assert 0 <= row["partition"] <= INT_MAX
    assert 0 <= row["offset"] <= LONG_MAX
    assert row["timestamp_us"] is None or abs(row["timestamp_us"]) <= LONG_MAX
    assert row["timestampType"] in (None, -1, 0, 1)
    for name in ("key", "value"):
        assert row[name] is None or isinstance(row[name], str)
