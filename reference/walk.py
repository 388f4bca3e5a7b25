"""The walk through the events of a key, in the order of arrival. docs/semantics.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from reference.arrival import in_arrival_order
from reference.config import Config
from reference.event import Event
from reference.folded import Folded
from reference.incarnations import incarnation
from reference.record import KafkaRecord
from reference.replays import Deliveries, have_no_order, is_late_birth
from reference.tombstones import TOMBSTONE, OpsBefore, deletes


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


def distinct_events(
    records: Iterable[KafkaRecord],
    config: Config,
    read: Callable[[KafkaRecord, Config], Event | None],
) -> list[Event]:
    """Read each delivery once, and return the records that are events."""
    deliveries: dict[tuple[str, int, int, int], Event | None] = {}
    for record in records:
        delivery = (record.topic, incarnation(record, config), record.partition, record.offset)
        if delivery not in deliveries:
            deliveries[delivery] = read(record, config)
    return [event for event in deliveries.values() if event is not None]


def walks_of_keys(
    events: Iterable[Event],
    counts: Folded,
    births_can_be_late: bool = True,
    told: dict[str, list[tuple[Event, str]]] | None = None,
) -> dict[str, list[Step]]:
    """Walk through the events of each key; `counts` gets the replays, `told` the verdicts."""
    by_key: dict[str, list[Event]] = {}
    for event in events:
        if event.key is not None:
            by_key.setdefault(event.key, []).append(event)
    return {
        key: _walk(
            key,
            in_arrival_order(of_key),
            counts,
            births_can_be_late,
            [] if told is None else told.setdefault(key, []),
        )
        for key, of_key in by_key.items()
    }


def _walk(
    key: str,
    arrived: list[Event],
    counts: Folded,
    births_can_be_late: bool,
    told: list[tuple[Event, str]],
) -> list[Step]:
    """Walk a key's events in arrival order and return the ones that were applied."""
    mark: tuple[Any, ...] | None = None
    marked_by: Event | None = None
    alive = False
    life = 0
    deliveries = Deliveries()
    ops = OpsBefore()
    tombstone_ms: int | None = None  # of the last tombstone before
    last_new: Event | None = (
        None  # the nearest that is not a repeat either, unless it was set aside
    )
    steps: list[Step] = []

    for event in arrived:
        applied = True
        if event.settled:
            applied = False
            verdict = "before the horizon"
            if event.op == TOMBSTONE:
                tombstone_ms = event.record.timestamp_ms
            else:
                ops.add(event)
                deliveries.is_repeat(event)
        elif event.op == TOMBSTONE:
            op_before = ops.of(event)
            applied = deletes(event, op_before, tombstone_ms)
            tombstone_ms = event.record.timestamp_ms
            verdict = "deleting tombstone"
            if applied:
                mark = None
                deliveries.forget()
            else:
                verdict = "tombstone of delete" if op_before == "d" else "tombstone again"
        else:
            ops.add(event)
            known = deliveries.knows(event)
            repeat = deliveries.is_repeat(event)
            is_low = False
            if repeat:
                applied = False
                verdict = "repeat"
            elif event.full_read:
                mark = None
                verdict = "full read"
            elif not event.streaming:
                verdict = "incremental read"
            elif event.position is None:
                verdict = "change without position"
            else:
                is_low = mark is not None and event.position < mark
                is_late = births_can_be_late and is_late_birth(event, last_new)
                applied = not is_low or is_late
                verdict = "late birth" if is_low else "change"
                if not is_low:
                    mark, marked_by = event.position, event
            last_new = last_new if repeat else None if is_low else event
            if not applied:
                counts.replays[key] += 1
                is_moved = bool(marked_by and have_no_order(event, marked_by))
                if not repeat:
                    verdict = "repeat" if known else "moved" if is_moved else "unexplained"
                if not known and not is_moved:
                    counts.unexplained[key] += 1
        told.append((event, verdict))
        if not applied:
            continue

        upsert = event.op in ("c", "u", "r")
        renames = event.op == "c" and bool(event.unavailable)
        if upsert and (renames or not alive):
            life += 1
        steps.append(Step(event, life if upsert or alive else 0, upsert, renames, alive))
        alive = upsert
    return steps
