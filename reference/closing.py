"""Rows that a complete snapshot did not see. docs/semantics.md#closing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference.event import Event


def snapshots_of(events: Iterable[Event]) -> list[list[Event]]:
    """Return the full reads of each snapshot, as far as they landed."""
    snapshots: dict[Any, list[Event]] = {}
    for event in events:
        if event.full_read and event.stream_position is not None and not event.settled:
            taken = (event.record.topic, event.incarnation, event.stream_position, event.run_id)
            snapshots.setdefault(taken, []).append(event)
    return list(snapshots.values())


def complete_snapshots(events: Iterable[Event]) -> list[list[Event]]:
    """Return the reads of each full snapshot whose last read has landed."""
    return [reads for reads in snapshots_of(events) if any(r.last_of_snapshot for r in reads)]


def closed_by(snapshot: list[Event], winner: Event) -> bool:
    """Tell whether the snapshot began after the last that was said of a row."""
    beside = [read for read in snapshot if read.place == winner.place]
    began = min(read.record.timestamp_ms for read in beside or snapshot)
    if not beside:
        return winner.record.timestamp_ms < began
    if winner.incarnation == snapshot[0].incarnation and winner.record.timestamp_ms > began:
        return False
    return winner.order_in_place < min(read.order_in_place for read in beside)
