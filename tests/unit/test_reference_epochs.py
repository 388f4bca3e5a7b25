"""The reference fold: epochs."""

from __future__ import annotations

from reference import Config, Epoch, fold
from tests.support.reference_log import KEY_1, TOPIC, Log, binlog


def test_an_epoch_by_time_or_by_offset_starts_positions_again():
    log = Log().add("u", 1, 500, "a").add("u", 1, 10, "b")
    assert log.values() == {1: "a"}
    for epoch in (Epoch(from_ms=1_001), Epoch(topic=TOPIC, offsets={0: 1})):
        assert log.values(Config("postgresql", epochs=(epoch,))) == {1: "b"}
    for epoch in (Epoch(from_ms=1_002), Epoch(topic="other", offsets={0: 1}), Epoch(topic=TOPIC)):
        assert log.values(Config("postgresql", epochs=(epoch,))) == {1: "a"}


def test_an_epoch_makes_equal_changes_new():
    records = binlog(("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b"))
    epoch = Epoch(topic=TOPIC, offsets={0: 2})
    config = Config(
        "mysql", complete_before=True, binlog_transaction_compression=True, epochs=(epoch,)
    )
    assert fold(records, config).rows[KEY_1]["v"] == "b"
