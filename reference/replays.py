"""Replays: events that arrived before. docs/semantics.md, the walk."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reference.event import Event


def is_repeat(event: Event, seen: set[tuple[Any, ...]], runs: Counter[tuple[Any, ...]]) -> bool:
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
