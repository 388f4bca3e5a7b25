"""The reference fold: positions and arrival."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dev.simulator import random_history
from dev.simulator.features import Features
from dev.simulator.history import CONNECTORS
from reference import KafkaRecord, fold
from tests.support.histories import payload
from tests.support.reference_log import Log

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


def test_positions_are_numbers():
    assert Log().add("u", 1, 99, "a").add("u", 1, 100, "b").values() == {1: "b"}


def test_a_key_in_several_partitions_is_ordered_by_record_time():
    log = Log().add("u", 1, 10, "a", partition=0, offset=7)
    log.add("r", 1, None, "b", snapshot="incremental", partition=1, offset=0)
    assert log.values() == {1: "b"}
    log.records.reverse()
    assert log.values() == {1: "b"}
