"""The reference fold: positions and arrival."""

from __future__ import annotations

from tests.support.reference_log import Log


def test_positions_are_numbers():
    assert Log().add("u", 1, 99, "a").add("u", 1, 100, "b").values() == {1: "b"}


def test_a_key_in_several_partitions_is_ordered_by_record_time():
    log = Log().add("u", 1, 10, "a", partition=0, offset=7)
    log.add("r", 1, None, "b", snapshot="incremental", partition=1, offset=0)
    assert log.values() == {1: "b"}
    log.records.reverse()
    assert log.values() == {1: "b"}
