"""Positions of MySQL and MariaDB: traps 12, 17 and 18 of the specification."""

from __future__ import annotations

import pytest

from tests.cases.log import again, late
from tests.cases.tables import MARIADB, MYSQL, binlog
from tests.support.examples import example

# 12

same_second = binlog().say("u", 1, 200, "new", source={"ts_ms": 1_700_000_000_000})
same_second.say("u", 1, 100, "old", source={"ts_ms": 1_700_000_000_000})
SAME_SECOND = MYSQL.story("same_second", same_second.records)


def test_12_two_changes_of_one_second_are_ordered_by_the_binlog(built):
    assert built.values(SAME_SECOND, "email") == {1: "new"}


# 17

ROLLED = example("seq_mysql_binlog_rollover")
ROLLED_OVER = {
    "whole": MYSQL.story("rolled", ROLLED),
    "cut": MYSQL.story("rolled_cut", ROLLED[:2], ROLLED[2:]),
    "mariadb": MARIADB.story("rolled", ROLLED),
    "repeated": MYSQL.story("rolled_again", ROLLED, again(ROLLED)),
}


@pytest.mark.covers("support MySQL: repeats")
@pytest.mark.parametrize("name", ROLLED_OVER)
def test_17_the_millionth_binlog_file_comes_after_the_one_before(built, name):
    story = ROLLED_OVER[name]

    assert built.values(story, "first_name") == {1: "v2", 2: "v1"}
    assert built.replays(story) == (3 if name == "repeated" else 0, 0)


# 18

READ = MYSQL.story(
    "read",
    example("mysql_3.6_snapshot_read"),
    late(
        binlog().say("u", 1001, 154, "at the place of the snapshot").records
        + binlog().say("u", 1001, 484, "later").records,
        1,
    ),
)


def test_18_a_read_of_server_0_begins_the_stream_of_its_position(built):
    assert built.values(READ, "last_name", 1) == {1001: "Thomas"}
    assert built.values(READ, "email") == {1001: "later"}
    assert [event["_cdc_snapshot"] for event in built.staged(READ)][0] == "first"
    assert len({event["_cdc_stream_pos"] for event in built.staged(READ)[:2]}) == 1
