"""What a log of records meets: kinds of repeats, told by the records alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dev.simulator.compaction import is_null
from reference import KafkaRecord

KINDS = {"c": "changes", "u": "changes", "d": "changes", "t": "changes", "r": "full reads"}


def producer_retries(records: Iterable[KafkaRecord]) -> Counter[str]:
    """Count records that a producer sent again, byte for byte, by what they are.

    A tombstone is *parted* when the record of its key before it in the partition is neither a
    delete nor a tombstone: it follows its delete in the log, but not in the batch.
    """
    met = Counter(
        dict.fromkeys(
            (f"retried {kind}" for kind in ("changes", "full reads", "incremental reads")), 0
        )
    )
    met["retried tombstones"] = met["retried parted tombstones"] = 0
    seen: set[tuple[Any, ...]] = set()
    before: dict[tuple[int, str | None], str] = {}
    for record in records:
        place = (record.partition, record.key)
        delivery = (*place, record.timestamp_ms, record.value, record.headers)
        again, op = delivery in seen, op_of(record)
        seen.add(delivery)
        if again and op == "tombstone" and record.key is not None:
            met["retried tombstones"] += 1
            met["retried parted tombstones"] += before.get(place) not in ("d", "tombstone")
        elif again and op in KINDS:
            incremental = op == "r" and "incremental" in (record.value or "")
            met["retried incremental reads" if incremental else f"retried {KINDS[op]}"] += 1
        before[place] = op
    return met


def repeats_from_before_a_read(records: Iterable[KafkaRecord]) -> int:
    """Count changes that a later run sends again behind a full read of their key."""
    sent: dict[Any, int] = {}
    read: dict[str | None, int] = {}
    found = 0
    for number, record in enumerate(records):
        if is_null(record.value):
            continue
        value = payload(record)
        if value["op"] == "r":
            if "incremental" not in (record.value or ""):
                read[record.key] = number
            continue
        source = {k: v for k, v in value["source"].items() if not k.startswith("ts_")}
        told = [value.get(name) for name in ("op", "before", "after", "patch")]
        identity = (record.key, json.dumps([told, source], sort_keys=True))
        first = sent.setdefault(identity, number)
        found += first < read.get(record.key, -1)
    return found


def payload(record: KafkaRecord) -> Any:
    """Return a record's envelope, without a schema."""
    value = json.loads(record.value or "null")
    return value["payload"] if isinstance(value, dict) and "payload" in value else value


def op_of(record: KafkaRecord) -> str:
    """Return a record's op, or that it is a tombstone."""
    return "tombstone" if is_null(record.value) else str(payload(record)["op"])
