"""Tombstones: traps 2, 24 and 25 of the specification."""

from __future__ import annotations

import pytest

from tests.cases.log import again, late
from tests.cases.tables import PG, SQLSERVER, john, pg_log, ss_log
from tests.support.examples import START_MS, example

# 2

TOMBSTONES = {
    "null": None,
    "an empty text": "",
    "the text null": "null",
    "an envelope of nulls": '{"schema":null,"payload":null}',
    "an envelope of nulls with spaces": '{"schema": null, "payload": null}',
    "a line's end": "\n",
    "the text null at a line's end": "null\r\n",
    "an indented envelope of nulls": '{\n\t"schema": null,\n\t"payload": null\n}\n',
}
tombstones = pg_log().say("c", 99, 10, "stays")
for number, form in enumerate(TOMBSTONES.values(), 1):
    tombstones.say("c", number, 10, "a").end(number, form)
PG_TOMBSTONES = PG.story("tombstones", tombstones.records)
LEGACY = SQLSERVER.story(
    "legacy_null",
    ss_log().say("c", 1005, 5, "a").records,
    late(example("common_legacy_null_envelope"), 1),
)
NULL_KEY = PG.story(
    "null_key", pg_log().say("c", 1, 10, "a").raw('{"schema":null,"payload":null}', None).records
)


@pytest.mark.parametrize("number", range(1, len(TOMBSTONES) + 1), ids=list(TOMBSTONES))
def test_02_a_tombstone_is_one_in_every_form(built, number):
    assert number not in built.values(PG_TOMBSTONES, "email")
    (event,) = [e for e in built.staged(PG_TOMBSTONES) if e["_cdc_offset"] == 2 * number]
    assert (event["_cdc_op"], event["_cdc_errors"]) == ("tombstone", None)


def test_02_what_is_no_tombstone_deletes_nothing(built):
    assert built.values(PG_TOMBSTONES, "email") == {99: "stays"}


def test_02_the_envelope_of_nulls_of_old_converters_deletes(built):
    assert built.values(LEGACY, "email", 1) == {1005: "a"}
    assert built.current(LEGACY) == []


def test_02_a_null_in_the_old_form_is_a_null_key_too(built):
    event = built.staged(NULL_KEY)[1]
    assert (event["_cdc_op"], event["_cdc_key"], event["_cdc_errors"]) == ("tombstone", None, None)
    assert built.values(NULL_KEY, "email") == {1: "a"}
    assert len(built.state(NULL_KEY)) == 1


OLD_DELETE = example(
    *(f"sqlserver_1.9.7_{name}" for name in ("create_with_schema", "update_payload_only")),
    *(f"sqlserver_1.9.7_{name}" for name in ("delete_payload_only", "tombstone")),
)
OLD_DELETED = SQLSERVER.story("old_deleted", OLD_DELETE[:2], OLD_DELETE[2:])


def test_02_a_tombstone_after_its_delete_says_nothing_new(built):
    assert [event["_cdc_op"] for event in built.staged(OLD_DELETED)] == ["c", "u", "d", "tombstone"]
    assert built.values(OLD_DELETED, "email", 1) == {1005: "noreply@example.org"}
    assert built.current(OLD_DELETED) == []
    assert built.replays(OLD_DELETED) == (0, 0)


# 24

ALONE = SQLSERVER.story("alone", example("sqlserver_2.1.4_tombstone"))
PG_ALONE = PG.story("alone", example("postgres_2.1.4_tombstone"))
COMPACTED = SQLSERVER.story(
    "compacted",
    example("sqlserver_2.1.4_create_with_schema"),
    late(example("sqlserver_2.1.4_tombstone"), 1),
)
RECREATED = PG.story(
    "recreated", pg_log().say("c", 1, 500, "a").end(1).say("c", 1, 10, "again").records
)


def test_24_a_tombstone_whose_delete_was_compacted_away_deletes(built):
    assert built.current(COMPACTED, 1) == [john(1005, "john.doe@example.org")]
    assert built.current(COMPACTED) == []


@pytest.mark.parametrize("story", [ALONE, PG_ALONE], ids=["sqlserver", "postgresql"])
def test_24_a_tombstone_that_is_all_there_is_makes_a_dead_key(built, story):
    assert built.current(story) == []
    assert [state["_cdc_is_deleted"] for state in built.state(story)] == [True]


def test_24_after_a_lone_tombstone_whatever_arrives_counts(built):
    assert built.values(RECREATED, "email") == {1: "again"}
    assert built.replays(RECREATED) == (0, 0)


# 25

first_life = pg_log().say("c", 1, 10, "first").say("d", 1, 20).end(1).records
second_life = late(pg_log().say("c", 1, 30, "second").records, 3)
ended = [record for record in first_life if record.value is None or '"op":"d"' in record.value]
TWO_LIVES = PG.story("two_lives", [*first_life, *second_life, *late(ended, 4)])
TWO_LIVES_CUT = PG.story("two_lives_cut", [*first_life, *second_life], late(ended, 4))
TWO_LIVES_TORN = PG.story(
    "two_lives_torn", [*first_life, *second_life, *late(ended[:1], 4)], late(ended[1:], 5)
)


@pytest.mark.parametrize(
    "story",
    [TWO_LIVES, TWO_LIVES_CUT, TWO_LIVES_TORN],
    ids=["in one batch", "in the next batch", "delete and tombstone in different batches"],
)
def test_25_a_repeated_delete_and_tombstone_of_an_earlier_life_hurt_no_later_one(built, story):
    assert built.values(story, "email") == {1: "second"}
    assert built.replays(story) == (1, 0)


# a row moves between two partitions of its table, each with a topic, and to and fro in both orders
MOVES = {}
for name, before, after in (("to the first", 1, 0), ("to the second", 0, 1)):
    moves = pg_log().say("c", 1, 10, "old", partition=before, offset=0)
    moves.say("d", 1, 20, partition=before, offset=1, at=START_MS + 5)
    moves.end(1, partition=before, offset=2, at=START_MS + 6)
    moves.say("c", 1, 21, "new", partition=after, offset=0, at=START_MS + 6)
    moves.say("d", 2, 30, partition=before, offset=3, at=START_MS + 9)
    moves.end(2, partition=before, offset=4, at=START_MS + 9)
    moves.say("c", 2, 31, "moved at once", partition=after, offset=1, at=START_MS + 9)
    first, rest = moves.records[:1], moves.records[1:]
    MOVES[name] = PG.story(f"moves_{after}", moves.records)
    MOVES[f"{name}, cut"] = PG.story(f"moves_{after}_cut", moves.records[:3], moves.records[3:])
    MOVES[f"{name}, new first"] = PG.story(
        f"moves_{after}_new_first",
        [*first, *(one for one in rest if one.partition == after)],
        [one for one in rest if one.partition == before],
    )


@pytest.mark.parametrize("story", MOVES.values(), ids=list(MOVES))
def test_25_a_row_that_moves_between_partitions_at_one_moment_stays(built, story):
    assert built.values(story, "email") == {1: "new", 2: "moved at once"}
    assert built.replays(story)[1] == 0


# a connector that ended between them reads the delete no more: the tombstone has another time
ENDED_AGAIN = PG.story(
    "ended_again", first_life, late([again(first_life)[2], again(first_life)[0]], 3)
)


def test_25_a_repeated_tombstone_lets_no_repeat_bring_its_row_back(built):
    assert built.current(ENDED_AGAIN) == []
    assert built.replays(ENDED_AGAIN) == (1, 0)
