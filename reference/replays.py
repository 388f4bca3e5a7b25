"""Replays: events that arrived before. docs/semantics.md, the walk."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reference.event import Event


class Deliveries:
    """The identities of a key's events so far. docs/semantics.md, the walk."""

    def __init__(self) -> None:
        """Begin before the first event."""
        self._seen: set[tuple[Any, ...]] = set()
        self._runs: Counter[tuple[Any, ...]] = Counter()

    def forget(self) -> None:
        """No identity counts as seen any more."""
        self._seen.clear()
        self._runs.clear()

    def knows(self, event: Event) -> bool:
        """Tell whether an event of its identity was seen, be it a repeat or another change."""
        return event.identity is not None and (*event.identity, 1) in self._seen

    def is_repeat(self, event: Event) -> bool:
        """Tell whether an event repeats one that was seen, and remember it.

        What one run of the connector delivers twice are two changes, if nothing else tells them
        apart; without the run's id it counts once.
        """
        if event.identity is None:
            return False
        number = 1
        if event.content is not None and event.run_id is not None:
            delivered = (event.run_id, event.identity)
            self._runs[delivered] += 1
            number = self._runs[delivered]
        numbered = (*event.identity, number)
        known = numbered in self._seen
        self._seen.add(numbered)
        return known


def is_late_birth(event: Event, before: Event | None) -> bool:
    """Tell whether a `c` can come after a `d`, whatever their positions say."""
    if event.op != "c" or before is None or before.op != "d":
        return False
    if event.stream_position is None or before.stream_position is None:
        return True
    return event.stream_position > before.stream_position


def have_no_order(one: Event, other: Event) -> bool:
    """Tell whether nothing but positions orders two events: the record timestamps are equal."""
    return one.place != other.place and one.record.timestamp_ms == other.record.timestamp_ms
