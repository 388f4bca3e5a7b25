"""Traps 11 to 23 of the specification: order and replays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.examples import START_MS, example
from tests.traps.records import again, late
from tests.traps.tables import PG, SQLSERVER, customer, john, pg_log, row, ss_log

# 11, 12

REPLAYED = example("seq_sqlserver_2.1.4_replay_after_restart")
CUTS = {
    cut: SQLSERVER.story(f"replay_cut_{cut}", REPLAYED[:cut], REPLAYED[cut:]) for cut in (1, 2, 3)
}
WHOLE = SQLSERVER.story("replay_whole", REPLAYED)
LATE_FIRST = SQLSERVER.story("replay_late", REPLAYED[2:], REPLAYED[:2])
skewed = ss_log().say("u", 1, 10, "old", source={"ts_ms": 2_000}, at=START_MS + 50_000)
skewed.say("u", 1, 20, "new", source={"ts_ms": 1_000}, at=START_MS)
skewed.say("u", 2, 10, "old", at=START_MS).say("u", 2, 20, "new", at=START_MS)
SKEWED = SQLSERVER.story("skewed", skewed.records)


@pytest.mark.parametrize("cut", CUTS)
def test_11_a_replay_cut_anywhere_never_shows_an_older_row(built, cut):
    assert built.current(CUTS[cut], 1) == [john(1005, "b@x.org" if cut == 1 else "c@x.org")]
    assert built.current(CUTS[cut]) == [john(1005, "c@x.org")]
    assert built.replays(CUTS[cut], 1) == (1 if cut == 3 else 0, 0)
    assert built.replays(CUTS[cut]) == (2, 0)


def test_11_a_replay_in_one_batch_or_in_late_files_ends_alike(built):
    for story in (WHOLE, LATE_FIRST):
        assert built.current(story) == [john(1005, "c@x.org")]
        assert built.replays(story) == (2, 0)


def test_12_no_time_decides(built):
    captured = [event["_cdc_captured_at"] for event in built.staged(WHOLE)]
    assert max(captured) == captured[3] and captured[2] > captured[1]
    assert built.current(WHOLE) == [john(1005, "c@x.org")]
    assert built.values(SKEWED, "email") == {1: "new", 2: "new"}


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


# 21

moved = example("seq_postgres_2.1.4_key_change")
born = pg_log().say("c", 1, 5, "a").records  # offset 0, as the examples begin at 10 and 40
PG_MOVED = PG.story("key_change", [*born, *moved])
PG_MOVED_CUT = PG.story("key_change_cut", [*born, moved[0]], moved[1:])
ss_moved = example("seq_sqlserver_2.1.4_key_change")
ss_born = ss_log().say("c", 1005, 5, "john.doe@example.org").records
SS_MOVED = SQLSERVER.story("key_change", [*ss_born, *ss_moved])
SS_MOVED_CUT = SQLSERVER.story("key_change_cut", [*ss_born, *ss_moved[:1]], ss_moved[1:])


def test_21_a_key_change_ends_one_row_and_begins_another_at_one_position(built):
    for story in (PG_MOVED, PG_MOVED_CUT):
        assert built.current(story) == [customer(2)]
        assert built.replays(story) == (0, 0)
    for story in (SS_MOVED, SS_MOVED_CUT):
        assert built.current(story) == [john(1006, "john.doe@example.org")]
        assert built.replays(story) == (0, 0)
    positions = {
        event["_cdc_pos"] for event in built.staged(PG_MOVED) if event["_cdc_op"] != "tombstone"
    }
    assert len(positions) == 2  # of the birth, and of both halves of the change


def test_21_the_header_tells_the_old_key(built):
    created = built.staged(PG_MOVED)[-1]
    deleted = built.staged(PG_MOVED)[1]
    assert (created["_cdc_op"], deleted["_cdc_op"]) == ("c", "d")
    assert created["_cdc_old_key"] == deleted["_cdc_key"]


def test_21_between_the_halves_no_row_is_shown(built):
    assert built.current(PG_MOVED_CUT, 1) == []
    assert built.current(SS_MOVED_CUT, 1) == []


# 22

changes = pg_log().say("c", 1, 10, "a").say("u", 1, 20, "b").records
REPEATED = PG.story("repeated", changes + again(changes))
REPEATED_LATER = PG.story("repeated_later", changes, again(changes))


def test_22_a_repeat_is_known_although_its_envelope_has_another_time(built):
    for story in (REPEATED, REPEATED_LATER):
        first, _, repeat, _ = built.staged(story)
        assert first["_cdc_captured_at"] < repeat["_cdc_captured_at"]
        assert built.values(story, "email") == {1: "b"}
        assert built.replays(story) == (2, 0)


# a connector that resumes may take another commit for the last one before (spec 5.2)
resumed = pg_log().say("c", 1, 10, "a").say("u", 1, 20, "b").say("u", 1, 30, "c")
resumed.say("u", 1, 20, "b", commit=25)
RESUMED = PG.story("resumed", resumed.records)
RESUMED_CUT = PG.story("resumed_cut", *resumed.cut(2, 3))


def test_22_a_repeat_is_known_although_it_tells_another_commit(built):
    for story in (RESUMED, RESUMED_CUT):
        assert built.values(story, "email") == {1: "c"}
        assert built.replays(story) == (1, 0)


image = {name: value for name, value in row(1, "a").items() if name != "email"}
DROPPED = PG.story("dropped", pg_log().say("c", 1, 10, "a").add("c", {"id": 1}, 10, image).records)


def test_22_a_repeat_that_lacks_a_dropped_column_does_not_take_its_value_away(built):
    assert built.values(DROPPED, "email") == {1: "a"}
