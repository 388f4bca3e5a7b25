"""Where evidence stands in the source's log: which of two layouts of a table is the later one.

Connectors repeat themselves, so the last record to arrive need not show the current layout. The
order is that of events (design §7): incarnation of the topic, configured epoch, life, position,
and arrival between equals. A repeated stretch of records then changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class RecordId(NamedTuple):
    """A record, in the order of arrival; `at` is its time in microseconds."""

    at: int
    topic: str
    partition: int
    offset: int

    @property
    def event_id(self) -> str:
        """The record as people find it: topic:partition:offset."""
        return f"{self.topic}:{self.partition}:{self.offset}"


class Place(NamedTuple):
    """A record that showed some layout, and its place in the source's log.

    `restarted` is the first record of the full snapshot that the record is of, none for a change.
    """

    incarnation: int
    epoch: int
    position: str | None
    seen: RecordId
    restarted: RecordId | None


class LogPosition(NamedTuple):
    """How far evidence reaches in the source's log; the highest wins."""

    incarnation: int
    epoch: int
    life: int
    position: str
    seen: RecordId


def restarts(points: Sequence[Place]) -> frozenset[RecordId]:
    """Return the first records of full snapshots with which a database started again lower.

    Such a snapshot stands lower than a record that came before it. What follows it is of a later
    life, whatever its positions.

    Args:
        points: all those of a table.
    """
    return frozenset(
        point.restarted
        for point in points
        if point.restarted is not None and _starts_lower(point, point.restarted, points)
    )


def _starts_lower(snapshot: Place, first: RecordId, points: Iterable[Place]) -> bool:
    if snapshot.position is None:
        return False
    return any(
        earlier.position is not None
        and earlier.position > snapshot.position
        and earlier.seen < first
        and (earlier.incarnation, earlier.epoch) == (snapshot.incarnation, snapshot.epoch)
        for earlier in points
    )


def latest_log_position(points: Iterable[Place], restarted: frozenset[RecordId]) -> LogPosition:
    """Return the highest log_position of the records that showed a layout.

    Args:
        points: at least one.
        restarted: the restarts of its table.
    """
    return max(
        LogPosition(
            incarnation=point.incarnation,
            epoch=point.epoch,
            life=sum(first <= point.seen for first in restarted),
            position=point.position or "",
            seen=point.seen,
        )
        for point in points
    )


# A record without a time is before all others.
_NO_TIME = -(2**63)


def read_record_id(value: dict[str, Any]) -> RecordId:
    """Return a record of an evidence row."""
    at = value.get("at")
    return RecordId(
        at=_NO_TIME if at is None else at,
        topic=value["topic"],
        partition=value["partition"],
        offset=value["offset"],
    )


def read_place(value: dict[str, Any]) -> Place:
    """Return a place of an evidence row."""
    restarted = value.get("restarted")
    return Place(
        incarnation=value["incarnation"],
        epoch=value["epoch"],
        position=value.get("position"),
        seen=read_record_id(value["seen"]),
        restarted=None if restarted is None else read_record_id(restarted),
    )
