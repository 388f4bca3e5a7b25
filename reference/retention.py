"""What retention keeps of the events from before a horizon. reference/retention.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reference.arrival import Arrival
from reference.closing import snapshots_of
from reference.config import Config
from reference.envelope import source_of
from reference.event import Event
from reference.folded import Folded
from reference.record import payload_of, time_of
from reference.tombstones import TOMBSTONE
from reference.unavailable import Values
from reference.walk import Step, walks_of_keys

Partition = tuple[str, int, int]  # topic, incarnation, number


@dataclass(frozen=True)
class Horizon:
    """Up to where the events of a table are settled.

    `late_ms`: the record timestamp at or below which an event is late; `offsets`: of each
    partition the highest such one;
    `changes`, `reads_us`: by topic, the highest place of a settled change in the source's log and
    the highest time of a settled read at the source, in microseconds.
    """

    late_ms: int
    offsets: Mapping[Partition, int] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    reads_us: Mapping[str, int] = field(default_factory=dict)


def partition_of(event: Arrival) -> Partition:
    """Return the partition of an event; one that was created again is another."""
    return (event.record.topic, event.incarnation, event.record.partition)


def settled_part(events: Iterable[Event], until_ms: int) -> tuple[list[Event], list[Event]]:
    """Split events into those up to a record timestamp and the others: a prefix of each partition.

    The timestamp is lowered until no partition has a settled event behind one that is not.
    """
    highest: dict[Partition, int] = {}
    crossings: list[tuple[int, int]] = []  # timestamps of an event, and of one before it
    log = sorted(events, key=lambda event: (partition_of(event), event.record.offset))
    for event in log:
        place, at = partition_of(event), event.record.timestamp_ms
        if at < highest.get(place, at):
            crossings.append((at, highest[place]))
        highest[place] = max(at, highest.get(place, at))
    for at, before in sorted(crossings, reverse=True):
        if at <= until_ms < before:
            until_ms = at - 1
    settled = [event for event in log if event.record.timestamp_ms <= until_ms]
    return settled, [event for event in log if event.record.timestamp_ms > until_ms]


def horizon_of(
    events: Iterable[Event], settled: Iterable[Event], late_ms: int, earlier: Horizon | None = None
) -> Horizon:
    """Return the horizon of a retention that settles events.

    `late_ms`: the record timestamp up to which an event counts as late from then on. It is at or
    above that of the settled events: a create under another key asks for the values of a row for
    as long.
    """
    horizon = earlier or Horizon(late_ms)
    offsets, changes, reads_us = (
        dict(horizon.offsets),
        dict(horizon.changes),
        dict(horizon.reads_us),
    )
    for event in settled_part(events, late_ms)[0]:
        _raise(offsets, partition_of(event), event.record.offset)
    for event in settled:
        _raise(changes, event.record.topic, _in_log(event))
        _raise(reads_us, event.record.topic, _read_time(event))
    return Horizon(max(late_ms, horizon.late_ms), offsets, changes, reads_us)


def _raise(highest: dict[Any, Any], name: Any, value: Any) -> None:
    if value is not None:
        highest[name] = max(value, highest.get(name, value))


def is_late(event: Event, horizon: Horizon) -> bool:
    """Tell whether an event that landed behind a horizon arrived before it. It is refused."""
    if event.record.timestamp_ms <= horizon.late_ms:
        return True
    return event.record.offset <= horizon.offsets.get(partition_of(event), -1)


def is_settled(event: Event, horizon: Horizon) -> bool:
    """Tell whether an event that landed behind a horizon repeats one from before it.

    Of a change with a position, its identity tells; of a read, its time at the source. A change
    without a position is known by its identity alone, which is kept.
    """
    topic = event.record.topic
    place, read_at = _in_log(event), _read_time(event)
    if place is not None:
        return topic in horizon.changes and bool(place <= horizon.changes[topic])
    return read_at is not None and topic in horizon.reads_us and read_at <= horizon.reads_us[topic]


def _in_log(event: Event) -> Any:
    """Return what rises with the source's log and is the same in each delivery of a change."""
    if not event.streaming or event.position is None or event.told is None:
        return None
    epoch, identity = event.told
    # of PostgreSQL the lsn, without the row that tells apart what shares it
    is_lsn = len(identity) == 2 and (identity[1] is None or isinstance(identity[1], str))
    return (epoch, identity[:1] if is_lsn else identity)


def _read_time(event: Event) -> int | None:
    """Return the time of a read at the source in microseconds, none without one above 0."""
    if event.op != "r":
        return None
    value = payload_of(event.record.value)
    return (time_of(source_of(value)) or None) if isinstance(value, dict) else None


@dataclass
class Kept:
    """What is left of settled events, and the counts of those that are gone."""

    events: list[Event]
    replays: int = 0
    unexplained: int = 0


def keep(events: Iterable[Event], until_ms: int, config: Config) -> Kept:
    """Return the events that a table with a key still needs.

    Of each key: its events from the last one on that shows the whole row. What is not settled
    stays.
    """
    log = list(events)
    settled, others = settled_part(log, until_ms)
    kept = Kept(others)
    kept.events += [event for event in settled if event.op == "t"]
    verdicts: dict[str, list[tuple[Event, str]]] = {}
    walks = walks_of_keys(settled, Folded(), told=verdicts)
    whole = walks_of_keys(log, Folded())
    values = _Shown(whole, Values(whole, config))
    has_truncates = any(event.op == "t" for event in log)
    witnesses: set[int] = _witnesses(settled) if config.close_unseen else set()
    later: dict[str, list[Event]] = {}
    for event in others:
        if event.key is not None:
            later.setdefault(event.key, []).append(event)
    for key, steps in walks.items():
        told = verdicts[key]
        first = _first_needed(told, steps, values)
        early, rest = told[:first], told[first:]
        full_reads = [step.event for step in steps if step.event.full_read] if has_truncates else []
        needed = witnesses | {id(event) for event in full_reads[-1:]}
        ends = bool(rest) and rest[0][1] == "deleting tombstone"
        _keep_early(kept, early, [event for event, _ in rest] + later.get(key, []), needed, ends)
        for event, _ in rest:
            kept.events.append(values.shown(event, steps[-1] if steps else None))
    return kept


class _Shown:
    """The row that a winner shows, as all that landed tells it."""

    def __init__(self, walks: dict[str, list[Step]], values: Values) -> None:
        self._values = values
        self._steps = {id(step.event): step for steps in walks.values() for step in steps}

    def after(self, step: Step) -> tuple[dict[str, Any], set[str]]:
        return self._values.after(self._steps.get(id(step.event), step))

    def shown(self, event: Event, winner: Step | None) -> Event:
        if winner is None or event is not winner.event or not winner.upsert:
            return event
        row, unknown = self.after(winner)
        return replace(event, after=row, unavailable=frozenset(unknown))


def _keep_early(
    kept: Kept, early: list[tuple[Event, str]], rest: list[Event], needed: set[int], ends: bool
) -> None:
    """Add what is needed of a key's events before the first of the rest, and count what goes.

    `needed`: events that stay as they are; `ends`: the rest begins with a deleting tombstone. As
    settled ones stay those of which a repeat is among the rest, or which only their identity
    tells, and the last of each partition, by which events of several partitions are in the order
    of their timestamps.
    """
    repeated = {event.identity for event in rest if event.identity is not None}
    forgotten = max(
        (n for n, (_, verdict) in enumerate(early) if verdict == "deleting tombstone"), default=-1
    )
    forgotten = len(early) if ends else forgotten
    last = {event.place: event for event, _ in early}
    tombstones = {event.record.timestamp_ms for event in rest if event.op == TOMBSTONE}
    several = len({*last, *(event.place for event in rest)}) > 1
    for number, (event, verdict) in enumerate(early):
        if id(event) in needed:
            kept.events.append(event)
            continue
        kept.replays += verdict in ("repeat", "moved", "unexplained")
        kept.unexplained += verdict == "unexplained"
        is_repeated = event.identity is not None and event.identity in repeated
        if event.op == TOMBSTONE:
            if event.record.timestamp_ms in tombstones or (several and last[event.place] is event):
                kept.events.append(replace(event, settled=True))
        elif number > forgotten and (is_repeated or _is_known_by_identity(event)):
            kept.events.append(replace(event, settled=True))
        elif several and last[event.place] is event:
            kept.events.append(replace(event, op="r", told=None, settled=True))


def _first_needed(told: list[tuple[Event, str]], steps: list[Step], values: _Shown) -> int:
    """Return the number of the first event of a key that is needed, in the order of arrival."""
    if not steps or _is_ambiguous([event for event, _ in told]):
        return 0
    order = {id(event): number for number, (event, _) in enumerate(told)}
    winner = steps[-1]
    needed = order[id(winner.event)]
    mark = _marked_by(told)
    if mark is not None:
        needed = min(needed, order[id(mark)])
    if winner.upsert and values.after(winner)[1]:
        life = [step for step in steps if step.life == winner.life]
        needed = min(needed, order[id(life[0].event)])
    return needed


def _is_ambiguous(events: list[Event]) -> bool:
    """Tell whether an event in another partition would change the order of these."""
    return len({event.place for event in events}) == 1 and events != sorted(
        events, key=lambda event: event.order_across_places
    )


def _marked_by(told: list[tuple[Event, str]]) -> Event | None:
    """Return the event whose position is the mark at the end, none without a mark."""
    marked: Event | None = None
    for event, verdict in told:
        if verdict in ("full read", "deleting tombstone"):
            marked = None
        elif verdict == "change":
            marked = event
    return marked


def _is_known_by_identity(event: Event) -> bool:
    """Tell whether only its identity can tell a later delivery of an event from a new one."""
    return event.identity is not None and _in_log(event) is None and _read_time(event) is None


def _witnesses(settled: Iterable[Event]) -> set[int]:
    """Return reads that tell the extent of each snapshot: its first of each partition, its last."""
    witnesses: set[int] = set()
    for reads in snapshots_of(settled):
        for place in {read.place for read in reads}:
            part = [read for read in reads if read.place == place]
            witnesses.add(id(min(part, key=lambda read: read.record.offset)))
            witnesses.add(id(min(part, key=lambda read: read.record.timestamp_ms)))
        witnesses |= {id(read) for read in reads if read.last_of_snapshot}
    return witnesses
