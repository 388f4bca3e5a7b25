"""The walk through the events of a key, in the order of arrival. docs/semantics.md."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from reference.event import Event
from reference.folded import Folded
from reference.replays import have_no_order, is_late_birth, is_repeat
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


def walk(key: str, arrived: list[Event], result: Folded) -> list[Step]:
    """Walk a key's events in arrival order and return the ones that were applied."""
    mark: tuple[Any, ...] | None = None
    marked_by: Event | None = None
    alive = False
    life = 0
    seen: set[tuple[Any, ...]] = set()
    runs: Counter[tuple[Any, ...]] = Counter()
    ops = OpsBefore()
    tombstone_ms: int | None = None  # of the last tombstone before
    last_new: Event | None = (
        None  # the nearest that is not a repeat either, unless it was set aside
    )
    steps: list[Step] = []

    for event in arrived:
        applied = True
        if event.op == TOMBSTONE:
            applied = deletes(event, ops.of(event), tombstone_ms)
            tombstone_ms = event.record.timestamp_ms
            if applied:
                mark = None
                seen.clear()
                runs.clear()
        else:
            ops.add(event)
            repeat = is_repeat(event, seen, runs)
            is_low = False
            if repeat:
                applied = False
            elif event.full_read:
                mark = None
            elif event.streaming and event.position is not None:
                is_low = mark is not None and event.position < mark
                applied = not is_low or is_late_birth(event, last_new)
                if not is_low:
                    mark, marked_by = event.position, event
            last_new = last_new if repeat else None if is_low else event
            if not applied:
                result.replays[key] += 1
                if not repeat and not (marked_by and have_no_order(event, marked_by)):
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
