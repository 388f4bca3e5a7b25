"""Log compaction: of a prefix only the last record of each key is sure to stay."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulator.history import History


def compact_topic(history: History, rng: random.Random) -> None:
    """Drop records of a random prefix that a later one of the same key and partition supersedes.

    The consumer may have landed some of them before the cleaner came: any of them may be there.
    """
    records = history.records
    end = rng.randint(0, len(records))
    share = rng.choice([0.3, 0.7, 1.0])
    boundaries = history.config.incarnations
    last: dict[tuple[str | None, int, int], int] = {}
    places = [
        (record.key, record.partition, sum(1 for at in boundaries if record.timestamp_ms >= at))
        for record in records
    ]
    for index in range(end):
        last[places[index]] = index
    keep = [
        index
        for index in range(len(records))
        if index >= end or last[places[index]] == index or rng.random() >= share
    ]
    if len(keep) == len(records):
        return
    history.records = [records[index] for index in keep]
    history.said = [history.said[index] for index in keep]
    if history.features.toast:
        history.doubts.append("compaction may drop the only record that said a value")
    if history.features.restore == "snapshot":
        history.doubts.append("compaction may drop the read that reset a mark")
