"""Positions that start again: trap 20 of the specification, and cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference import Config, Epoch, fold
from tests.cases.log import late
from tests.cases.tables import PG, SQLSERVER, pg_log, ss_log
from tests.traps.listed_cases import lines

# 20


def restored(log):
    return log.say("u", 1, 500, "old").say("u", 1, 10, "new").say("u", 1, 20, "newer").records


FROM = "2030-01-01T00:00:00Z"
FROM_MS = 1_893_456_000_000
UNDECLARED = PG.story("restored_undeclared", restored(pg_log()))
BY_OFFSET = PG.story("restored_by_offset", restored(pg_log()), epochs=[{"offsets": {"0": 1}}])
BY_TIME = PG.story(
    "restored_by_time",
    [
        record if place == 0 else replace(record, timestamp_ms=FROM_MS + place)
        for place, record in enumerate(restored(pg_log()))
    ],
    epochs=[{"from": FROM}],
)
BY_SNAPSHOT = PG.story(
    "restored_by_snapshot",
    pg_log().say("u", 1, 500, "old").records,
    late(
        pg_log()
        .say("r", 1, 5, "read", snapshot="last", commit=None)
        .say("u", 1, 10, "new")
        .records,
        1,
    ),
)
SS_UNDECLARED = SQLSERVER.story("restored_undeclared", restored(ss_log()))
SS_BY_OFFSET = SQLSERVER.story(
    "restored_by_offset", restored(ss_log()), epochs=[{"offsets": {"0": 1}}]
)


@pytest.mark.parametrize("story", [UNDECLARED, SS_UNDECLARED], ids=["postgresql", "sqlserver"])
def test_20_positions_that_start_again_undeclared_are_counted_as_unexplained(built, story):
    assert built.values(story, "email") == {1: "old"}
    assert built.replays(story) == (2, 2)
    (state,) = built.state(story)
    assert state["_cdc_fold_first_unexplained"] == f"{story.topic}:0:1"


@pytest.mark.parametrize(
    "story", [BY_OFFSET, BY_TIME, SS_BY_OFFSET], ids=["offsets", "time", "sqlserver"]
)
def test_20_a_declared_epoch_lets_lower_positions_count(built, story):
    assert built.values(story, "email") == {1: "newer"}
    assert built.replays(story) == (0, 0)


def test_20_a_full_snapshot_after_a_restore_is_an_epoch_by_itself(built):
    assert built.values(BY_SNAPSHOT, "email") == {1: "new"}
    assert built.replays(BY_SNAPSHOT) == (0, 0)


@pytest.mark.covers("case oracle-xstream-to-logminer", "case mysql-binlog-over-4gib")
@pytest.mark.parametrize(
    ("name", "connector", "newest"),
    [
        ("oracle-xstream-to-logminer", "oracle", "logminer"),
        ("mysql-binlog-over-4gib", "mysql", "after wrap"),
    ],
)
def test_an_epoch_tells_that_positions_start_anew(name, connector, newest):
    records = lines(name)
    epoch = Epoch(topic=records[0].topic, offsets={0: 1})
    got = fold(records, replace(Config(connector), epochs=(epoch,)))
    assert [list(row.values())[1] for row in got.rows.values()] == [newest]
    assert not got.unexplained
