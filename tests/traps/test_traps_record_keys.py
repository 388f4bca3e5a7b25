"""The key of a record, which names its row, another one or none: trap 10, and cases.

The forms of one key: `tests/cases/record_keys.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.cases.log import Log
from tests.cases.table import Story, Table
from tests.cases.tables import PG, SQLSERVER, column, pg_log, ss_log
from tests.traps.listed_cases import ID, A, V, lines, one_by_one, stories_of, whole
from tests.traps.named_columns import PG_NAMED, WITH_SCHEMA, named_key, named_row

# 10

PG_NO_KEY = PG.story(
    "no_key",
    pg_log().say("c", 4, 10, "a").add("u", None, 20, {"id": 4, "email": "no key"}).records,
)
SS_KEYLESS_DELETE = SQLSERVER.story(
    "no_key",
    ss_log()
    .say("c", 1, 10, "a")
    .add("d", None, 20, before={"id": 1, "first_name": "a", "last_name": "b", "email": "a"})
    .records,
)
PG_KEYLESS_DELETE = PG.story(
    "no_key_of_a_delete",
    pg_log().say("c", 1, 10, "a").add("d", None, 20, before={"id": 1, "first_name": ""}).records,
)
ordered = Log("postgresql")
ordered.add("c", named_key(4), 10, named_row(4))
ordered.add("u", dict(reversed(named_key(4).items())), 20, named_row(4, op="u"))
ordered.add(
    "u",
    {"schema": WITH_SCHEMA, "payload": dict(sorted(named_key(4).items()))},
    30,
    named_row(4, op="last"),
)
MEMBER_ORDER = PG_NAMED.story("member_order", ordered.records)


def test_10_an_update_without_a_key_takes_it_from_its_row(built):
    assert built.values(PG_NO_KEY, "email") == {4: "no key"}
    assert len(built.state(PG_NO_KEY)) == 1


def test_10_the_order_of_the_keys_members_does_not_matter(built):
    assert [values["op"] for values in built.current(MEMBER_ORDER)] == ["last"]


def test_10_a_delete_without_a_key_takes_it_from_a_complete_before_only(built):
    assert built.current(SS_KEYLESS_DELETE) == []
    assert built.values(PG_KEYLESS_DELETE, "email") == {1: "a"}
    assert built.staged(PG_KEYLESS_DELETE)[1]["_cdc_errors"] == ["record: no key"]


# a replica identity that is not the key

CODE = column("code")
NOT_THE_KEY = "replica-identity-index-not-the-key"
MADE_UP = "record: the replica identity may lack the key, which then is made up: "

# no marks: rows are told apart by their tables, as 0 is what connectors make up
UNDECLARED = Table("pg_index", "postgresql", [ID, CODE, V], mark=None)
INDEX = Table(
    "pg_index_told",
    "postgresql",
    [ID, CODE, V],
    mark=None,
    settings={"replica_identity": "index"},
)
DEFAULT = Table(
    "pg_index_denied",
    "postgresql",
    [ID, CODE, V],
    mark=None,
    settings={"replica_identity": "default"},
)
CUT = Table(
    "pg_index_cut",
    "postgresql",
    [ID, CODE, V],
    table="public.t_index",
    mark=None,
    has_catalog=True,
)


def without_evidence() -> Story:
    """Tell the delete of a row whose columns in the index are what a connector makes up, too."""
    records = lines(NOT_THE_KEY)
    records[2] = replace(records[2], value=(records[2].value or "").replace('"X"', '""'))
    return INDEX.story("whole", records)


REFUSED = [whole(UNDECLARED, NOT_THE_KEY), one_by_one(CUT, NOT_THE_KEY), without_evidence()]
BELIEVED = whole(DEFAULT, NOT_THE_KEY)


@pytest.mark.covers("case replica-identity-index-not-the-key")
@pytest.mark.parametrize("story", REFUSED, ids=lambda story: story.told_on.name)
def test_a_delete_whose_key_is_made_up_ends_no_other_row(built, story):
    assert [row["id"] for row in built.current(story)] == [0, 7]
    delete, tombstone = built.staged(story)[2:]
    for record in (delete, tombstone):
        assert record["_cdc_op"] is None
        (error,) = record["_cdc_errors"]
        assert error.startswith(MADE_UP)
        assert error.endswith('"payload":{"id":0}}')


@pytest.mark.covers("case replica-identity-index-not-the-key")
def test_a_key_that_configuration_vouches_for_is_believed(built):
    assert [row["id"] for row in built.current(BELIEVED)] == [7]
    assert [row["_cdc_errors"] for row in built.staged(BELIEVED)] == [None] * 4


# of the default identity `before` has the key, and of the other columns what their schema says
RIGHT_ZEROS, RIGHT_DEFAULTS = (
    Table(name, "postgresql", [ID, CODE, V], mark=None) for name in ("pg_zero", "pg_zero_default")
)


def delete_of_zero(case: Table, code: str, default: str = "") -> Story:
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


@pytest.mark.covers("case replica-identity-index-not-the-key")
@pytest.mark.parametrize("story", RIGHT, ids=lambda story: story.told_on.name)
def test_a_delete_of_the_row_with_that_key_is_one(built, story):
    assert [row["id"] for row in built.current(story)] == [7]
    assert [row["_cdc_errors"] for row in built.staged(story)] == [None] * 4


# texts of Kafka's StringConverter

STRING_KEYS = Table("pg_text_keys", "postgresql", [ID, V], mark=None)
STRING_KEYS_CUT = Table("pg_text_keys_cut", "postgresql", [ID, V], mark=None)
STRING_PAIRS = Table("pg_text_pairs", "postgresql", [A, column("b"), V], key=["a", "b"], mark=None)


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


@pytest.mark.covers("case string-converter-keys")
@pytest.mark.parametrize("story", STORIES_TEXT_KEYS, ids=lambda story: story.name)
def test_keys_of_a_text_converter_are_read(built, story):
    assert built.current(story) == [{"id": 1, "v": "c"}]
    assert [row["_cdc_errors"] for row in built.staged(story)] == [None] * 5


@pytest.mark.covers("case string-converter-keys")
def test_a_text_that_can_be_split_in_two_ways_names_the_row_of_its_image_or_none(built):
    assert built.current(STORY_PAIRS) == [
        {"a": 1, "b": "x", "v": "c"},
        {"a": 3, "b": "z,b=q", "v": "b"},
    ]
    errors = [row["_cdc_errors"] for row in built.staged(STORY_PAIRS)]
    assert errors[:4] + errors[5:] == [None] * 5
    assert errors[4] == ["record: the key is not (a, b): Struct{a=3,b=z,b=q}"]


NULL_KEY = Table(
    "pg_null_key", "postgresql", [column("a"), column("b"), V], key=["a", "b"], mark="b"
)
STORIES_NULL_KEY = stories_of(NULL_KEY, "null-in-key-member")


@pytest.mark.covers("case null-in-key-member")
def test_a_null_in_the_key_is_a_key(built):
    for story in STORIES_NULL_KEY:
        assert built.current(story) == [
            {"a": "", "b": "x", "v": "2"},
            {"a": None, "b": "x", "v": "3"},
        ]
