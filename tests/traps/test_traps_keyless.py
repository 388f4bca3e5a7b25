"""Tables without a key: traps 23, 26, 27, 31 and 33 of the specification, and cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.cases.log import Log, again, late
from tests.cases.table import Table
from tests.cases.tables import column
from tests.support.examples import example
from tests.traps.listed_cases import A, stories_of

COLUMNS = [column("who"), column("what")]
AUDIT = Table(
    "pg_audit", "postgresql", COLUMNS, key=[], mark="who", table="public.audit_log", full=True
)
APPENDED = Table("pg_appended", "postgresql", COLUMNS, key=[], mark="who", table="public.audit_log")
SS_AUDIT = Table("ss_audit", "sqlserver", COLUMNS, key=[], mark="who", table="dbo.audit_log")

LOGIN = {"who": "x", "what": "login"}
LOGOUT = {"who": "x", "what": "logout"}


def rows_of(built: Any, story: Any, after: int | None = None) -> Counter[str]:
    """Return how often each `what` is there."""
    return Counter(row["what"] for row in built.current(story, after))


def of_run(name: str) -> dict[str, str]:
    return {"__debezium.context.runId": name}


# 26

documented = example("seq_postgres_no_primary_key")
EXAMPLE = AUDIT.story("example", documented[:1], documented[1:])
LONE_NULLS = AUDIT.story(
    "lone_nulls", Log("postgresql").add("c", None, 5, LOGIN).tombstone(None).records
)


def test_26_a_record_of_nulls_means_nothing(built):
    assert rows_of(built, EXAMPLE, 1) == {"login": 1}
    assert rows_of(built, EXAMPLE) == {}
    last = built.staged(EXAMPLE)[-1]
    assert (last["_cdc_op"], last["_cdc_key"], last["_cdc_errors"]) == ("tombstone", None, None)
    assert rows_of(built, LONE_NULLS) == {"login": 1}


# 23


def equal_rows(connector: str) -> Log:
    """Two equal rows, one of them ended, one changed, and all of it repeated."""
    log = (
        Log(connector).add("c", None, 10, LOGIN).add("c", None, 11, LOGIN).add("c", None, 12, LOGIN)
    )
    log.add("d", None, 20, before=LOGIN)
    log.add("u", None, 30, LOGOUT, before=LOGIN)
    log.records += again(log.records)
    return log


PG_EQUAL = AUDIT.story("equal", equal_rows("postgresql").records)
SS_EQUAL = SS_AUDIT.story("equal", equal_rows("sqlserver").records)
PG_EQUAL_CUT = AUDIT.story("equal_cut", *equal_rows("postgresql").cut(7))
copied = Log("postgresql")
for name in ("one", "one", "two", "two"):
    copied.add("c", None, 10, LOGIN, headers=of_run(name))
COPIED = AUDIT.story("copied", copied.records)
COPIED_CUT = AUDIT.story("copied_cut", *copied.cut(3))
DIFFERENT = AUDIT.story(
    "different", Log("postgresql").add("c", None, 10, LOGIN).add("c", None, 10, LOGOUT).records
)
rerun = Log("sqlserver").add("c", None, 10, LOGIN, headers=of_run("one"))
rerun.records += again(rerun.records)
RERUN = SS_AUDIT.story("rerun", rerun.records)
(looked,) = Log("postgresql").add("r", None, 100, LOGIN, snapshot="true", commit=None).records
# before Debezium 2.6 nothing tells the reads of two equal rows apart
EQUAL_READS = AUDIT.story("equal_reads", [looked, replace(looked, offset=1)])


@pytest.mark.parametrize("story", [PG_EQUAL, SS_EQUAL], ids=["postgresql", "sqlserver"])
def test_23_equal_rows_are_counted_and_their_repeats_are_not(built, story):
    assert rows_of(built, story) == {"login": 1, "logout": 1}


def test_23_a_repeat_cut_in_the_middle_changes_no_count(built):
    for run in (1, 2):
        assert rows_of(built, PG_EQUAL_CUT, run) == {"login": 1, "logout": 1}


@pytest.mark.parametrize("story", [COPIED, COPIED_CUT], ids=["in one batch", "in two batches"])
def test_23_equal_rows_at_one_position_are_told_apart_by_the_run_that_delivered_them(built, story):
    assert rows_of(built, story) == {"login": 2}


def test_23_a_change_that_its_record_tells_apart_counts_once_in_one_run_too(built):
    assert rows_of(built, RERUN) == {"login": 1}


def test_23_reads_of_old_versions_all_count(built):
    assert rows_of(built, EQUAL_READS) == {"login": 2}


def test_23_different_rows_at_one_position_are_no_repeats(built):
    assert rows_of(built, DIFFERENT) == {"login": 1, "logout": 1}


# 27, 31: truncates and repeated snapshots

TRUNCATED = AUDIT.story(
    "truncated",
    Log("postgresql")
    .add("c", None, 10, LOGIN, partition=1)
    .add("t", None, 20)
    .add("c", None, 30, LOGOUT, partition=2)
    .records,
    Log("postgresql").add("c", None, 15, LOGIN, partition=3).records,
)
READ_AGAIN = AUDIT.story(
    "read_again",
    Log("postgresql")
    .add("r", None, 100, LOGIN, snapshot="first", commit=None)
    .add("r", None, 100, LOGIN, snapshot="last", commit=None)
    .records,
    late(
        Log("postgresql")
        .add("c", None, 500, LOGIN)
        .add("r", None, 900, LOGOUT, snapshot="last", commit=None)
        .records,
        2,
    ),
    late(Log("postgresql").add("t", None, 1000).records, 4),
)


def test_27_a_truncate_empties_a_table_without_a_key_and_holds_against_late_rows(built):
    assert rows_of(built, TRUNCATED, 1) == {"logout": 1}
    assert rows_of(built, TRUNCATED) == {"logout": 1}


def test_27_a_truncate_behind_a_snapshot_empties_a_table_without_a_key(built):
    assert rows_of(built, READ_AGAIN) == {}


def test_31_of_a_table_without_a_key_the_latest_snapshot_is_all_there_is(built):
    assert rows_of(built, READ_AGAIN, 1) == {"login": 2}
    assert rows_of(built, READ_AGAIN, 2) == {"logout": 1}


# 33: without complete before images

PARTIAL = APPENDED.story(
    "partial",
    Log("postgresql")
    .add("c", None, 10, LOGIN)
    .add("c", None, 11, LOGIN)
    .add("d", None, 20, before={"who": "", "what": ""})
    .tombstone(None)
    .add("c", None, 10, LOGIN)
    .records,
)


def test_33_without_complete_before_images_rows_are_only_added(built):
    assert rows_of(built, PARTIAL) == {"login": 2}


# a `before` that lacks a value

LOB = Table(
    "ss_keyless_lob", "sqlserver", [A, column("note")], key=[], table="dbo.s_keyless_lob", mark="a"
)
STORIES_LOB = stories_of(LOB, "keyless-sqlserver-lob-before-3.6")


@pytest.mark.covers("case keyless-sqlserver-lob-before-3.6")
def test_a_row_whose_before_lacks_a_value_stays(built):
    """No record tells the NULL from one of the row: docs/limits.md, and `generate`."""
    for story in STORIES_LOB:
        assert built.current(story) == [
            {"a": 1, "note": "long text"},
            {"a": 2, "note": "long text"},
        ]


# The log, its topics, its truncates, and the topics once more beside the truncates.
MOST_SCANS = 4


@pytest.mark.parametrize("story", [TRUNCATED, PARTIAL], ids=lambda story: story.told_on.name)
def test_the_log_is_not_read_again_for_every_rule(built, story):
    plan = built.state_plan(story)

    assert 1 <= plan.count("LogicalRDD [") <= MOST_SCANS
    # numbering the rows of a topic would need all of them in one task
    assert "Window [" not in plan
