"""Reading what connectors delivered, just enough to wait for it and to count it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Produced = Mapping[str, Any]

RUN = "__debezium.context.runId"
"""The header that says which run of a connector sent a record."""

POSITION_FIELDS = ("txId", "lsn", "gtid", "file", "pos", "row")
"""Where a source block of PostgreSQL or MariaDB says its place in the log."""


def payload(text: str | None) -> Any:
    """Return a key's or value's payload, whether or not it carries its schema."""
    if text is None:
        return None
    parsed = json.loads(text)
    if isinstance(parsed, dict) and parsed.keys() == {"schema", "payload"}:
        parsed = parsed["payload"]
    return _enveloped(parsed) if isinstance(parsed, dict) and "__op" in parsed else parsed


def _enveloped(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a flattened row as the envelope that it was, as far as it is needed here."""
    source = {
        name.removeprefix("__source_"): value
        for name, value in row.items()
        if name.startswith("__source_")
    }
    image = {name: value for name, value in row.items() if not name.startswith("__")}
    is_delete = row["__op"] == "d"
    return {
        "op": row["__op"],
        "before": image if is_delete else None,
        "after": None if is_delete else image,
        "source": source,
    }


def operation(record: Produced) -> str:
    """Return `c`, `u`, `d`, `r`, `t`, `m`, `tombstone`, or `other` when it is no change."""
    value = payload(record["value"])
    if value is None:
        return "tombstone"
    if isinstance(value, dict) and "op" in value:
        return str(value["op"])
    return "other"


def counts(records: Iterable[Produced]) -> dict[str, dict[str, int]]:
    """Return the number of records by topic and operation."""
    found: dict[str, Counter[str]] = {}
    for record in records:
        found.setdefault(record["topic"], Counter())[operation(record)] += 1
    return {topic: dict(sorted(found[topic].items())) for topic in sorted(found)}


def run_of(record: Produced) -> str | None:
    """Return which run of the connector sent a record, where that is known."""
    return next((h["value"] for h in record["headers"] or () if h["key"] == RUN), None)


def redelivered(records: Sequence[Produced], prefix: str) -> int:
    """Return how many changes under a topic prefix were delivered before, by an earlier run.

    Counted with multiplicity: two equal rows of one COPY are two records, not a repeat. Reads and
    records that are no change of a row (heartbeats, transactions) do not count. Nor do tombstones:
    they have no position of their own, and partitions no common order.

    Args:
        records: in arrival order.
        prefix: of the topics.
    """
    runs: dict[str | None, Counter[str]] = {}
    for record in records:
        is_change = operation(record) not in ("other", "r", "tombstone")
        if record["topic"].startswith(f"{prefix}.") and is_change and run_of(record):
            runs.setdefault(run_of(record), Counter())[_identity(record)] += 1
    earlier: Counter[str] = Counter()
    repeats = 0
    for run in runs.values():
        repeats += (earlier & run).total()
        earlier |= run
    return repeats


def _identity(record: Produced) -> str:
    value = payload(record["value"])
    parts = [
        record["topic"], value["op"], record["key"],
        *map(value["source"].get, POSITION_FIELDS), value.get("before"), value.get("message"),
    ]  # fmt: skip
    return json.dumps(parts, sort_keys=True)
