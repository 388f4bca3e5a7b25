"""Retention at random moments between batches: rows and counts stay as they were.

The reference folds all events that were no late ones, and folds what retention kept of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dev.simulator import History
from reference.envelope import read_event
from reference.event import Event
from reference.fold import fold_events
from reference.folded import Folded
from reference.retention import Horizon, horizon_of, is_late, is_settled, keep, settled_part
from reference.walk import distinct_events
from tests.property.histories import histories_of, landings

HISTORIES = 150
BATCHES = 8
# Longer than a simulated key change takes, as a day is for a real one; its create asks for values.
OPEN_MS = 4000
# What has no position can be delivered again for as long; identities are kept.
KNOWN_MS = 10_000
# Another topic has a horizon of its own: it does not tell what it repeats of the first.
ONE_TOPIC = {"second_topic": False, "transforms": False}


def differences(history: History, counts: Counter[str]) -> Iterator[str]:
    """Yield where what was kept says something else, after each batch."""
    rng = random.Random(history.seed * 7)
    eager = rng.random() < 0.5
    landed: list[Event] = []
    kept: list[Event] = []
    gone: Counter[str] = Counter()
    horizon: Horizon | None = None
    events = distinct_events(history.records, history.config, read_event)
    renames = any(event.op == "c" and event.unavailable for event in events)
    open_ms = OPEN_MS if renames else 0
    for number, batch in enumerate(landings(history, BATCHES)):
        for event in distinct_events(batch, history.config, read_event):
            if horizon and is_late(event, horizon):
                counts["late"] += 1
                continue
            if horizon and is_settled(event, horizon):
                event = replace(event, settled=True)
                counts["settled"] += 1
            landed.append(event)
            kept.append(event)
        of_all, of_kept = (fold_events(log, history.config) for log in (landed, kept))
        told = _told(of_kept) + gone
        if _told(of_all) != told:
            yield f"seed {history.seed}, batch {number}: counts {_told(of_all)}, kept {told}"
        for key in sorted({*of_all.rows, *of_kept.rows}):
            rows = [(one.rows.get(key), one.unknown.get(key)) for one in (of_all, of_kept)]
            if rows[0] != rows[1]:
                yield f"seed {history.seed}, batch {number}, key {key}: {rows[0]}, kept {rows[1]}"
        if kept and rng.random() < (0.7 if eager else 0.3):
            times = sorted(event.record.timestamp_ms for event in kept)
            late_ms = max(rng.choice(times), horizon.late_ms if horizon else 0)
            settled, _ = settled_part(kept, late_ms - open_ms)
            horizon = horizon_of(kept, settled, late_ms, KNOWN_MS, horizon)
            left = keep(kept, late_ms - open_ms, history.config, horizon)
            counts["dropped"] += len(kept) - len(left.events)
            gone.update(replays=left.replays, unexplained=left.unexplained)
            kept = left.events


def _told(folded: Folded) -> Counter[str]:
    return Counter(
        replays=sum(folded.replays.values()), unexplained=sum(folded.unexplained.values())
    )


@pytest.mark.parametrize("connector", ["postgresql", "sqlserver", "oracle", "mysql", "mariadb"])
def test_what_retention_keeps_says_the_same(connector: str) -> None:
    counts: Counter[str] = Counter()
    found = []
    for seed in range(10_000, 10_000 + HISTORIES):
        history = histories_of([seed], connector, alone=True, **ONE_TOPIC)[0]
        if not history.config.keyless:
            found += list(differences(history, counts))

    assert not found, "\n".join(found[:5])
    assert min(counts["late"], counts["settled"], counts["dropped"]) > 10, counts
