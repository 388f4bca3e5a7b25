"""Which records of the topics repeat an earlier one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from dev.recorder.events import operation, redelivered

RUN = "__debezium.context.runId"


def repeats(records: Sequence[Mapping[str, Any]], prefix: str) -> int:
    """Return how many changes under a topic prefix were delivered before, by an earlier run.

    Tombstones are not counted: they have no position of their own, and partitions no common order.

    Args:
        records: in arrival order.
        prefix: of the topics.
    """
    runs: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        if not record["topic"].startswith(f"{prefix}."):
            continue
        run = next((h["value"] for h in record["headers"] or () if h["key"] == RUN), None)
        if run is not None and operation(record) != "tombstone":
            runs.setdefault(json.dumps(run), []).append(record)
    return redelivered(list(runs.values()))
