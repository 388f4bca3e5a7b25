"""Tables without a key: count rows that only all their columns tell apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference.event import Config, Event, in_arrival_order
from tests.reference.record import canonical_json
from tests.reference.truncates import first_deliveries, removed_by


def fold_keyless(events: list[Event], config: Config) -> Counter[str]:
    """Return canonical row text -> number of such rows.

    Without complete before images: a row for each insert, read or update, and nothing is removed.
    """
    arrived = in_arrival_order(events)
    changes = _distinct([event for event in arrived if event.op in ("c", "u", "d")])
    reads = [event for event in arrived if event.full_read]
    rows: Counter[str] = Counter()

    if not config.complete_before:
        for change, times in changes:
            if change.op != "d":
                rows[canonical_json(change.after)] += times
        rows.update(canonical_json(read.after) for read in reads)
        return rows

    snapshot = _latest_snapshot(reads)
    truncates = first_deliveries(event for event in arrived if event.op == "t")
    if snapshot:
        start = arrived.index(snapshot[0])
        changes = [(change, times) for change, times in changes if arrived.index(change) > start]
    for event, times in [(read, 1) for read in snapshot] + changes:
        if any(removed_by(truncate, event, snapshot) for truncate in truncates):
            continue
        if event.op in ("u", "d"):
            rows[canonical_json(event.before)] -= times
        if event.op != "d":
            rows[canonical_json(_resolved_after(event))] += times
    return Counter({row: times for row, times in rows.items() if times > 0})


def _distinct(changes: list[Event]) -> list[tuple[Event, int]]:
    """Return each identity's first delivery, and how often its most diligent run delivered it.

    Within one run of the connector equal identities are different changes (one COPY, one
    position). Without the run's id nobody can tell: then an identity counts once.
    """
    first: dict[Any, Event] = {}
    by_run: dict[Any, Counter[str]] = {}
    for change in changes:
        identity = (*change.identity, canonical_json([change.before, change.after]))
        first.setdefault(identity, change)
        runs = by_run.setdefault(identity, Counter())
        if change.run_id is not None:
            runs[change.run_id] += 1
    return [
        (change, max(by_run[identity].values(), default=1)) for identity, change in first.items()
    ]


def _latest_snapshot(reads: list[Event]) -> list[Event]:
    """Return the rows of the snapshot that arrived last.

    The rows of one snapshot share the position it was taken at and the connector's run.
    """
    if not reads:
        return []
    last = (reads[-1].stream_position, reads[-1].run_id)
    return [read for read in reads if (read.stream_position, read.run_id) == last]


def _resolved_after(event: Event) -> dict[str, Any]:
    """Return `after` with the columns it lacks taken from `before`."""
    row = dict(event.after or {})
    for column in event.unavailable:
        known = event.before is not None and column not in event.before_unavailable
        row[column] = event.before.get(column) if known and event.before is not None else None
    return row
