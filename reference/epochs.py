"""Epochs: positions that started again, as configuration says. docs/semantics.md#words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.record import KafkaRecord

if TYPE_CHECKING:
    from reference.config import Config


@dataclass(frozen=True)
class Epoch:
    """One configured epoch entry: positions started again, without a snapshot telling so.

    Either `from_ms` (record timestamp, milliseconds), or `topic` with `offsets` by partition.
    """

    from_ms: int | None = None
    topic: str | None = None
    offsets: Mapping[int, int] = field(default_factory=dict)

    def holds(self, record: KafkaRecord) -> bool:
        """Tell whether the record belongs to this epoch or a later one."""
        if self.from_ms is not None:
            return record.timestamp_ms >= self.from_ms
        first = self.offsets.get(record.partition)
        return record.topic == self.topic and first is not None and record.offset >= first


def epoch(record: KafkaRecord, config: Config) -> int:
    """Return how many of the configured entries hold for the record."""
    return sum(1 for entry in config.epochs if entry.holds(record))
