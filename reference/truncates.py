"""Does a truncate remove what an event said? docs/semantics.md#truncates, case by case."""

from __future__ import annotations

from collections.abc import Iterable

from reference.event import Event


def first_deliveries(truncates: Iterable[Event]) -> list[Event]:
    """Return each truncate as it arrived first: a repeat removes no row that was read since."""
    first: dict[tuple[object, ...], Event] = {}
    for truncate in sorted(truncates, key=lambda event: event.order_across_places):
        first.setdefault(truncate.identity or truncate.order_across_places, truncate)
    return list(first.values())


def removed_by(truncate: Event, winner: Event, full_reads: Iterable[Event]) -> bool:
    """Tell whether `truncate` removes the row that `winner` left.

    Args:
        truncate: a truncate.
        winner: an upsert.
        full_reads: the full reads of the same row at or before the winner.
    """
    if any(_read_came_after(read, truncate) for read in full_reads):
        return False
    both_positions = winner.stream_position is not None and truncate.stream_position is not None
    if winner.streaming and winner.position is not None and truncate.position is not None:
        return winner.position < truncate.position
    if winner.streaming and both_positions:
        return winner.stream_position < truncate.stream_position  # type: ignore[operator]
    if winner.place == truncate.place:
        return winner.order_in_place < truncate.order_in_place
    if both_positions:
        return winner.stream_position < truncate.stream_position  # type: ignore[operator]
    return winner.record.timestamp_ms < truncate.record.timestamp_ms


def _read_came_after(read: Event, truncate: Event) -> bool:
    if read.place == truncate.place:
        return read.order_in_place > truncate.order_in_place
    return read.record.timestamp_ms > truncate.record.timestamp_ms
