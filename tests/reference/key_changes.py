"""Key changes: which row a `c` renamed. docs/semantics.md#unavailable-values."""

from __future__ import annotations

from typing import Any

from tests.reference.event import Event
from tests.reference.walk import Step


class Origins:
    """Find the life of another key that goes on under a new one."""

    def __init__(self, walks: dict[str, list[Step]]) -> None:
        self._walks = walks
        self._deletes: dict[Any, list[Event]] = {}
        for steps in walks.values():
            for step in steps:
                if step.event.op == "d" and step.event.logged_at is not None:
                    self._deletes.setdefault(step.event.logged_at, []).append(step.event)

    def of(self, event: Event) -> tuple[str, int] | None:
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


def _is_below(event: Event, other: Event) -> bool:
    return (
        event.position is not None
        and other.position is not None
        and event.position < other.position
    )
