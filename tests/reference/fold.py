"""The fold of docs/semantics.md in plain Python: small, slow and literal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.reference.closing import closed_by, complete_snapshots
from tests.reference.event import (
    TOMBSTONE,
    Config,
    Epoch,
    Event,
    in_arrival_order,
    incarnation,
    read_event,
)
from tests.reference.multiset import fold_keyless
from tests.reference.record import KafkaRecord
from tests.reference.truncates import first_deliveries, removed_by

__all__ = ["Config", "Epoch", "Folded", "Row", "fold"]

Row = dict[str, Any]


@dataclass
class Folded:
    """What the log says. Keys are canonical JSON texts, values raw JSON values.

    `rows`: live rows; a column whose value is not known is None and listed in `unknown`.
    `multiset`: canonical row text -> how often, for tables without a key.
    `replays`, `unexplained`: how many events per key were not applied, and how many of those are no
    repeat of another; keys without any are absent.
    `winners`: per key the (topic, partition, offset) of the last applied event.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    unknown: dict[str, set[str]] = field(default_factory=dict)
    multiset: Counter[str] = field(default_factory=Counter)
    replays: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)
    winners: dict[str, tuple[str, int, int]] = field(default_factory=dict)


@dataclass
class Step:
    """An applied event of one key; `life` numbers the key's lives, 0 before the first.

    `renames`: a create that lacks values, so the row of another key; it begins a life of its own.
    `was_alive`: a row stood under the key just before.
    """

    event: Event
    life: int
    upsert: bool
    renames: bool
    was_alive: bool


def fold(records: Iterable[KafkaRecord], config: Config) -> Folded:
    """Return what all these records together say, in whatever order and however often given."""
    events = _events(records, config)
    result = Folded()
    if config.keyless:
        result.multiset = fold_keyless(events, config)
        return result

    truncates = first_deliveries(event for event in events if event.op == "t")
    snapshots = complete_snapshots(events) if config.close_unseen else []
    by_key: dict[str, list[Event]] = {}
    for event in events:
        if event.key is not None:
            by_key.setdefault(event.key, []).append(event)

    arrived = {key: in_arrival_order(of_key) for key, of_key in by_key.items()}
    walks = {key: _walk(key, of_key, result) for key, of_key in arrived.items()}
    values = _Values(walks, config)
    for key, steps in walks.items():
        if not steps:
            continue
        winner = steps[-1]
        record = winner.event.record
        result.winners[key] = (record.topic, record.partition, record.offset)
        if not winner.upsert:
            continue
        reads = [step.event for step in steps if step.event.full_read]
        if any(removed_by(truncate, winner.event, reads) for truncate in truncates):
            continue
        if any(closed_by(snapshot, winner.event) for snapshot in snapshots):
            continue
        row, unknown = values.after(winner)
        result.rows[key] = row
        if unknown:
            result.unknown[key] = unknown
    return result


def _events(records: Iterable[KafkaRecord], config: Config) -> list[Event]:
    """Read each delivery once."""
    deliveries: dict[tuple[str, int, int, int], Event | None] = {}
    for record in records:
        delivery = (record.topic, incarnation(record, config), record.partition, record.offset)
        if delivery not in deliveries:
            deliveries[delivery] = read_event(record, config)
    return [event for event in deliveries.values() if event is not None]


def _walk(key: str, arrived: list[Event], result: Folded) -> list[Step]:
    """Walk a key's events in arrival order and return the ones that were applied."""
    mark: tuple[Any, ...] | None = None
    alive = False
    life = 0
    seen: set[tuple[Any, ...]] = set()
    runs: Counter[tuple[Any, ...]] = Counter()
    last_op: str | None = None  # of the nearest event before that is not a tombstone
    tombstone_ms: int | None = None  # of the last tombstone before
    last_new: Event | None = (
        None  # the nearest that is not a repeat either, unless it was set aside
    )
    steps: list[Step] = []

    for event in arrived:
        applied = True
        if event.op == TOMBSTONE:
            applied = last_op != "d" and event.record.timestamp_ms != tombstone_ms
            tombstone_ms = event.record.timestamp_ms
            if applied:
                mark = None
                seen.clear()
                runs.clear()
        else:
            last_op = event.op
            repeat = _is_repeat(event, seen, runs)
            is_low = False
            if repeat:
                applied = False
            elif event.full_read:
                mark = None
            elif event.streaming and event.position is not None:
                is_low = mark is not None and event.position < mark
                applied = not is_low or _is_late_birth(event, last_new)
                mark = mark if is_low else event.position
            last_new = last_new if repeat else None if is_low else event
            if not applied:
                result.replays[key] += 1
                if not repeat:
                    result.unexplained[key] += 1
        if not applied:
            continue

        upsert = event.op in ("c", "u", "r")
        renames = event.op == "c" and bool(event.unavailable)
        if upsert and (renames or not alive):
            life += 1
        steps.append(Step(event, life if upsert or alive else 0, upsert, renames, alive))
        alive = upsert
    return steps


def _is_repeat(event: Event, seen: set[tuple[Any, ...]], runs: Counter[tuple[Any, ...]]) -> bool:
    """Tell whether an event of its identity was seen, and remember it."""
    identity = event.identity
    if identity is None:
        return False
    if event.content is not None:
        # what one run of the connector delivers twice are two changes
        delivered = (event.run_id, identity)
        runs[delivered] += 1 if event.run_id is not None or not runs[delivered] else 0
        identity += (runs[delivered],)
    known = identity in seen
    seen.add(identity)
    return known


def _is_late_birth(event: Event, before: Event | None) -> bool:
    """Tell whether a `c` can come after a `d`, whatever their positions say."""
    if event.op != "c" or before is None or before.op != "d":
        return False
    if event.stream_position is None or before.stream_position is None:
        return True
    return event.stream_position > before.stream_position


class _Values:
    """Resolve the values an upsert lacks."""

    def __init__(self, walks: dict[str, list[Step]], config: Config) -> None:
        self._walks = walks
        self._complete_before = config.complete_before
        self._lives: dict[tuple[str, int], list[Step]] = {}
        self._deletes: dict[Any, list[Event]] = {}
        for key, steps in walks.items():
            for step in steps:
                if step.upsert:
                    self._lives.setdefault((key, step.life), []).append(step)
                elif step.event.op == "d" and step.event.logged_at is not None:
                    self._deletes.setdefault(step.event.logged_at, []).append(step.event)

    def after(self, step: Step) -> tuple[Row, set[str]]:
        """Return the row right after an applied upsert, and the columns nobody knows."""
        row = dict(step.event.after or {})
        unknown: set[str] = set()
        for column in step.event.unavailable:
            said = self._said(step, column)
            row[column] = said[0] if said else None
            if not said:
                unknown.add(column)
        return row, unknown

    def _said(self, step: Step, column: str) -> tuple[Any] | None:
        """Return what was said last of a column, in the row's life or where it came from."""
        seen: set[tuple[str, int]] = set()
        at: Step | None = step
        while at is not None:
            assert at.event.key is not None
            place = (at.event.key, at.life)
            if place in seen:
                return None  # while records are missing, origins can run in circles
            seen.add(place)
            life = self._lives[place]
            for one in reversed(life[: _place(life, at) + 1]):
                event = one.event
                if column not in event.unavailable:
                    return ((event.after or {}).get(column),)
                if self._complete_before and event.before is not None:
                    if column in event.before and column not in event.before_unavailable:
                        return (event.before[column],)
            at = self._parent(life[0])
        return None

    def _parent(self, first: Step) -> Step | None:
        """Return the last step of the life that a life took its values from, if it took any."""
        assert first.event.key is not None
        origin = self._origin(first.event) if first.renames else None
        if origin is None and first.was_alive:
            origin = (first.event.key, first.life - 1)
        steps = self._lives.get(origin) if origin else None
        return steps[-1] if steps else None

    def _origin(self, event: Event) -> tuple[str, int] | None:
        """Return key and life of the row that this `c` renamed; None if its key is unknown."""
        key = event.old_key or self._key_deleted_at(event)
        steps = self._walks.get(key or "", [])
        if key is None or not steps:
            return None
        ended_there = [
            s for s in steps if s.event.op == "d" and s.event.logged_at == event.logged_at
        ]
        if event.logged_at is not None and ended_there:
            return key, ended_there[0].life
        below = [s for s in steps if _is_below(s.event, event)]
        return key, (below or steps)[-1].life

    def _key_deleted_at(self, event: Event) -> str | None:
        """Without a header: the other key that was deleted at the same place."""
        deletes = [
            delete for delete in self._deletes.get(event.logged_at, []) if delete.key != event.key
        ]
        beside = [delete for delete in deletes if delete.record.topic == event.record.topic]
        deletes = beside or deletes
        return max((delete.key for delete in deletes if delete.key is not None), default=None)


def _place(steps: list[Step], step: Step) -> int:
    return next(place for place, one in enumerate(steps) if one is step)


def _is_below(event: Event, other: Event) -> bool:
    return (
        event.position is not None
        and other.position is not None
        and event.position < other.position
    )
