"""Simulated collections: the log leads to the documents, and the walk sees the same."""

from __future__ import annotations

from dbt_debezium_spark.mongodb import ejson
from dev.simulator.mongodb import LINES, document_history
from reference.documents import fold_documents
from tests.support.mongodb_walk import walk_records


def test_histories_lead_to_the_documents() -> None:
    lines, walked = set(), 0
    for seed in range(1, 401):
        history = document_history(seed, topic="content.inventory.customers")
        lines.add(history.line)
        folded = fold_documents(history.records, history.config)
        if not history.doubts:
            assert folded.documents == history.truth, f"seed {seed}"
            assert not folded.incomplete, f"seed {seed}"
            if history.retries != "any":  # a lone tombstone forgets what was before it
                assert not folded.unexplained, f"seed {seed}"
        elif "compaction" not in str(history.doubts):
            known = {k: t for k, t in folded.documents.items() if k not in folded.incomplete}
            assert known.items() <= history.truth.items(), f"seed {seed}"
        # a change of dialect leaves the keys as they are
        assert {ejson.key_text(text) for text in history.truth} == set(history.truth), seed
        if len({(record.topic, record.partition) for record in history.records}) > 1:
            continue  # arrival over partitions is decided in SQL
        walked += 1
        walks = walk_records(history.records)
        texts = {key: walk.document_text() for key, walk in walks.items()}
        assert {k: t for k, t in texts.items() if t is not None} == folded.documents, seed
        assert {k for k, walk in walks.items() if walk.incomplete} == folded.incomplete, seed
    assert lines == set(LINES) and walked > 80
