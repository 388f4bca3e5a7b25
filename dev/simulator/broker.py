"""A Kafka topic, or two: partitions by key, offsets with gaps, a clock that only moves forward."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, replace

from dev.simulator.table import Row
from reference.record import KafkaRecord

START_MS = 1_760_000_000_000
TOMBSTONE_TEXTS = {
    "null": None,
    "empty": "",
    "text": "null",
    "legacy": '{"schema":null,"payload":null}',
}
"""How landing layers show the null of a tombstone."""


@dataclass(frozen=True)
class Said:
    """What a record says about the table, for tests that know more than the log.

    `kind`: row, gone, truncate or nothing. `order` rises in the order in which the source changed.
    """

    kind: str
    key: str | None = None
    order: int = -1
    row: Row | None = None


def is_null(value: str | None) -> bool:
    """Tell whether a record's value is a null in one of its forms."""
    return value in TOMBSTONE_TEXTS.values()


class Broker:
    """Take records for one topic and keep them in the order they came."""

    def __init__(
        self, topic: str, partitions: int, rng: random.Random, gaps: bool, retries: str = "no"
    ) -> None:
        """Create the topic.

        `retries`: no, whole or any; whole ones never begin with the tombstone of a delete that is
        not in the batch.
        """
        self.topic = topic
        self.partitions = partitions
        self.now_ms = START_MS + rng.randint(0, 10**9)
        self.records: list[KafkaRecord] = []
        self.said: list[Said] = []
        self.next_offsets: dict[int, int] = {}
        self._rng = rng
        self._gaps = gaps
        self._retries = retries
        self._batches: dict[int, list[int]] = {}  # partition -> the records of its open batch

    def append(
        self,
        key: str | None,
        value: str | None,
        headers: list[tuple[str, str]],
        said: Said,
        repeatable: bool = True,
    ) -> None:
        """Take one record; its batch is not sent again unless all in it is `repeatable`."""
        self.now_ms += self._rng.choice([0, 0, 1, 7])
        if key is None:
            partition = self._rng.randrange(self.partitions)
        else:
            partition = zlib.crc32(key.encode()) % self.partitions
        record = KafkaRecord(self.topic, partition, 0, self.now_ms, key, value, tuple(headers))
        self._keep(record, said)
        if self._retries != "no":
            self._may_retry(partition, repeatable)

    def _keep(self, record: KafkaRecord, said: Said) -> None:
        offset = self.next_offsets.get(record.partition, 0)
        if self._gaps and self._rng.random() < 0.2:
            offset += self._rng.randint(1, 3)  # control records of a transactional producer
        self.next_offsets[record.partition] = offset + 1
        self.records.append(replace(record, offset=offset))
        self.said.append(said)

    def _may_retry(self, partition: int, repeatable: bool) -> None:
        """End a batch here and there; an acknowledgement that is lost brings it once more.

        One batch is under way at a time, so that nothing comes between the two.
        """
        batch = self._batches.setdefault(partition, [])
        batch.append(len(self.records) - 1)
        if not repeatable:
            batch.clear()
        elif self._rng.random() < 0.25:
            if self._rng.random() < 0.3 and (self._retries == "any" or self._is_whole(batch)):
                for index in batch * self._rng.choice([1, 1, 1, 2]):
                    self._keep(self.records[index], self.said[index])
            batch.clear()

    def _is_whole(self, batch: list[int]) -> bool:
        """Tell whether no tombstone is the first that the batch has of its key."""
        first: dict[str | None, str | None] = {}
        for index in batch:
            first.setdefault(self.records[index].key, self.records[index].value)
        return not any(is_null(value) for value in first.values())

    def end_batches(self) -> None:
        """Let a producer end: another one repeats nothing of its."""
        self._batches.clear()

    def tick(self) -> int:
        """Let time pass, so that what follows carries a later timestamp; return it."""
        self.now_ms += 1000
        return self.now_ms

    def add_partitions(self) -> None:
        """Add partitions: keys may move."""
        self.tick()
        self.end_batches()
        self.partitions += self._rng.randint(1, 3)

    def change_topic(self) -> None:
        """Let what follows go to a second topic."""
        self.tick()
        self.end_batches()
        self.topic += ".2"
        self.next_offsets = {}

    def create_anew(self) -> int:
        """Delete and create the topic: offsets start again. Return the boundary's timestamp."""
        self.end_batches()
        self.next_offsets = {}
        return self.tick()
