"""Replays: traps 11, 12 and 22 of the specification, and cases of tests/claims.yml."""

from __future__ import annotations

import json

import pytest

from reference import Config, fold
from tests.cases.log import again
from tests.cases.table import Table
from tests.cases.tables import PG, SQLSERVER, column, john, pg_log, row, ss_log
from tests.support.examples import START_MS, example
from tests.traps.listed_cases import ID, A, V, stories_of

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


@pytest.mark.covers("support PostgreSQL: repeats")
@pytest.mark.parametrize("cut", CUTS)
def test_11_a_replay_cut_anywhere_never_shows_an_older_row(built, cut):
    assert built.current(CUTS[cut], 1) == [john(1005, "b@x.org" if cut == 1 else "c@x.org")]
    assert built.current(CUTS[cut]) == [john(1005, "c@x.org")]
    assert built.replays(CUTS[cut], 1) == (1 if cut == 3 else 0, 0)
    assert built.replays(CUTS[cut]) == (2, 0)


@pytest.mark.covers("support SQL Server: repeats")
def test_11_a_replay_in_one_batch_or_in_late_files_ends_alike(built):
    for story in (WHOLE, LATE_FIRST):
        assert built.current(story) == [john(1005, "c@x.org")]
        assert built.replays(story) == (2, 0)


def test_12_no_time_decides(built):
    captured = [event["_cdc_captured_at"] for event in built.staged(WHOLE)]
    assert max(captured) == captured[3] and captured[2] > captured[1]
    assert built.current(WHOLE) == [john(1005, "c@x.org")]
    assert built.values(SKEWED, "email") == {1: "new", 2: "new"}


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


# Repeats that look like changes, and changes that look like repeats. Each case is told as a whole
# and cut into three batches: its rows are the same.

CODE = column("code", "int32")
PG_REPEATS = Table("pg_repeats", "postgresql", [ID, V])
SS_REPEATS = Table("ss_repeats", "sqlserver", [ID, CODE, V], table="dbo.s_repeats")
MY_REPEATS = Table("my_repeats", "mysql", [ID, V], table="shop.m_repeats")
ORA_REPEATS = Table(
    "ora_repeats",
    "oracle",
    [column("ID", "int32"), column("V")],
    key=["ID"],
    table="APP.O_REPEATS",
    mark="ID",
)
NAME = column("name")
MY_FOREIGN = Table("my_foreign", "mysql", [ID, NAME], table="shop.items")
MY_FOREIGN_KEYLESS = Table("my_foreign_keyless", "mysql", [ID, NAME], key=[], table="shop.items")
PG_REPEATS_KEYLESS = Table("pg_repeats_keyless", "postgresql", [A, V], key=[], mark="a", full=True)
SS_REPEATS_KEYLESS = Table(
    "ss_repeats_keyless", "sqlserver", [A, V], key=[], table="dbo.s_keyless", mark="a"
)
MY_REPEATS_KEYLESS = Table(
    "my_repeats_keyless", "mysql", [A, V], key=[], table="shop.m_kl", mark="a"
)


# Stories, rows, how many replays no event explains.
CASES = [
    pytest.param(
        stories_of(SS_REPEATS, "sqlserver-direct-mode-deferred-update"),
        [{"id": 1, "code": 16, "v": "a"}, {"id": 2, "code": 26, "v": "b"}],
        0,
        id="sqlserver-direct-mode-deferred-update",
        marks=pytest.mark.covers("case sqlserver-direct-mode-deferred-update"),
    ),
    pytest.param(
        stories_of(SS_REPEATS, "sqlserver-direct-mode-bulk-key-change"),
        [{"id": 2, "code": 1, "v": "a"}, {"id": 3, "code": 2, "v": "b"}],
        0,
        id="sqlserver-direct-mode-bulk-key-change",
        marks=pytest.mark.covers("case sqlserver-direct-mode-bulk-key-change"),
    ),
    pytest.param(
        stories_of(SS_REPEATS, "sqlserver-3.7-same-serial"),
        [{"id": 1, "code": 16, "v": "a"}],
        0,
        id="sqlserver-3.7-same-serial",
        marks=pytest.mark.covers("case sqlserver-3.7-same-serial"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "postgres-insert-below-delete"),
        [{"id": 1, "v": "reborn"}, {"id": 2, "v": "other"}],
        0,
        id="postgres-insert-below-delete",
        marks=pytest.mark.covers("case postgres-insert-below-delete"),
    ),
    pytest.param(
        stories_of(ORA_REPEATS, "oracle-insert-below-delete"),
        [{"ID": 1, "V": "reborn"}],
        0,
        id="oracle-insert-below-delete",
        marks=pytest.mark.covers("case oracle-insert-below-delete"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "incremental-read-repeated-verbatim", "t_dupincr"),
        [{"id": 1, "v": "v2"}],
        0,
        id="incremental-read-repeated-verbatim",
        marks=pytest.mark.covers("case incremental-read-repeated-verbatim"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "incremental-read-repeated-verbatim", "t_dupincr_d"),
        [],
        0,
        id="incremental-read-repeated-verbatim: deleted",
        marks=pytest.mark.covers("case incremental-read-repeated-verbatim"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "replay-after-blocking-snapshot", "t_blockreplay"),
        [{"id": 1, "v": "v2"}],
        0,
        id="replay-after-blocking-snapshot",
        marks=pytest.mark.covers("case replay-after-blocking-snapshot"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "replay-after-blocking-snapshot", "t_blockreplay_d"),
        [{"id": 1, "v": "v2"}],
        0,
        id="replay-after-blocking-snapshot: deleted",
        marks=pytest.mark.covers("case replay-after-blocking-snapshot"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "wal2json-one-lsn-per-transaction"),
        [{"id": 1, "v": "second"}],
        0,
        id="wal2json-one-lsn-per-transaction",
        marks=pytest.mark.covers("case wal2json-one-lsn-per-transaction"),
    ),
    # The two that follow need an epoch; without one a person is told.
    pytest.param(
        stories_of(ORA_REPEATS, "oracle-xstream-to-logminer"),
        [{"ID": 1, "V": "xstream"}],
        1,
        id="oracle-xstream-to-logminer: told",
        marks=pytest.mark.covers("case oracle-xstream-to-logminer"),
    ),
    pytest.param(
        stories_of(MY_REPEATS, "mysql-binlog-over-4gib"),
        [{"id": 1, "v": "before wrap"}],
        1,
        id="mysql-binlog-over-4gib: told",
        marks=pytest.mark.covers("case mysql-binlog-over-4gib"),
    ),
    pytest.param(
        stories_of(SS_REPEATS, "two-topics-of-one-table", keeps_topics=True),
        [
            {
                "id": number,
                "code": 9 if number in (1, 2) else 0,
                "v": "new" if number in (1, 2) else "old",
            }
            for number in (0, 1, 2, 4)
        ],
        0,
        id="two-topics-of-one-table",
        marks=pytest.mark.covers("case two-topics-of-one-table"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "two-topics-of-one-table-postgres", keeps_topics=True),
        [{"id": number, "v": "new" if number > 2 else "old"} for number in range(5)],
        0,
        id="two-topics-of-one-table-postgres",
        marks=pytest.mark.covers("case two-topics-of-one-table-postgres"),
    ),
    pytest.param(
        stories_of(MY_FOREIGN, "position-that-never-moves"),
        [{"id": 1, "name": "eins"}, {"id": 3, "name": "three again"}],
        0,
        id="position-that-never-moves",
        marks=pytest.mark.covers("case position-that-never-moves"),
    ),
    pytest.param(
        stories_of(MY_FOREIGN_KEYLESS, "position-that-never-moves"),
        [{"id": 1, "name": "eins"}, {"id": 3, "name": "three again"}],
        0,
        id="position-that-never-moves: keyless",
        marks=pytest.mark.covers("case position-that-never-moves"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "envelope-time-as-text"),
        [
            {"id": 1, "v": "ts_ms is text"},
            {"id": 2, "v": "no before, no transaction"},
            {"id": 3, "v": "added members"},
            {"id": 4, "v": "no source"},
        ],
        0,
        id="envelope-time-as-text",
        marks=pytest.mark.covers("case envelope-time-as-text"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "read-to-insert-transform"),
        [{"id": 1, "v": "open transaction, committed behind the snapshot"}],
        0,
        id="read-to-insert-transform",
        marks=pytest.mark.covers("case read-to-insert-transform"),
    ),
    pytest.param(
        stories_of(PG_REPEATS, "truncate-in-the-second-topic", keeps_topics=True),
        [{"id": 2, "v": "after"}],
        0,
        id="truncate-in-the-second-topic",
        marks=pytest.mark.covers("case truncate-in-the-second-topic"),
    ),
    pytest.param(
        stories_of(SS_REPEATS_KEYLESS, "keyless-two-snapshots-at-one-position"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
        id="keyless-two-snapshots-at-one-position",
        marks=pytest.mark.covers("case keyless-two-snapshots-at-one-position"),
    ),
    pytest.param(
        stories_of(MY_REPEATS_KEYLESS, "keyless-two-snapshots-mysql-2.1"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
        id="keyless-two-snapshots-mysql-2.1",
        marks=pytest.mark.covers("case keyless-two-snapshots-mysql-2.1"),
    ),
    pytest.param(
        stories_of(PG_REPEATS_KEYLESS, "keyless-snapshot-batch-repeated-verbatim"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
        id="keyless-snapshot-batch-repeated-verbatim",
        marks=pytest.mark.covers("case keyless-snapshot-batch-repeated-verbatim"),
    ),
    # No record tells that the snapshot saw the change: docs/limits.md.
    pytest.param(
        stories_of(PG_REPEATS_KEYLESS, "keyless-blocking-snapshot-overlap"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}, {"a": 2, "v": "y"}],
        0,
        id="keyless-blocking-snapshot-overlap: not told",
        marks=pytest.mark.covers("case keyless-blocking-snapshot-overlap"),
    ),
]
PARAMETERS = pytest.mark.parametrize(("stories", "rows", "unexplained"), CASES)


@PARAMETERS
def test_a_repeat_is_known_by_what_it_is_and_all_else_counts(built, stories, rows, unexplained):
    for story in stories:
        assert built.current(story) == sorted(rows, key=repr), story.name
        if story.told_on.key:
            assert built.replays(story)[1] == unexplained


@PARAMETERS
def test_the_reference_says_the_same(stories, rows, unexplained):
    (records,) = stories[0].batches
    case = stories[0].told_on
    got = fold(records, Config(case.connector, complete_before=True, keyless=not case.key))
    found = list(got.rows.values()) or [
        json.loads(text) for text, count in got.multiset.items() for _ in range(count)
    ]
    assert sorted((stories[0].unmarked(row) for row in found), key=repr) == sorted(rows, key=repr)
    assert sum(got.unexplained.values()) == unexplained
