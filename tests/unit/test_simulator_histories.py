"""The reference fold of simulated logs is the simulated tables, also amid the log."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.mongodb import ejson
from dev.simulator import History, random_history
from dev.simulator.mongodb import LINES, document_history
from dev.simulator.strategies import histories
from reference import Folded, fold
from reference.documents import fold_documents
from tests.support.mongodb_walk import walk_records

CONNECTORS = ("oracle", "postgresql", "sqlserver", "mysql", "mariadb")
SETTINGS = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def disagreement(history: History, got: Folded) -> str | None:
    """Return the first difference between the fold and the table."""
    if not history.table.key:
        extra, missing = (
            got.multiset - history.truth_multiset,
            history.truth_multiset - got.multiset,
        )
        return f"too many {extra}, too few {missing}" if extra or missing else None
    if set(got.rows) != set(history.truth):
        return f"keys: {sorted(set(got.rows) ^ set(history.truth))}"
    if history.complete and got.unknown:
        return f"unknown: {got.unknown}"
    for key, row in history.truth.items():
        for column, value in row.items():
            unknown = column in got.unknown.get(key, ())
            expected = None if unknown else value
            if got.rows[key][column] != expected:
                return f"{key} {column}: {got.rows[key][column]!r}, not {expected!r}"
    return None


PLAIN = dict(
    restore="no", snapshot_again=False, broken_snapshot=False, overlap=False, compaction=False
)
# What a log that is cut shows is older than the newest: amid a repeated batch that begins with
# the tombstone of a delete before it the row is dead; behind a snapshot that read more than was
# sent it regresses.
CUT = st.sampled_from(("no", "whole")), st.sampled_from(("no", "drained"))


@SETTINGS
@given(
    st.sampled_from(CONNECTORS).flatmap(
        lambda name: st.sampled_from(["single", "composite"]).flatmap(
            lambda key: st.tuples(*CUT).flatmap(
                lambda kinds: histories(
                    name,
                    key=key,
                    redelivery=True,
                    retries=kinds[0],
                    blocking=kinds[1],
                    **PLAIN,
                )
            )
        )
    ),
    st.floats(0, 1),
)
def test_a_log_cut_anywhere_shows_the_newest_state_it_tells(history, share):
    end = round(share * len(history.records))
    got = fold(history.records[:end], history.config)
    expected = told(history, end)
    assert set(got.rows) == set(expected)
    for key, row in expected.items():
        lacking = got.unknown.get(key, set())
        assert not (history.complete and lacking)
        assert {c: v for c, v in got.rows[key].items() if c not in lacking} == {
            c: v for c, v in row.items() if c not in lacking
        }


def told(history: History, end: int) -> dict[str, Any]:
    """Return each key's state at the highest place in the source's order that a prefix shows."""
    newest: dict[str, tuple[int, Any]] = {}
    truncated = -1
    for said in history.said[:end]:
        if said.kind == "truncate":
            truncated = max(truncated, said.order)
        elif said.key is not None and said.order >= newest.get(said.key, (-2, None))[0]:
            newest[said.key] = (said.order, said.row if said.kind == "row" else None)
    return {
        key: row for key, (order, row) in newest.items() if row is not None and order >= truncated
    }


# What some record of a connector has, in its text.
TEXTS = {
    "full reads": '"snapshot":"first"',
    "incremental reads": '"incremental"',
    "truncates": '"op":"t"',
    "placeholders": '"__debezium_unavailable_value"',
    "schemas": '"schema":{',
}
# SQL Server has no truncates, and the binlog no values that are left out.
NEVER = {"sqlserver": {"truncates"}, "mysql": {"placeholders"}, "mariadb": {"placeholders"}}


@pytest.mark.parametrize("connector", CONNECTORS)
def test_the_fold_of_a_log_is_the_table_it_came_from(connector):
    met: Counter[str] = Counter()
    for seed in range(200):
        fixed = {"key": "none"} if seed % 5 == 0 else {}
        history = random_history(seed, connector, **fixed)
        got = fold(history.records, history.config)
        if history.truth_holds:
            assert disagreement(history, got) is None, (seed, history.features)
            # A lone tombstone that a producer sent again forgets what was before it: its repeats
            # by a later run are old changes that nothing explains.
            if not history.features.compaction and history.features.retries != "any":
                assert not got.unexplained, (seed, history.features)
        for name, part in TEXTS.items():
            met[name] += any(part in (record.value or "") for record in history.records)
        met["tombstones"] += any(record.value is None for record in history.records)
        met["replays"] += bool(got.replays)
        met["doubts"] += bool(history.doubts)
        for name in ("epochs", "incarnations"):
            met[name] += bool(getattr(history.config, name))
    assert met["doubts"] < 30
    assert {name for name, times in met.items() if not times} == NEVER.get(connector, set())


# -- collections ----------------------------------------------------------------------------------


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
