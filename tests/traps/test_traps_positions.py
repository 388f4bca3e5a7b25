"""Positions of PostgreSQL and SQL Server: traps 13, 14 and 18 of the specification."""

from __future__ import annotations

import pytest

from tests.cases.log import late
from tests.cases.tables import PG, SQLSERVER, customer, pg_log, ss_log
from tests.support.examples import example

# 13

INTERLEAVED = PG.story("interleaved", example("seq_postgres_interleaved_transactions"))


def test_13_commits_interleave_and_no_row_is_lost(built):
    assert built.current(INTERLEAVED) == [customer(1), customer(2)]
    assert built.replays(INTERLEAVED) == (0, 0)


def test_13_the_order_of_the_stream_is_not_that_of_the_lsn(built):
    first, second = built.staged(INTERLEAVED)
    lsns = [event["_cdc_identity"].removeprefix("~") for event in (first, second)]
    assert first["_cdc_stream_pos"] < second["_cdc_stream_pos"]
    assert first["_cdc_pos"] < second["_cdc_pos"]
    assert int(lsns[0]) > int(lsns[1])


# 14

inflight = example("seq_postgres_incremental_vs_inflight")
INFLIGHT = PG.story("inflight", inflight)
INFLIGHT_CUT = PG.story("inflight_cut", inflight[:1], inflight[1:])


@pytest.mark.covers("support PostgreSQL: incremental snapshots")
def test_14_a_later_commit_wins_over_an_incremental_read_with_a_higher_lsn(built):
    assert built.current(INFLIGHT) == [customer(1, first_name="New")]
    assert built.current(INFLIGHT_CUT, 1) == [customer(1, first_name="Old")]
    assert built.current(INFLIGHT_CUT) == [customer(1, first_name="New")]


def test_14_an_incremental_read_has_a_place_in_the_stream_but_no_position_of_its_row(built):
    read, update = built.staged(INFLIGHT)
    assert read["_cdc_pos"] is None and read["_cdc_stream_pos"] < update["_cdc_stream_pos"]


# 18

OPEN_AT_SNAPSHOT = PG.story(
    "open_at_snapshot",
    pg_log()
    .say("r", 1, 100, "read", snapshot="last", commit=None)
    .say("u", 1, 90, "committed later", commit=None)
    .records,
)
sorted_reads = ss_log().say("u", 1, 16, "same commit", serial=99)
sorted_reads.say("r", 2, 16, "read", snapshot="first").say("u", 3, 17, "next commit")
SS_SORTED = SQLSERVER.story("sorted_reads", sorted_reads.records)
SS_AFTER_READ = SQLSERVER.story(
    "after_read",
    ss_log().say("r", 1, 16, "read", snapshot="true").records,
    late(ss_log().say("u", 1, 17, "changed").records, 1),
)


def test_18_a_transaction_open_at_the_snapshot_wins_over_the_read(built):
    assert built.values(OPEN_AT_SNAPSHOT, "email") == {1: "committed later"}


def test_18_a_read_lies_behind_every_change_of_the_commit_it_saw(built):
    same, read, following = [event["_cdc_stream_pos"] for event in built.staged(SS_SORTED)]
    assert same < read < following
    assert built.values(SS_AFTER_READ, "email") == {1: "changed"}
