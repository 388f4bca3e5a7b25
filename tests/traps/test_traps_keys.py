"""Keys that name another row or none, and tables that begin anew: tests/traps.yml, cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.traps.cases import Case, Story
from tests.traps.tables import column
from tests.traps.test_traps_repeats import lines, told

ID, V, CODE, A = column("id", "int32"), column("v"), column("code"), column("a", "int32")
NOT_THE_KEY = "replica-identity-index-not-the-key"
MADE_UP = "record: the replica identity may lack the key, which then is made up: "

# no marks: rows are told apart by their tables, as 0 is what connectors make up
UNDECLARED = Case("pg_index", "postgresql", [ID, CODE, V], mark=None)
INDEX = Case(
    "pg_index_told",
    "postgresql",
    [ID, CODE, V],
    mark=None,
    settings={"replica_identity": "index"},
)
DEFAULT = Case(
    "pg_index_denied",
    "postgresql",
    [ID, CODE, V],
    mark=None,
    settings={"replica_identity": "default"},
)
CUT = Case(
    "pg_index_cut",
    "postgresql",
    [ID, CODE, V],
    table="public.t_index",
    mark=None,
    has_catalog=True,
)


def whole(case: Case, name: str) -> Story:
    """Tell a case's records as they are, in one batch."""
    return case.story("whole", lines(name))


def one_by_one(case: Case, name: str) -> Story:
    """Tell them in as many batches as there are records."""
    return case.story("one_by_one", *[[record] for record in lines(name)])


def without_evidence() -> Story:
    """Tell the delete of a row whose columns in the index are what a connector makes up, too."""
    records = lines(NOT_THE_KEY)
    records[2] = replace(records[2], value=(records[2].value or "").replace('"X"', '""'))
    return INDEX.story("whole", records)


REFUSED = [whole(UNDECLARED, NOT_THE_KEY), one_by_one(CUT, NOT_THE_KEY), without_evidence()]
BELIEVED = whole(DEFAULT, NOT_THE_KEY)


@pytest.mark.parametrize("story", REFUSED, ids=lambda story: story.case.name)
def test_a_delete_whose_key_is_made_up_ends_no_other_row(built, story):
    assert [row["id"] for row in built.current(story)] == [0, 7]
    delete, tombstone = built.staged(story)[2:]
    for record in (delete, tombstone):
        assert record["_cdc_op"] is None
        (error,) = record["_cdc_errors"]
        assert error.startswith(MADE_UP)
        assert error.endswith('"payload":{"id":0}}')


def test_a_key_that_configuration_vouches_for_is_believed(built):
    assert [row["id"] for row in built.current(BELIEVED)] == [7]
    assert [row["_cdc_errors"] for row in built.staged(BELIEVED)] == [None] * 4


# of the default identity `before` has the key, and of the other columns what their schema says
RIGHT_ZEROS, RIGHT_DEFAULTS = (
    Case(name, "postgresql", [ID, CODE, V], mark=None) for name in ("pg_zero", "pg_zero_default")
)


def delete_of_zero(case: Case, code: str, default: str = "") -> Story:
    """Tell a delete of row 0 itself."""
    records = lines(NOT_THE_KEY)
    value = (records[2].value or "").replace('"code":"X"', f'"code":"{code}"')
    value = value.replace(
        '"optional":false,"field":"code"', f'"optional":false,{default}"field":"code"'
    )
    records[2] = replace(records[2], value=value)
    return case.story("whole", records)


RIGHT = [
    delete_of_zero(RIGHT_ZEROS, ""),
    delete_of_zero(RIGHT_DEFAULTS, "new", '"default":"new",'),
]


@pytest.mark.parametrize("story", RIGHT, ids=lambda story: story.case.name)
def test_a_delete_of_the_row_with_that_key_is_one(built, story):
    assert [row["id"] for row in built.current(story)] == [7]
    assert [row["_cdc_errors"] for row in built.staged(story)] == [None] * 4


FULL_SINCE = "replica-identity-index-then-full"
NOTE = column("note")
THEN_FULL = Case(
    "pg_then_full",
    "postgresql",
    [ID, CODE, NOTE],
    settings={
        "replica_identity": [{"is": "index"}, {"is": "full", "from": "2023-11-15T00:00:00Z"}]
    },
)
EVER_FULL = Case("pg_ever_full", "postgresql", [ID, CODE, NOTE], full=True)
STORIES_THEN_FULL = told(THEN_FULL, FULL_SINCE)
(STORY_EVER_FULL, _) = told(EVER_FULL, FULL_SINCE)


def test_a_before_of_the_time_before_it_was_complete_is_not_trusted(built):
    for story in STORIES_THEN_FULL:
        assert built.values(story, "note") == {1: "BIG"}
    # what is wrong when it is declared without its moment
    assert built.values(STORY_EVER_FULL, "note") == {1: ""}


STRING_KEYS = Case("pg_text_keys", "postgresql", [ID, V], mark=None)
STRING_KEYS_CUT = Case("pg_text_keys_cut", "postgresql", [ID, V], mark=None)
STRING_PAIRS = Case("pg_text_pairs", "postgresql", [A, column("b"), V], key=["a", "b"], mark=None)


def pairs() -> Story:
    """Tell rows with a key of two columns, one text of which can be split in two ways."""
    records = lines("string-converter-keys")
    texts = [("1", "x"), ("2", "y}"), ("1", "x"), ("3", "z,b=q")]

    def pair(number: int) -> dict[str, Any]:
        a, b = texts[number]
        value = (records[number].value or "").replace(
            '"after":{"id":1,', f'"after":{{"a":{a},"b":"{b}",'
        )
        value = value.replace('"after":{"id":2,', f'"after":{{"a":{a},"b":"{b}",')
        return {"key": f"Struct{{a={a},b={b}}}", "value": value}

    told_pairs = [replace(records[number], **pair(number)) for number in range(3)]
    # no delete of the last one: its text names two rows, its image one
    last = replace(records[1], offset=3, **pair(3))
    last = replace(
        last,
        value=(records[1].value or "").replace('"after":{"id":2,', '"after":{"a":3,"b":"z,b=q",'),
    )
    lost = replace(records[4], offset=4, key="Struct{a=3,b=z,b=q}")
    ended = replace(records[4], offset=5, key="Struct{a=2,b=y}}")
    return STRING_PAIRS.story("whole", [*told_pairs, last, lost, ended])


STORY_PAIRS = pairs()
STORIES_TEXT_KEYS = [
    whole(STRING_KEYS, "string-converter-keys"),
    one_by_one(STRING_KEYS_CUT, "string-converter-keys"),
]


@pytest.mark.parametrize("story", STORIES_TEXT_KEYS, ids=lambda story: story.name)
def test_keys_of_a_text_converter_are_read(built, story):
    assert built.current(story) == [{"id": 1, "v": "c"}]
    assert [row["_cdc_errors"] for row in built.staged(story)] == [None] * 5


def test_a_text_that_can_be_split_in_two_ways_names_the_row_of_its_image_or_none(built):
    assert built.current(STORY_PAIRS) == [
        {"a": 1, "b": "x", "v": "c"},
        {"a": 3, "b": "z,b=q", "v": "b"},
    ]
    errors = [row["_cdc_errors"] for row in built.staged(STORY_PAIRS)]
    assert errors[:4] + errors[5:] == [None] * 5
    assert errors[4] == ["record: the key is not (a, b): Struct{a=3,b=z,b=q}"]


NULL_KEY = Case(
    "pg_null_key", "postgresql", [column("a"), column("b"), V], key=["a", "b"], mark="b"
)
STORIES_NULL_KEY = told(NULL_KEY, "null-in-key-member")


def test_a_null_in_the_key_is_a_key(built):
    for story in STORIES_NULL_KEY:
        assert built.current(story) == [
            {"a": "", "b": "x", "v": "2"},
            {"a": None, "b": "x", "v": "3"},
        ]


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


@pytest.mark.parametrize("story", STORIES_LIVES, ids=lambda story: story.name)
def test_a_drop_that_the_topic_of_schema_changes_dates_is_staged_as_a_truncate(built, story):
    (end,) = ends_staged(built, story)
    assert end["_cdc_topic"] == story.topics["my"]
    assert (end["_cdc_partition"], end["_cdc_offset"]) == (0, 1)
    assert end["_cdc_key"] is None and end["_cdc_errors"] is None
    assert end["_cdc_pos"] == end["_cdc_stream_pos"]
    first, second, third = (row["_cdc_pos"] for row in built.staged(story) if row["_cdc_key"])
    assert first < second < end["_cdc_pos"] < third


@pytest.mark.parametrize("story", STORIES_LIVES + STORIES_KEYLESS, ids=lambda story: story.name)
def test_rows_of_a_table_end_when_it_is_dropped(built, story):
    assert built.current(story) == [{"id": 2, "v": "second life"}]


def test_the_preamble_of_a_snapshot_drops_nothing(built):
    assert ends_staged(built, PREAMBLE) == []
    assert built.values(PREAMBLE, "v") == {1: "first life", 2: "second life"}


# as the catalog says it: tests/lab/test_columns_again.py
AGAIN = Case("pg_again", "postgresql", [ID, {**V, "gone_until": "00000000000000000200"}])
STORIES_AGAIN = told(AGAIN, "column-dropped-and-added-again")
FILLED = Case(
    "pg_again_filled",
    "postgresql",
    [ID, {**V, "gone_until": "00000000000000000200", "added_default": "new"}],
)
(STORY_FILLED, _) = told(FILLED, "column-dropped-and-added-again")


def test_values_of_a_column_that_was_dropped_do_not_come_back(built):
    for story in STORIES_AGAIN:
        assert built.values(story, "v") == dict.fromkeys((1, 2, 3, 4))
    assert built.values(STORY_FILLED, "v") == {1: "new", 2: "new", 3: "new", 4: None}


LOB = Case(
    "ss_keyless_lob", "sqlserver", [A, column("note")], key=[], table="dbo.s_keyless_lob", mark="a"
)
STORIES_LOB = told(LOB, "keyless-sqlserver-lob-before-3.6")


def test_a_row_whose_before_lacks_a_value_stays(built):
    """No record tells the NULL from one of the row: docs/limits.md, and `generate`."""
    for story in STORIES_LOB:
        assert built.current(story) == [
            {"a": 1, "note": "long text"},
            {"a": 2, "note": "long text"},
        ]
