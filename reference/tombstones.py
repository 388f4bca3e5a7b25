"""Tombstones: which of them delete. docs/semantics.md, the walk."""

from __future__ import annotations

from reference.event import Event

TOMBSTONE = "tombstone"


class OpsBefore:
    """The ops before each tombstone of a key, in the order of arrival.

    An event of another partition with the tombstone's record timestamp does not count: nothing
    tells which came first, and the delete of a tombstone lies in its own partition.
    """

    def __init__(self) -> None:
        """Begin before the first event."""
        self._moment: tuple[int, int] | None = None
        self._before_moment: str | None = None
        self._at_moment: dict[tuple[str, int], str] = {}
        self._last: str | None = None

    def of(self, tombstone: Event) -> str | None:
        """Return the op of the nearest event before a tombstone that counts for it."""
        self._go_to(tombstone)
        return self._at_moment.get(tombstone.place, self._before_moment)

    def add(self, event: Event) -> None:
        """Take the next event that is no tombstone."""
        self._go_to(event)
        self._at_moment[event.place] = self._last = event.op

    def _go_to(self, event: Event) -> None:
        moment = (event.incarnation, event.record.timestamp_ms)
        if moment != self._moment:
            self._moment, self._before_moment = moment, self._last
            self._at_moment = {}


def deletes(tombstone: Event, last_op: str | None, tombstone_ms: int | None) -> bool:
    """Tell whether a tombstone ends a row by itself.

    Args:
        tombstone: a tombstone.
        last_op: the op before it, from `OpsBefore`.
        tombstone_ms: the record timestamp of the nearest tombstone before it.
    """
    return last_op != "d" and tombstone.record.timestamp_ms != tombstone_ms
