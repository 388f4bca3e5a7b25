"""The reference fold: snapshots."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dev.simulator import random_history
from dev.simulator.history import CONNECTORS
from reference import KafkaRecord, fold
from tests.support.histories import op_of
from tests.support.reference_log import Log


def read_to_insert(record: KafkaRecord) -> KafkaRecord:
    """Return a read as Debezium's `ReadToInsertEvent` writes it."""
    if op_of(record) != "r":
        return record
    whole = json.loads(record.value or "")
    whole.get("payload", whole)["op"] = "c"
    return replace(record, value=json.dumps(whole))


@pytest.mark.covers("case read-to-insert-transform")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_reads_that_a_transform_writes_as_inserts_are_reads(connector):
    transformed = 0
    for seed in range(30):
        history = random_history(seed, connector, initial="snapshot")
        records = [read_to_insert(record) for record in history.records]
        transformed += records != history.records
        told, same = fold(records, history.config), fold(history.records, history.config)
        assert (told.rows, told.multiset) == (same.rows, same.multiset), seed
        assert (told.replays, told.unexplained) == (same.replays, same.unexplained), seed
    assert transformed > 20


@pytest.mark.parametrize("marker", ["false", False, None, "", "initial"])
def test_what_is_no_marker_makes_no_read(marker):
    log = Log().add("u", 1, 500, "a").add("u", 1, 9, "b", snapshot=marker)
    assert log.values() == {1: "a"}


def test_a_full_read_resets_the_mark_and_an_incremental_one_does_not():
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="true").add("u", 1, 10, "c")
    assert log.values() == {1: "c"}
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="incremental")
    assert log.values() == {1: "b"}
    log.add("u", 1, 10, "c")
    assert log.values() == {1: "b"}
