"""What a Kafka broker and its producer add to a record: partition and offset.

No broker runs while recording, so this module takes its place. Keyed records go where Kafka's
default partitioner sends them (murmur2 of the key's bytes), so a recording mixes keys over
partitions as a real topic does. Records without a key stick to one partition until a producer batch
is full and then move on, as the sticky partitioner does: a truncate, or the rows of a key-less
table, therefore land in any partition, and a redelivered one may land in another than its first
copy.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

DEFAULT_PARTITIONS = 3
"""Partitions of a topic nobody configured, as a broker with `num.partitions=3` creates it."""

STICKY_BATCH_BYTES = 16_384
"""Kafka's `batch.size`: a record without a key changes partition after so many bytes."""

_MASK = 0xFFFFFFFF


def murmur2(data: bytes) -> int:
    """Return Kafka's 32-bit murmur2 of `data`, as an unsigned number.

    Source: `org.apache.kafka.common.utils.Utils.murmur2`; tests hold Kafka's own test vectors.
    """
    length = len(data)
    mixer = 0x5BD1E995
    hashed = (0x9747B28C ^ length) & _MASK
    whole = length - length % 4
    for start in range(0, whole, 4):
        word = int.from_bytes(data[start : start + 4], "little")
        word = word * mixer & _MASK
        word ^= word >> 24
        word = word * mixer & _MASK
        hashed = (hashed * mixer & _MASK) ^ word
    if length > whole:
        hashed ^= int.from_bytes(data[whole:], "little")
        hashed = hashed * mixer & _MASK
    hashed ^= hashed >> 13
    hashed = hashed * mixer & _MASK
    return hashed ^ (hashed >> 15)


@dataclass
class _Topic:
    partitions: int
    next_offsets: list[int] = field(default_factory=list)
    sticky_partition: int = 0
    sticky_bytes: int = 0

    def __post_init__(self) -> None:
        self.next_offsets = [0] * self.partitions


class Broker:
    """Gives every record its partition and offset, in the order the records are handed over."""

    def __init__(self, partitions: Mapping[str, int], seed: int) -> None:
        """Create a broker without records.

        Args:
            partitions: number of partitions by topic; other topics get `DEFAULT_PARTITIONS`.
            seed: decides where key-less records start and move to.
        """
        self._partitions = dict(partitions)
        self._random = random.Random(f"broker-{seed}")
        self._topics: dict[str, _Topic] = {}

    def append_all(self, produced: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield each produced record with the columns that Kafka's consumers see."""
        for record in produced:
            yield self.append(record)

    def append(self, produced: Mapping[str, Any]) -> dict[str, Any]:
        """Return one produced record with its partition and offset.

        Args:
            produced: `topic`, `key`, `value`, `headers`, `timestamp` (ms) and `kafka_partition`
                (the one Debezium asks for, else None).
        """
        name = produced["topic"]
        topic = self._topics.get(name)
        if topic is None:
            topic = _Topic(self._partitions.get(name, DEFAULT_PARTITIONS))
            topic.sticky_partition = self._random.randrange(topic.partitions)
            self._topics[name] = topic
        partition = self._partition(topic, produced)
        offset = topic.next_offsets[partition]
        topic.next_offsets[partition] = offset + 1
        return {
            "topic": name,
            "partition": partition,
            "offset": offset,
            "timestamp": produced["timestamp"],
            "timestampType": 0,
            "key": produced["key"],
            "value": produced["value"],
            "headers": produced["headers"],
        }

    def _partition(self, topic: _Topic, produced: Mapping[str, Any]) -> int:
        asked = produced["kafka_partition"]
        if asked is not None:
            return int(asked)
        key = produced["key"]
        if key is not None:
            return (murmur2(key.encode()) & 0x7FFFFFFF) % topic.partitions
        if topic.sticky_bytes >= STICKY_BATCH_BYTES and topic.partitions > 1:
            others = [p for p in range(topic.partitions) if p != topic.sticky_partition]
            topic.sticky_partition = self._random.choice(others)
            topic.sticky_bytes = 0
        topic.sticky_bytes += len((produced["value"] or "").encode())
        return topic.sticky_partition
