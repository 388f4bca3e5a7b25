"""Key changes: which row a `c` renamed. docs/semantics.md#unavailable-values."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from reference.event import Event
from reference.walk import Step


class Origins:
    """Find what another key held, whose row goes on under a new one."""

    def __init__(self, walks: dict[str, list[Step]]) -> None:
        """Take the walks of all keys."""
        self._walks = walks
        self._deletes: dict[Any, list[Event]] = {}
        for steps in walks.values():
            for step in steps:
                if step.event.op == "d" and step.event.logged_at is not None:
                    self._deletes.setdefault(step.event.logged_at, []).append(step.event)

    def key_of(self, event: Event) -> str | None:
        """Return the key of the row that this `c` renamed; None: nothing tells it."""
        return event.old_key or self._key_deleted_at(event)

    def step_of(self, event: Event, key: str) -> Step | None:
        """Return the step of the key up to which its row is the renamed one; None: of no step."""
        steps = self._walks.get(key, [])
        if event.logged_at is not None:
            for step in steps:
                if step.event.op == "d" and step.event.logged_at == event.logged_at:
                    return step
        before = list(takewhile(lambda step: _is_before(step.event, event), steps))
        if not before or _is_other_delete(before[-1].event, event):
            return None
        return before[-1]

    def _key_deleted_at(self, event: Event) -> str | None:
        """Without a header: the other key that was deleted at the same place."""
        deletes = [
            delete for delete in self._deletes.get(event.logged_at, []) if delete.key != event.key
        ]
        beside = [delete for delete in deletes if delete.record.topic == event.record.topic]
        deletes = beside or deletes
        return max((delete.key for delete in deletes if delete.key is not None), default=None)


def _is_before(event: Event, create: Event) -> bool:
    """Tell whether an event of another key lies before a `c`."""
    if event.position is not None and create.position is not None:
        if event.position != create.position:
            return event.position < create.position
    if event.place == create.place:
        return event.order_in_place < create.order_in_place
    return (event.incarnation, event.record.timestamp_ms) <= (
        create.incarnation,
        create.record.timestamp_ms,
    )


def _is_other_delete(event: Event, create: Event) -> bool:
    """Tell whether the row ended before, so that the `c` renamed one of which nothing landed."""
    return event.op == "d" and event.position is not None and create.position is not None
