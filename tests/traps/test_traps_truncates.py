"""Truncates, and drops that end rows as truncates do: trap 27 of the specification."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support.examples import example
from tests.traps.cases import Case, Story
from tests.traps.listed_cases import ID, V, lines
from tests.traps.records import again, late
from tests.traps.tables import PG_TRUNCATED, pg_log

# 27

truncated = example("seq_postgres_truncate_multi_partition")
partition_0 = [record for record in truncated if record.partition == 0]
partition_1 = [record for record in truncated if record.partition == 1]
TRUNCATES = {
    "in one batch": PG_TRUNCATED.story("truncate", truncated),
    "the truncate's partition first": PG_TRUNCATED.story("truncate_1_0", partition_1, partition_0),
    "the truncate's partition last": PG_TRUNCATED.story("truncate_0_1", partition_0, partition_1),
    "the truncate alone, then all rows": PG_TRUNCATED.story(
        "truncate_alone", truncated[2:3], truncated[:2] + truncated[3:]
    ),
}
TRUNCATE_REPEATED = PG_TRUNCATED.story(
    "truncate_repeated", truncated, [again(truncated)[2], again(truncated)[0]]
)
EXAMPLE_TRUNCATE = PG_TRUNCATED.story(
    "truncate_example",
    example("postgres_2.1.4_create_with_schema", "postgres_2.1.4_truncate_null_key"),
    late(pg_log().say("c", 1, 46523200, "reborn", commit=46523190).records, 2),
)
# one transaction truncates and loads anew; its truncate comes again, behind another commit
loaded = pg_log().say("c", 1, 10, "old")
loaded.add("t", None, 20, commit=15)
loaded.say("c", 1, 30, "new", commit=15)
loaded.add("t", None, 20, commit=17)
TRUNCATE_RESUMED = PG_TRUNCATED.story("truncate_resumed", loaded.records)
TRUNCATE_RESUMED_CUT = PG_TRUNCATED.story("truncate_resumed_cut", *loaded.cut(1, 3))
INTERLEAVED_TRUNCATE = PG_TRUNCATED.story(
    "truncate_interleaved",
    pg_log()
    .say("r", 1, 90, "read below", snapshot="incremental", commit=80)
    .say("r", 2, 300, "read above", snapshot="incremental", commit=290, partition=1)
    .add("t", None, 200, commit=150)
    .records,
)

around = pg_log().say("r", 1, 90, "read before", snapshot="last", commit=None, partition=1)
around.add("t", None, 200).say("r", 2, 5, "read", snapshot="last", commit=None)
around.say("u", 2, 10, "restored")
READ_AROUND = PG_TRUNCATED.story("truncate_between_reads", *around.cut(1))


def person(number):
    return {
        "id": number,
        "first_name": "Anne",
        "last_name": "Kretchmar",
        "email": "annek@noanswer.org",
    }


def test_27_a_truncate_that_tells_another_commit_is_the_same(built):
    for story in (TRUNCATE_RESUMED, TRUNCATE_RESUMED_CUT):
        assert built.values(story, "email") == {1: "new"}


@pytest.mark.covers("support PostgreSQL: truncates")
@pytest.mark.parametrize("how", TRUNCATES)
def test_27_a_truncate_removes_rows_by_position_whatever_landed_first(built, how):
    assert built.current(TRUNCATES[how]) == [person(3)]


def test_27_a_truncate_holds_against_rows_that_land_late(built):
    assert built.current(TRUNCATES["the truncate's partition first"], 1) == []
    assert built.current(TRUNCATES["the truncate's partition last"], 1) == [person(1), person(3)]
    assert built.current(TRUNCATES["the truncate alone, then all rows"], 1) == []


def test_27_a_repeated_truncate_removes_nothing_more(built):
    for run in (1, 2):
        assert built.current(TRUNCATE_REPEATED, run) == [person(3)]


def test_27_a_row_inserted_after_a_truncate_lives(built):
    assert built.current(EXAMPLE_TRUNCATE, 1) == []
    assert built.values(EXAMPLE_TRUNCATE, "email") == {1: "reborn"}


def test_27_reads_meet_a_truncate_by_their_place_in_the_stream(built):
    assert built.values(INTERLEAVED_TRUNCATE, "email") == {2: "read above"}


def test_27_a_full_read_behind_a_truncate_protects_its_row_and_one_before_it_does_not(built):
    assert built.values(READ_AROUND, "email", 1) == {1: "read before"}
    assert built.values(READ_AROUND, "email") == {2: "restored"}


# a table that is dropped and created anew

DROPPED = "mysql-drop-and-create"
# their stories share one table, and so its end
LIVES, SNAPSHOT = (
    Case(name, "mysql", [ID, V], table="shop.m_drop", has_catalog=True, definitions="my")
    for name in ("my_lives", "my_snapshot")
)

KEYLESS_LIVES = Case(
    "my_lives_keyless",
    "mysql",
    [ID, V],
    key=[],
    table="shop.m_drop",
    has_catalog=True,
    definitions="my",
)


def lives(name: str, *batches: list[int]) -> Story:
    """Tell the records in the order of these numbers, by the time at which they were made."""
    records = sorted(lines(DROPPED), key=lambda record: record.timestamp_ms)
    parts = [[records[number] for number in batch] for batch in batches]
    return LIVES.story(name, *parts, keeps_topics=True)


def keyless_lives(name: str, *batches: list[int]) -> Story:
    """Tell the same of a table without a key."""
    records = sorted(lines(DROPPED), key=lambda record: record.timestamp_ms)
    records = [one if one.topic == "my" else replace(one, key=None) for one in records]
    parts = [[records[number] for number in batch] for batch in batches]
    return KEYLESS_LIVES.story(name, *parts, keeps_topics=True)


def preamble() -> Story:
    """Tell the DROP as the preamble of a snapshot has it."""
    records = sorted(lines(DROPPED), key=lambda record: record.timestamp_ms)
    (drop,) = [record for record in records if '"DROP TABLE' in (record.value or "")]
    value = (drop.value or "").replace('"snapshot":"false"', '"snapshot":"true"')
    records[records.index(drop)] = replace(drop, value=value)
    return SNAPSHOT.story("preamble", records, keeps_topics=True)


STORIES_LIVES = [
    lives("whole", list(range(6))),
    lives("first_alone", [0, 1, 2], [3, 4], [5]),
    lives("drop_late", [0, 1, 2, 4, 5], [3]),
]
STORIES_KEYLESS = [
    keyless_lives("keyless", list(range(6))),
    keyless_lives("keyless_in_two", [0, 1, 2, 4], [3, 5]),
]
PREAMBLE = preamble()


def ends_staged(built: Any, story: Story) -> list[dict[str, Any]]:
    return [row for row in built.staged(story) if row["_cdc_op"] == "t"]


@pytest.mark.covers("case mysql-drop-and-create")
@pytest.mark.parametrize("story", STORIES_LIVES, ids=lambda story: story.name)
def test_a_drop_that_the_topic_of_schema_changes_dates_is_staged_as_a_truncate(built, story):
    (end,) = ends_staged(built, story)
    assert end["_cdc_topic"] == story.topics["my"]
    assert (end["_cdc_partition"], end["_cdc_offset"]) == (0, 1)
    assert end["_cdc_key"] is None and end["_cdc_errors"] is None
    assert end["_cdc_pos"] == end["_cdc_stream_pos"]
    first, second, third = (row["_cdc_pos"] for row in built.staged(story) if row["_cdc_key"])
    assert first < second < end["_cdc_pos"] < third


@pytest.mark.covers("case mysql-drop-and-create")
@pytest.mark.parametrize("story", STORIES_LIVES + STORIES_KEYLESS, ids=lambda story: story.name)
def test_rows_of_a_table_end_when_it_is_dropped(built, story):
    assert built.current(story) == [{"id": 2, "v": "second life"}]


@pytest.mark.covers("case mysql-drop-and-create")
def test_the_preamble_of_a_snapshot_drops_nothing(built):
    assert ends_staged(built, PREAMBLE) == []
    assert built.values(PREAMBLE, "v") == {1: "first life", 2: "second life"}
