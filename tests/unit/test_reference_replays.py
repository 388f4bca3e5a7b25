"""The reference fold: replays."""

from __future__ import annotations

import pytest

from reference import fold
from tests.support.reference_log import COMPRESSED, KEY_1, Log, binlog


def test_a_repeat_is_not_applied_and_the_first_delivery_counts():
    log = Log().add("c", 1, 10, {"id": 1, "v": "a", "dropped": 1}).add("c", 1, 10, "a")
    got = log.fold()
    assert got.rows[KEY_1] == {"id": 1, "v": "a", "dropped": 1}
    assert got.replays == {KEY_1: 1} and not got.unexplained


def test_a_lower_position_never_seen_before_is_unexplained():
    log = Log().add("u", 1, 20, "new").add("u", 1, 10, "old")
    assert log.values() == {1: "new"}
    assert log.fold().unexplained == {KEY_1: 1}


@pytest.mark.parametrize(
    ("changes", "value", "replays"),
    [
        ([("x", "s:1", "a", "b"), ("x", "s:1", "b", "a"), ("x", "s:1", "a", "b")], "b", 0),
        ([("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b")], "c", 1),
        ([("x", "s:1", "a", "b"), ("y", "s:1", "b", "c"), ("y", "s:1", "a", "b")], "c", 1),
        ([(None, "s:1", "a", "b"), (None, "s:1", "b", "a"), (None, "s:1", "a", "b")], "a", 1),
        ([("x", "s:1", "a", "b"), ("x", "s:2", "b", "a"), ("y", "s:3", "a", "b")], "b", 0),
    ],
    ids=["one run", "repeat", "repeat behind", "without runs", "other transactions"],
)
def test_without_a_position_what_was_seen_before_is_a_replay(changes, value, replays):
    got = fold(binlog(*changes), COMPRESSED)
    assert got.rows[KEY_1]["v"] == value
    assert got.replays[KEY_1] == replays and not got.unexplained
