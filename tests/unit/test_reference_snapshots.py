"""The reference fold: snapshots."""

from __future__ import annotations

from tests.support.reference_log import Log


def test_a_full_read_resets_the_mark_and_an_incremental_one_does_not():
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="true").add("u", 1, 10, "c")
    assert log.values() == {1: "c"}
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="incremental")
    assert log.values() == {1: "b"}
    log.add("u", 1, 10, "c")
    assert log.values() == {1: "b"}
