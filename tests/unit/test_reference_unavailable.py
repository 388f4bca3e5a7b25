"""The reference fold: unavailable values."""

from __future__ import annotations

from tests.support.reference_log import FULL, GONE, KEY_1, Log


def test_a_value_not_sent_is_the_one_before_it_in_the_same_life():
    log = Log().add("c", 1, 10, "a").add("u", 1, 20, GONE).add("u", 1, 30, GONE)
    assert log.values() == {1: "a"}


def test_a_value_not_sent_is_unknown_in_a_new_life():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("u", 1, 30, GONE)
    assert log.values() == {1: None}
    assert log.fold().unknown == {KEY_1: {"v"}}
    log.add("u", 1, 40, "b").add("u", 1, 50, GONE)
    assert log.values() == {1: "b"} and not log.fold().unknown


def test_a_complete_before_tells_the_value_and_a_partial_one_does_not():
    log = Log().add("u", 1, 20, GONE, before={"id": 1, "v": "a"})
    assert log.values(FULL) == {1: "a"}
    assert log.values() == {1: None}
    log = Log().add("u", 1, 20, GONE, before={"id": 1, "v": GONE})
    assert log.values(FULL) == {1: None}
