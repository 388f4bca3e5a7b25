"""Histories of two tables or collections, sent to one topic, and what is read for each."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reference import KafkaRecord
from reference.record import payload_of

Place = tuple[str, int, int]
Landed = Sequence[KafkaRecord]


@dataclass(frozen=True)
class SharedTopic:
    """The records of a topic, and by the place of each the name of its table."""

    records: list[KafkaRecord]
    owners: Mapping[Place, str]

    def reader(self, name: str) -> Callable[[Landed], list[KafkaRecord]]:
        """Return what picks the records that are read for a table out of all that landed.

        A tombstone says no table: those before the first record of another table are read
        (docs/schema-changes.md).
        """

        def read(landed: Landed) -> list[KafkaRecord]:
            events, tombstones, others = [], [], []
            for record in landed:
                owner = self.owners.get((record.topic, record.partition, record.offset))
                if owner is None or record.topic != self.records[0].topic:
                    continue
                if payload_of(record.value) is None:
                    tombstones.append(record)
                elif owner == name:
                    events.append(record)
                else:
                    others.append(record.timestamp_ms)
            since = min(others, default=None)
            return events + [one for one in tombstones if since is None or one.timestamp_ms < since]

        return read


def share_topic(tables: Mapping[str, Sequence[KafkaRecord]], rng: random.Random) -> SharedTopic:
    """Return the logs of several tables as that of one topic: each in its order, new offsets."""
    queues: dict[int, list[list[tuple[str, KafkaRecord]]]] = defaultdict(list)
    for name, log in tables.items():
        partitions: dict[int, list[tuple[str, KafkaRecord]]] = defaultdict(list)
        for record in sorted(log, key=lambda one: one.offset):
            partitions[record.partition].append((name, record))
        for partition, records in partitions.items():
            queues[partition].append(records)
    merged, owners = [], {}
    for partition, parts in queues.items():
        for offset in itertools.count():
            left = [part for part in parts if part]
            if not left:
                break
            name, record = rng.choice(left).pop(0)
            owners[record.topic, partition, offset] = name
            merged.append(replace(record, offset=offset))
    return SharedTopic(sorted(merged, key=lambda one: one.timestamp_ms), owners)
