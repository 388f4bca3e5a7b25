"""Drops that end rows as truncates do: trap 27 of the specification."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference import KafkaRecord
from tests.cases.table import Story, Table
from tests.traps.listed_cases import ID, V, lines

# a table that is dropped and created anew

DROPPED = "mysql-drop-and-create"
# their stories share one table, and so its end
LIVES, SNAPSHOT = (
    Table(name, "mysql", [ID, V], table="shop.m_drop", has_catalog=True, definitions="my")
    for name in ("my_lives", "my_snapshot")
)

KEYLESS_LIVES = Table(
    "my_lives_keyless",
    "mysql",
    [ID, V],
    key=[],
    table="shop.m_drop",
    has_catalog=True,
    definitions="my",
)


def in_time() -> list[KafkaRecord]:
    """Return the records by the time at which they were made."""
    return sorted(lines(DROPPED), key=lambda record: record.timestamp_ms)


def lives(name: str, *batches: list[int], told_on: Table = LIVES) -> Story:
    """Tell the records in the order of these numbers."""
    records = in_time()
    if not told_on.key:
        records = [one if one.topic == "my" else replace(one, key=None) for one in records]
    parts = [[records[number] for number in batch] for batch in batches]
    return told_on.story(name, *parts, keeps_topics=True)


def preamble() -> Story:
    """Tell the DROP as the preamble of a snapshot has it."""
    records = in_time()
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
    lives("keyless", list(range(6)), told_on=KEYLESS_LIVES),
    lives("keyless_in_two", [0, 1, 2, 4], [3, 5], told_on=KEYLESS_LIVES),
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
