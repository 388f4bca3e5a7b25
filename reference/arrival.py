"""Where a delivery lies, and the order of arrival. docs/semantics.md#arrival."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from reference.record import KafkaRecord


@dataclass(frozen=True)
class Arrival:
    """A record, and the number of its topic's incarnation."""

    record: KafkaRecord
    incarnation: int

    @property
    def place(self) -> tuple[str, int]:
        """The partition it lies in."""
        return (self.record.topic, self.record.partition)

    @property
    def order_in_place(self) -> tuple[int, int]:
        """Arrival order within one partition."""
        return (self.incarnation, self.record.offset)

    @property
    def order_across_places(self) -> tuple[int, int, str, int, int]:
        """Arrival order of a key that was seen in several partitions."""
        record = self.record
        return (
            self.incarnation,
            record.timestamp_ms,
            record.topic,
            record.partition,
            record.offset,
        )


Arrived = TypeVar("Arrived", bound=Arrival)


def in_arrival_order(arrivals: list[Arrived]) -> list[Arrived]:
    """Sort what is told of one key as it arrived."""
    if len({one.place for one in arrivals}) == 1:
        return sorted(arrivals, key=lambda one: one.order_in_place)
    return sorted(arrivals, key=lambda one: one.order_across_places)
