"""The steps of a key's history. docs/history.md#steps-of-a-key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.closing import closed_by
from reference.config import Config
from reference.envelope import payload_of
from reference.epochs import epoch
from reference.event import Event
from reference.fold import Walked
from reference.folded import Row
from reference.record import time_of
from reference.tombstones import TOMBSTONE
from reference.truncates import removed_by
from reference.unavailable import Values
from reference.walk import Step


@dataclass(frozen=True)
class Change:
    """A step: an upsert with the row it left, or what ended the row.

    `how` is what a version that it begins or ends says. `at` and `source_at` are microseconds.
    `transaction` tells it from others of its key; None: the step has none.
    """

    is_upsert: bool
    how: str
    event_id: str
    at: int
    source_at: int | None
    place: Any
    transaction: tuple[Any, ...] | None
    tx_id: str | None
    incarnation: int
    begins_life: bool = False
    row: Row = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    other_key: str | None = None


class KeyChanges:
    """Which `c` and `d` are the two halves of one key change."""

    def __init__(self, events: Sequence[Event]) -> None:
        """Find the halves."""
        self._deletes: dict[Any, list[Event]] = {}
        self._next: dict[tuple[str, Any], str] = {}
        for event in events:
            if event.op == "d" and event.logged_at is not None:
                self._deletes.setdefault(event.logged_at, []).append(event)
        for event in events:
            previous = self.previous(event) if event.op == "c" else None
            if previous is not None and event.key is not None and event.logged_at is not None:
                half = (previous, event.logged_at)
                self._next[half] = max(event.key, self._next.get(half, event.key))

    def previous(self, create: Event) -> str | None:
        """Return the key that the row of a `c` had before."""
        if create.old_key is not None:
            return None if create.old_key == create.key else create.old_key
        if create.logged_at is None:
            return None
        deletes = [one for one in self._deletes.get(create.logged_at, ()) if one.key != create.key]
        beside = [one for one in deletes if one.record.topic == create.record.topic]
        return max((one.key for one in beside or deletes if one.key is not None), default=None)

    def next(self, delete: Event) -> str | None:
        """Return the key that the row of a `d` has now."""
        if delete.key is None or delete.logged_at is None:
            return None
        return self._next.get((delete.key, delete.logged_at))


class Changes:
    """Turn walks into steps: applied events, and the truncates and snapshots between them."""

    def __init__(self, log: Walked, config: Config) -> None:
        """Take the walks of a log."""
        self._walks = log.walks
        self._truncates = sorted(log.truncates, key=_order_of_truncates)
        self._snapshots = sorted(log.snapshots, key=_start_of)
        self._config = config
        self._values = Values(log.walks, config)
        self._key_changes = KeyChanges(log.events)

    def of(self, key: str) -> Iterator[Change]:
        """Yield the steps of a key in order."""
        steps = self._walks[key]
        for place, step in enumerate(steps):
            yield self._upsert(step) if step.upsert else self._end(step)
            if step.upsert:
                yield from self._cut(steps, place)

    def _upsert(self, step: Step) -> Change:
        event = step.event
        row, unknown = self._values.after(step)
        previous = self._key_changes.previous(event)
        how = {"c": "insert", "u": "update", "r": "read"}[event.op]
        return self._change(
            event,
            "key_change" if previous else how,
            is_upsert=True,
            begins_life=step.renames or previous is not None,
            row=row,
            unknown=frozenset(unknown),
            other_key=previous,
        )

    def _end(self, step: Step) -> Change:
        event = step.event
        if event.op == TOMBSTONE:
            return self._change(event, "tombstone")
        next_key = self._key_changes.next(event)
        return self._change(event, "key_change" if next_key else "delete", other_key=next_key)

    def _cut(self, steps: Sequence[Step], place: int) -> Iterator[Change]:
        """Yield the truncate or snapshot between an upsert and the event behind it, if any."""
        event = steps[place].event
        behind = steps[place + 1].event if place + 1 < len(steps) else None
        for truncate in self._truncates:
            if not removed_by(truncate, event, _reads(steps[: place + 1])):
                continue
            if behind is None or not removed_by(truncate, behind, _reads(steps[: place + 2])):
                is_drop = _source(truncate).get("snapshot") == "drop"
                yield self._change(truncate, "drop" if is_drop else "truncate")
                return
        reads = {id(step.event) for step in steps}
        for snapshot in self._snapshots:
            if not closed_by(snapshot, event):
                continue
            if behind is None or not (
                closed_by(snapshot, behind) or any(id(read) in reads for read in snapshot)
            ):
                yield _closing(snapshot)
                return

    def _change(self, event: Event, how: str, is_upsert: bool = False, **more: Any) -> Change:
        source_at = time_at_source(event)
        return Change(
            is_upsert=is_upsert,
            how=how,
            event_id=event_id(event),
            at=event.record.timestamp_ms * 1000 if source_at is None else source_at,
            source_at=source_at,
            place=event.logged_at or event.stream_position,
            transaction=transaction_of(event, self._config),
            tx_id=_tx_id(event),
            incarnation=event.incarnation,
            **more,
        )


def event_id(event: Event) -> str:
    """Return the name of a delivery."""
    record = event.record
    return f"{record.topic}:{record.partition}:{record.offset}"


def time_at_source(event: Event) -> int | None:
    """Return the event's time at the source in microseconds."""
    return time_of(_source(event))


def transaction_of(event: Event, config: Config) -> tuple[Any, ...] | None:
    """Return what the changes of one transaction share. docs/history.md#transactions."""
    if not event.streaming:
        return None
    tx_id = _tx_id(event)
    if tx_id is not None:
        is_postgresql = config.connector == "postgresql"
        name: Any = tx_id.split(":")[0] if is_postgresql else tx_id
    elif config.connector == "postgresql" and event.stream_position is not None:
        name = event.stream_position[1][0] or None
    elif config.connector == "sqlserver" and event.position is not None:
        name = event.position[1][0]
    else:
        return None
    if name is None:
        return None
    return (epoch(event.record, config), tx_id is None, name)


def _tx_id(event: Event) -> str | None:
    value = payload_of(event.record.value)
    transaction = value.get("transaction") if isinstance(value, dict) else None
    found = transaction.get("id") if isinstance(transaction, dict) else None
    return None if found is None else str(found)


def _source(event: Event) -> dict[str, Any]:
    value = payload_of(event.record.value)
    source = value.get("source") if isinstance(value, dict) else None
    return source if isinstance(source, dict) else {}


def _reads(steps: Sequence[Step]) -> list[Event]:
    return [step.event for step in steps if step.event.full_read]


def _order_of_truncates(truncate: Event) -> tuple[Any, ...]:
    record = truncate.record
    position = truncate.position
    # those without a position come last
    return (position is None, position or (), record.timestamp_ms) + (
        record.topic,
        record.partition,
        record.offset,
    )


def _start_of(snapshot: list[Event]) -> tuple[Any, ...]:
    return (min(read.record.timestamp_ms for read in snapshot), event_id(_first(snapshot)))


def _first(snapshot: list[Event]) -> Event:
    return min(snapshot, key=lambda read: (read.record.partition, read.record.offset))


def _closing(snapshot: list[Event]) -> Change:
    at = min(
        time if (time := time_at_source(read)) is not None else read.record.timestamp_ms * 1000
        for read in snapshot
    )
    first = _first(snapshot)
    return Change(
        is_upsert=False,
        how="unseen",
        event_id=event_id(first),
        at=at,
        source_at=at,
        place=first.stream_position,
        transaction=None,
        tx_id=None,
        incarnation=first.incarnation,
    )
