"""Tables without a key: count rows that only all their columns tell apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reference.arrival import in_arrival_order
from reference.config import Config
from reference.event import Event
from reference.record import canonical_json
from reference.truncates import first_deliveries, removed_by


def fold_keyless(events: list[Event], config: Config) -> Counter[str]:
    """Return canonical row text -> number of such rows.

    Without complete before images: a row for each insert, read or update, and nothing is removed.
    """
    arrived = in_arrival_order(
        [one for one in events if one.op in ("c", "u", "d") or one.full_read]
    )
    in_one_partition = len({event.place for event in arrived}) == 1
    changes = _distinct([event for event in arrived if event.op in ("c", "u", "d")])
    reads = [event for event in arrived if event.full_read]
    rows: Counter[str] = Counter()

    if not config.complete_before:
        for event, times in changes + _distinct(reads):
            if event.op != "d":
                rows[canonical_json(event.after)] += times
        return rows

    snapshot = _distinct(_latest_snapshot(reads, in_one_partition))
    first_reads = [read for read, _ in snapshot]
    truncates = first_deliveries(event for event in events if event.op == "t")
    if snapshot:
        start = min(arrived.index(read) for read in first_reads)
        changes = [(change, times) for change, times in changes if arrived.index(change) > start]
    for event, times in snapshot + changes:
        if any(removed_by(truncate, event, first_reads) for truncate in truncates):
            continue
        if event.op in ("u", "d"):
            rows[canonical_json(event.before)] -= times
        if event.op != "d":
            rows[canonical_json(_resolved_after(event))] += times
    return Counter({row: times for row, times in rows.items() if times > 0})


def _distinct(events: list[Event]) -> list[tuple[Event, int]]:
    """Return each identity's first delivery, and how many events have it.

    Changes of one connector run can share an identity that is not unique (one COPY, one position);
    without the run's id nobody can tell: then it counts once. Such reads all count: two snapshots
    never share one, as their values hold a time.
    """
    first: dict[Any, Event] = {}
    by_run: dict[Any, Counter[str | None]] = {}
    for event in events:
        identity = (event.identity, canonical_json([event.before, event.after]))
        first.setdefault(identity, event)
        by_run.setdefault(identity, Counter())[event.run_id] += 1
    counted = []
    for identity, event in first.items():
        runs = by_run[identity]
        if event.unique:
            times = 1
        elif event.op == "r":
            times = max(runs.values())
        else:
            times = max(count if run is not None else 1 for run, count in runs.items())
        counted.append((event, times))
    return counted


def _latest_snapshot(reads: list[Event], in_one_partition: bool) -> list[Event]:
    """Return the rows of the snapshot that arrived last.

    The rows of one snapshot share topic, the position it was taken at and the connector's run; the
    first of them is marked.
    """
    first_deliveries: dict[Any, Event] = {}
    for read in reads:
        first_deliveries.setdefault(read.identity if read.unique else id(read), read)
    known = list(first_deliveries.values())

    def taken(read: Event) -> tuple[Any, ...]:
        return (read.record.topic, read.stream_position, read.run_id)

    def began(read: Event) -> tuple[int, int]:
        # of several partitions only time tells, and reads of one snapshot share milliseconds
        time = read.record.timestamp_ms
        return read.order_in_place if in_one_partition else (read.incarnation, time)

    snapshots: dict[Any, list[Event]] = {}
    for read in known:
        starts = [one for one in known if one.first_of_snapshot and taken(one) == taken(read)]
        number = sum(began(start) <= began(read) for start in starts)
        snapshots.setdefault((taken(read), number), []).append(read)
    place = {id(read): number for number, read in enumerate(reads)}
    return max(snapshots.values(), key=lambda part: place[id(part[-1])], default=[])


def _resolved_after(event: Event) -> dict[str, Any]:
    """Return `after` with the columns it lacks taken from `before`."""
    row = dict(event.after or {})
    for column in event.unavailable:
        known = event.before is not None and column not in event.before_unavailable
        row[column] = event.before.get(column) if known and event.before is not None else None
    return row
