"""The fold of docs/semantics.md in plain Python: small, slow and literal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reference.closing import closed_by, complete_snapshots
from reference.config import Config
from reference.envelope import read_event
from reference.event import Event
from reference.folded import Folded
from reference.keyless import fold_keyless
from reference.record import KafkaRecord
from reference.truncates import first_deliveries, removed_by
from reference.unavailable import Values
from reference.walk import Step, distinct_events, walks_of_keys


def fold(records: Iterable[KafkaRecord], config: Config) -> Folded:
    """Return what all these records together say, in whatever order and however often given."""
    return fold_events(distinct_events(records, config, read_event), config)


def fold_events(events: list[Event], config: Config) -> Folded:
    """Return what all these events together say; each is a delivery of its own."""
    result = Folded()
    if config.keyless:
        result.multiset = fold_keyless(events, config)
        return result

    log = _walked(events, config, result)
    truncates, snapshots = log.truncates, log.snapshots
    values = Values(log.walks, config)
    for key, steps in log.walks.items():
        if not steps:
            continue
        winner = steps[-1]
        record = winner.event.record
        result.winners[key] = (record.topic, record.partition, record.offset)
        if not winner.upsert:
            continue
        reads = [step.event for step in steps if step.event.full_read]
        if any(removed_by(truncate, winner.event, reads) for truncate in truncates):
            continue
        if any(closed_by(snapshot, winner.event) for snapshot in snapshots):
            continue
        row, unknown = values.after(winner)
        result.rows[key] = row
        if unknown:
            result.unknown[key] = unknown
    return result


@dataclass
class Walked:
    """The events of a table with a key, and the walks through those of each key."""

    events: list[Event]
    walks: dict[str, list[Step]]
    truncates: list[Event]
    snapshots: list[list[Event]]


def walked(records: Iterable[KafkaRecord], config: Config) -> Walked:
    """Read records and walk through the events of each key."""
    return _walked(distinct_events(records, config, read_event), config, Folded())


def _walked(events: list[Event], config: Config, result: Folded) -> Walked:
    truncates = first_deliveries(event for event in events if event.op == "t" and not event.settled)
    snapshots = complete_snapshots(events) if config.close_unseen else []
    walks = walks_of_keys(events, result)
    return Walked(events, walks, truncates, snapshots)
