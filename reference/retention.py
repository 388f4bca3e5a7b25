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
DELETING = "deleting tombstone"


@dataclass(frozen=True)
class Horizon:
    """Up to where the events of a table are settled.

    `late_ms`: the record timestamp at or below which an event is late; `offsets`: of each
    partition the highest such one;
    `changes`: by topic, the highest place of a settled change in the source's log; `reads_us`,
    `unplaced_us`: the highest time at the source, in microseconds, of a settled read and of a
    settled change without a place.
    `open_ms`: the open time.
    """

    late_ms: int
    open_ms: int = 0
    offsets: Mapping[Partition, int] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    reads_us: Mapping[str, int] = field(default_factory=dict)
    unplaced_us: Mapping[str, int] = field(default_factory=dict)


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
    events: Iterable[Event],
    settled: Iterable[Event],
    late_ms: int,
    open_ms: int,
    earlier: Horizon | None = None,
) -> Horizon:
    """Return the horizon of a retention that settles events.

    `late_ms`: the record timestamp up to which an event counts as late from then on. It is at or
    above that of the settled events: a create under another key asks for the values of a row for
    as long.
    """
    horizon = earlier or Horizon(late_ms)
    offsets, changes, reads_us, unplaced_us = (
        dict(horizon.offsets),
        dict(horizon.changes),
        dict(horizon.reads_us),
        dict(horizon.unplaced_us),
    )
    for event in settled_part(events, late_ms)[0]:
        _raise(offsets, partition_of(event), event.record.offset)
    for event in settled:
        place = _in_log(event)
        _raise(changes, event.record.topic, place)
        if event.op == "r":
            _raise(reads_us, event.record.topic, _source_us(event))
        elif place is None:
            _raise(unplaced_us, event.record.topic, _source_us(event))
    late_ms = max(late_ms, horizon.late_ms)
    return Horizon(late_ms, open_ms, offsets, changes, reads_us, unplaced_us)


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

    Of a change with a place in the source's log, its identity tells; of others their time at the
    source. What is as new as the open time only its identity tells, which is kept for that long.
    """
    topic = event.record.topic
    place, source_us = _in_log(event), _source_us(event)
    if place is not None:
        return topic in horizon.changes and bool(place <= horizon.changes[topic])
    if source_us is None:
        return False
    if event.op == "r":
        return source_us <= horizon.reads_us.get(topic, -1)
    return source_us <= horizon.unplaced_us.get(topic, -1) - horizon.open_ms * 1000


def _in_log(event: Event) -> Any:
    """Return what rises with the source's log and is the same in each delivery of a change."""
    if not event.streaming or event.position is None or event.told is None:
        return None
    epoch, identity = event.told
    # of PostgreSQL the lsn, without the row that tells apart what shares it
    is_lsn = len(identity) == 2 and (identity[1] is None or isinstance(identity[1], str))
    return (epoch, identity[:1] if is_lsn else identity)


def _source_us(event: Event) -> int | None:
    """Return the time of an event at the source in microseconds, none without one above 0."""
    value = payload_of(event.record.value) if event.op != TOMBSTONE else None
    return (time_of(source_of(value)) or None) if isinstance(value, dict) else None


@dataclass
class Kept:
    """What is left of settled events, and the counts of those that are gone."""

    events: list[Event]
    replays: int = 0
    unexplained: int = 0


def keep(events: Iterable[Event], until_ms: int, config: Config, horizon: Horizon) -> Kept:
    """Return the events that a table with a key still needs.

    Of each key: its events from the last one on that shows the whole row. What is not settled
    stays. `horizon`: the one that this retention leaves behind.
    """
    log = list(events)
    settled, others = settled_part(log, until_ms)
    kept = Kept(others)
    kept.events += [event for event in settled if event.op == "t"]
    verdicts: dict[str, list[tuple[Event, str]]] = {}
    walks = walks_of_keys(log, Folded(), told=verdicts)
    values = Values(walks, config)
    has_truncates = any(event.op == "t" for event in log)
    witnesses: set[int] = _witnesses(settled) if config.close_unseen else set()
    known = {id(event) for event in settled if _is_known_by_identity(event, horizon)}
    is_settled_one = {id(event) for event in settled}
    for key, told in verdicts.items():
        count = sum(id(event) in is_settled_one for event, _ in told)
        steps = [step for step in walks[key] if id(step.event) in is_settled_one]
        if not steps or _is_ambiguous([event for event, _ in told], count):
            kept.events += [event for event, _ in told[:count]]
            continue
        winner = steps[-1]
        row, unknown = values.after(winner) if winner.upsert else ({}, set())
        first = _first_needed(told[:count], steps, bool(unknown))
        full_reads = [step.event for step in steps if step.event.full_read] if has_truncates else []
        needed = witnesses | {id(event) for event in full_reads[-1:]}
        _keep_early(kept, told, first, needed, known)
        for event, _ in told[first:count]:
            if event is winner.event and winner.upsert:
                event = replace(event, after=row, unavailable=frozenset(unknown))
            kept.events.append(event)
    return kept


def _keep_early(
    kept: Kept, told: list[tuple[Event, str]], first: int, needed: set[int], known: set[int]
) -> None:
    """Add what is needed of a key's events before a number, and count what goes.

    `needed`: events that stay as they are; `known`: those that only their identity tells. As
    settled ones stay those of which a repeat is among the rest, or that are `known`, and the last
    of each partition, by which events of several partitions are in the order of their timestamps.
    """
    early, rest = told[:first], told[first:]
    repeated = {event.identity for event, _ in rest if event.identity is not None}
    tombstones = {event.record.timestamp_ms for event, _ in rest if event.op == TOMBSTONE}
    # what came before a deleting tombstone repeats nothing
    ends = [n for n, (_, verdict) in enumerate(told[: first + 1]) if verdict == DELETING]
    last = {event.place: event for event, _ in early}
    several = len({event.place for event, _ in told}) > 1
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
        elif number > max(ends, default=-1) and (is_repeated or id(event) in known):
            kept.events.append(replace(event, settled=True))
        elif several and last[event.place] is event:
            kept.events.append(replace(event, op="r", told=None, settled=True))


def _first_needed(told: list[tuple[Event, str]], steps: list[Step], lacks_values: bool) -> int:
    """Return the number of the first event of a key that is needed, in the order of arrival."""
    order = {id(event): number for number, (event, _) in enumerate(told)}
    winner = steps[-1]
    needed = order[id(winner.event)]
    mark = _marked_by(told)
    if mark is not None:
        needed = min(needed, order[id(mark)])
    if lacks_values:
        life = [step for step in steps if step.life == winner.life]
        needed = min(needed, order[id(life[0].event)])
    return needed


def _is_ambiguous(events: list[Event], count: int) -> bool:
    """Tell whether an event in another partition would change the order of the first of these."""
    return len({event.place for event in events}) == 1 and events[:count] != sorted(
        events[:count], key=lambda event: event.order_across_places
    )


def _marked_by(told: list[tuple[Event, str]]) -> Event | None:
    """Return the event whose position is the mark at the end, none without a mark."""
    marked: Event | None = None
    for event, verdict in told:
        if verdict in ("full read", DELETING):
            marked = None
        elif verdict == "change":
            marked = event
    return marked


def _is_known_by_identity(event: Event, horizon: Horizon) -> bool:
    """Tell whether only its identity can tell a later delivery of an event from a new one."""
    if event.identity is None or is_settled(event, horizon):
        return False
    if _in_log(event) is None and _source_us(event) is None:
        return event.record.timestamp_ms > horizon.late_ms - horizon.open_ms
    return True


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
