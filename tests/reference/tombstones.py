"""Tombstones: which of them delete. docs/semantics.md, the walk."""

from __future__ import annotations

from tests.reference.event import Event

TOMBSTONE = "tombstone"


def deletes(tombstone: Event, last_op: str | None, tombstone_ms: int | None) -> bool:
    """Tell whether a tombstone ends a row by itself.

    Args:
        tombstone: a tombstone.
        last_op: the op of the nearest event of the key before it that is not a tombstone.
        tombstone_ms: the record timestamp of the nearest tombstone before it.
    """
    return last_op != "d" and tombstone.record.timestamp_ms != tombstone_ms
