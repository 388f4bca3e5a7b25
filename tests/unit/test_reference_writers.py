"""The reference fold: random histories as transforms and other writers of the format send them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dev.simulator import random_history
from dev.simulator.features import Features
from dev.simulator.history import CONNECTORS
from reference import KafkaRecord, fold
from tests.support.histories import op_of, payload

# by connector: what a writer says for none
NONE = {
    "postgresql": {"lsn": None, "sequence": None},
    "sqlserver": {"commit_lsn": "00000000:00000000:0000", "change_lsn": None},
    "oracle": {"scn": "0", "rs_id": None, "ssn": 0},
    "mysql": {"file": "", "pos": 0, "row": 0},
    "mariadb": {"file": None, "pos": None, "row": None},
}
# ... and a position that is one for the connector
SAME = {
    "postgresql": {"lsn": 7, "sequence": '["6","7"]'},
    "sqlserver": {"commit_lsn": "1:1:1", "change_lsn": "1:1:1", "event_serial_no": 1},
    "oracle": {"scn": "5", "rs_id": "1.1.1", "ssn": 1},
    "mysql": {"file": "bin.000001", "pos": 4, "row": 0},
    "mariadb": {"file": "bin.000001", "pos": 4, "row": 0},
}


def with_source(record: KafkaRecord, members: dict[str, object]) -> KafkaRecord:
    value = payload(record) if record.value else None
    if not isinstance(value, dict):
        return record
    value["source"] |= members
    return replace(record, value=json.dumps(value))


@pytest.mark.covers("case position-that-never-moves")
@pytest.mark.parametrize("key", ["single", "none"])
@pytest.mark.parametrize("connector", CONNECTORS)
@pytest.mark.parametrize(
    "written",
    [NONE, {name: SAME[name] | {"connector": "TiCDC"} for name in SAME}],
    ids=["none", "another connector"],
)
def test_what_another_writer_sends_counts_as_it_arrives(written, connector, key):
    rows = 0
    for seed in range(20):
        plain = Features(key=key, key_changes=False, transaction_metadata=True)
        history = random_history(seed, connector, features=plain)
        records = [with_source(record, written[connector]) for record in history.records]
        told = fold(records, history.config)
        assert (told.rows, told.multiset) == (history.truth, history.truth_multiset), seed
        assert not told.unexplained, seed
        rows += len(told.rows) + len(told.multiset)
        if key == "single":
            assert (
                fold(records + [_later(one, records) for one in records], history.config).rows
                == history.truth
            )
    assert rows > 20


def _later(record: KafkaRecord, records: list[KafkaRecord]) -> KafkaRecord:
    """Return a record as a producer sends it again behind all others."""
    return replace(
        record,
        offset=record.offset + records[-1].offset + 1,
        timestamp_ms=record.timestamp_ms + 10**9,
    )


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
