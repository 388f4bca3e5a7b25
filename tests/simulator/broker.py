"""One Kafka topic: partitions by key, offsets with gaps, a clock that only moves forward."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass

from tests.reference.record import KafkaRecord
from tests.simulator.table import Row

START_MS = 1_760_000_000_000


@dataclass(frozen=True)
class Said:
    """What a record says about the table, for tests that know more than the log.

    `kind`: row, gone, truncate or nothing. `order` rises in the order in which the source changed.
    """

    kind: str
    key: str | None = None
    order: int = -1
    row: Row | None = None


class Broker:
    """Take records for one topic and keep them in the order they came."""

    def __init__(self, topic: str, partitions: int, rng: random.Random, gaps: bool) -> None:
        """Create the topic."""
        self.topic = topic
        self.partitions = partitions
        self.now_ms = START_MS + rng.randint(0, 10**9)
        self.records: list[KafkaRecord] = []
        self.said: list[Said] = []
        self.next_offsets: dict[int, int] = {}
        self._rng = rng
        self._gaps = gaps

    def append(
        self, key: str | None, value: str | None, headers: list[tuple[str, str]], said: Said
    ) -> None:
        """Take one record."""
        self.now_ms += self._rng.choice([0, 0, 1, 7])
        if key is None:
            partition = self._rng.randrange(self.partitions)
        else:
            partition = zlib.crc32(key.encode()) % self.partitions
        offset = self.next_offsets.get(partition, 0)
        if self._gaps and self._rng.random() < 0.2:
            offset += self._rng.randint(1, 3)  # control records of a transactional producer
        self.next_offsets[partition] = offset + 1
        self.records.append(
            KafkaRecord(self.topic, partition, offset, self.now_ms, key, value, tuple(headers))
        )
        self.said.append(said)

    def tick(self) -> int:
        """Let time pass, so that what follows carries a later timestamp; return it."""
        self.now_ms += 1000
        return self.now_ms

    def add_partitions(self) -> None:
        """Add partitions: keys may move."""
        self.tick()
        self.partitions += self._rng.randint(1, 3)

    def create_anew(self) -> int:
        """Delete and create the topic: offsets start again. Return the boundary's timestamp."""
        self.next_offsets = {}
        return self.tick()
