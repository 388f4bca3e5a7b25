"""The order of evidence in the source's log, which decides the current layout of a table.

Connectors repeat records, so the last record to arrive need not have the current layout. The order
is that of events (design §7): incarnation of the topic, configured epoch, life, position, and
arrival if these are equal. Repeated records then change nothing.
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
        """The record as users find it: topic:partition:offset."""
        return f"{self.topic}:{self.partition}:{self.offset}"


class Place(NamedTuple):
    """A record that has some layout, and its place in the source's log.

    `restarted` is the first record of the full snapshot that contains the record, None for a
    change.
    """

    incarnation: int
    epoch: int
    position: str | None
    record: RecordId
    restarted: RecordId | None


class LogPosition(NamedTuple):
    """The latest place of evidence in the source's log; the highest one is current."""

    incarnation: int
    epoch: int
    life: int
    position: str
    record: RecordId


def restarts(places: Sequence[Place]) -> frozenset[RecordId]:
    """Return the first records of full snapshots after which a database has lower positions.

    The position of such a snapshot is lower than that of an earlier record. Later records belong to
    a later life, whatever their positions are.

    Args:
        places: all places of a table.
    """
    return frozenset(
        place.restarted
        for place in places
        if place.restarted is not None and _starts_lower(place, place.restarted, places)
    )


def _starts_lower(snapshot: Place, first: RecordId, places: Iterable[Place]) -> bool:
    if snapshot.position is None:
        return False
    return any(
        earlier.position is not None
        and earlier.position > snapshot.position
        and earlier.record < first
        and (earlier.incarnation, earlier.epoch) == (snapshot.incarnation, snapshot.epoch)
        for earlier in places
    )


def latest_log_position(places: Iterable[Place], restarted: frozenset[RecordId]) -> LogPosition:
    """Return the highest log position of the records with a layout.

    Args:
        places: at least one.
        restarted: the restarts of the table.
    """
    return max(
        LogPosition(
            incarnation=place.incarnation,
            epoch=place.epoch,
            life=sum(first <= place.record for first in restarted),
            position=place.position or "",
            record=place.record,
        )
        for place in places
    )


# A record without a time precedes all others.
_NO_TIME = -(2**63)


def read_record_id(value: dict[str, Any]) -> RecordId:
    """Return a record from an evidence row."""
    at = value.get("at")
    return RecordId(
        at=_NO_TIME if at is None else at,
        topic=value["topic"],
        partition=value["partition"],
        offset=value["offset"],
    )


def read_place(value: dict[str, Any]) -> Place:
    """Return a place from an evidence row."""
    restarted = value.get("restarted")
    return Place(
        incarnation=value["incarnation"],
        epoch=value["epoch"],
        position=value.get("position"),
        record=read_record_id(value["seen"]),
        restarted=None if restarted is None else read_record_id(restarted),
    )
