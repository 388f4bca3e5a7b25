"""Simulated collections: the log leads to the documents, and the walk sees the same."""

from __future__ import annotations

from collections import Counter

import pytest

from dbt_debezium_spark.mongodb import ejson
from dev.simulator.mongodb import LINES, document_history
from reference.documents import fold_documents
from tests.support.histories import producer_retries, repeats_from_before_a_read
from tests.support.mongodb_walk import walk_records

SEEDS = range(1, 401)


def test_histories_lead_to_the_documents() -> None:
    lines: Counter[str] = Counter()
    replays = 0
    met: Counter[str] = Counter()
    for seed in SEEDS:
        history = document_history(seed, topic="content.inventory.customers")
        met.update(producer_retries(history.records))
        met["histories in two topics"] += len(history.topics) > 1
        met["repeats from before a full read"] += repeats_from_before_a_read(history.records)
        folded = fold_documents(history.records, history.config)
        lines[history.line] += 1
        replays += folded.replays.total()
        if not history.doubts:
            assert folded.documents == history.truth, f"seed {seed}"
            assert not folded.incomplete, f"seed {seed}"
            if history.retries != "any":  # a lone tombstone forgets what was before it
                assert not folded.unexplained, f"seed {seed}"
        elif "compaction" not in str(history.doubts):
            known = {k: t for k, t in folded.documents.items() if k not in folded.incomplete}
            assert known.items() <= history.truth.items(), f"seed {seed}"
    assert set(lines) == set(LINES)
    assert replays > 100
    assert {name for name, times in met.items() if not times} == set()


@pytest.mark.parametrize("first", range(1, 401, 100))
def test_the_walk_is_that_of_the_reference(first: int) -> None:
    walked = 0
    for seed in range(first, first + 100):
        history = document_history(seed, topic="content.inventory.customers")
        if len({(record.topic, record.partition) for record in history.records}) > 1:
            continue  # arrival over partitions is decided in SQL
        walked += 1
        folded = fold_documents(history.records, history.config)
        walks = walk_records(history.records)
        texts = {key: walk.document_text() for key, walk in walks.items()}
        assert {k: t for k, t in texts.items() if t is not None} == folded.documents, seed
        assert {k for k, walk in walks.items() if walk.incomplete} == folded.incomplete, seed
    assert walked > 20


def test_a_change_of_dialect_leaves_the_keys_as_they_are() -> None:
    for seed in SEEDS:
        history = document_history(seed, topic="content.inventory.customers")
        texts = {ejson.key_text(text) for text in history.truth}
        assert texts == set(history.truth), f"seed {seed}"
