"""Log compaction: of a prefix only the last record of each key is sure to stay."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from dev.simulator.broker import is_null

if TYPE_CHECKING:
    from dev.simulator.history import History


def compact_topic(history: History, rng: random.Random) -> None:
    """Drop records of a random prefix that a later one of the same key and partition supersedes.

    The consumer may have landed some of them before the cleaner came: any of them may be there.
    """
    records = history.records
    end = rng.randint(0, len(records))
    share = rng.choice([0.3, 0.7, 1.0])
    boundaries = history.config.incarnations
    last: dict[tuple[str, str | None, int, int], int] = {}
    places = [
        (
            record.topic,
            record.key,
            record.partition,
            sum(1 for at in boundaries if record.timestamp_ms >= at),
        )
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
    if _hides_a_delete(history):
        history.doubts.append("compaction took the delete between two tombstones")
    if _hides_a_create(history):
        history.doubts.append("compaction took a create whose delete is there twice")
    if history.features.toast:
        history.doubts.append("compaction may drop the only record that said a value")
    if history.features.restore == "snapshot":
        history.doubts.append("compaction may drop the read that reset a mark")


def _hides_a_delete(history: History) -> bool:
    """Tell whether a tombstone that lost its delete follows the repeat of an earlier delete.

    Then nothing shows that it is not the tombstone of that repeat, which says nothing.
    """
    newest: dict[str, int] = {}  # place of each key's newest change so far
    repeat: dict[str, int] = {}  # place of its last delete, when that was a repeat
    for record, said in zip(history.records, history.said, strict=True):
        if said.key is None:
            continue
        if is_null(record.value):
            if repeat.get(said.key, said.order) < said.order:
                return True
            continue
        repeat.pop(said.key, None)
        if said.kind == "gone" and said.order < newest.get(said.key, said.order):
            repeat[said.key] = said.order
        newest[said.key] = max(said.order, newest.get(said.key, said.order))
    return False


def _hides_a_create(history: History) -> bool:
    """Tell whether a repeat looks like a create behind a delete, as its first delivery is lost.

    Both are: a repeated delete that was not seen before, then a create that was not, either; the
    delete that ended that row was seen and its repeat says nothing.
    """
    seen: dict[str, set[int]] = {}
    newest: dict[str, int] = {}
    old_delete: set[str] = set()  # keys whose record before is one of a lost, older delete
    for record, said in zip(history.records, history.said, strict=True):
        if said.key is None or is_null(record.value):
            continue
        is_new = said.order not in seen.setdefault(said.key, set())
        is_old = is_new and said.order < newest.get(said.key, -1)
        if is_old and said.kind == "row" and said.key in old_delete:
            return True
        if is_new:
            old_delete.discard(said.key)
        if is_old and said.kind == "gone":
            old_delete.add(said.key)
        seen[said.key].add(said.order)
        newest[said.key] = max(said.order, newest.get(said.key, -1))
    return False
