"""A key that changes: traps 21, 36 and 37 of the specification."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.cases.log import GONE, Log, late
from tests.cases.tables import PG, SQLSERVER, customer, john, pg_log, ss_log
from tests.support.examples import START_MS, example
from tests.traps.articles import ARTICLES, articles, image, only_title

# 21

moved = example("seq_postgres_2.1.4_key_change")
born = pg_log().say("c", 1, 5, "a").records  # offset 0, as the examples begin at 10 and 40
PG_MOVED = PG.story("key_change", [*born, *moved])
PG_MOVED_CUT = PG.story("key_change_cut", [*born, moved[0]], moved[1:])
ss_moved = example("seq_sqlserver_2.1.4_key_change")
ss_born = ss_log().say("c", 1005, 5, "john.doe@example.org").records
SS_MOVED = SQLSERVER.story("key_change", [*ss_born, *ss_moved])
SS_MOVED_CUT = SQLSERVER.story("key_change_cut", [*ss_born, *ss_moved[:1]], ss_moved[1:])


@pytest.mark.covers("support PostgreSQL, SQL Server: key changes")
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


# 36: values that the row had under its former key


def renamed(headers: bool, to: int = 2, start: int = 1, position: int = 20) -> Log:
    """The three records of a key change that leaves `body` out."""
    log = articles()
    new = {"__debezium.newkey": f'{{"id":{to}}}'} if headers else None
    old = {"__debezium.oldkey": f'{{"id":{start}}}'} if headers else None
    log.add("d", {"id": start}, position, before={"id": start, "body": ""}, headers=new)
    log.tombstone({"id": start}, headers=new)
    return log.add("c", {"id": to}, position, image(to, title="moved", body=GONE), headers=old)


created = articles().add("c", {"id": 1}, 10, image(1)).records
MOVED = {
    f"{'with' if headers else 'without'} headers, {how}": ARTICLES.story(
        f"moved_{'headers' if headers else 'plain'}_{number}", *batches
    )
    for headers in (True, False)
    for number, (how, batches) in enumerate(
        {
            "in one batch": [created + late(renamed(headers).records, 1)],
            "in the next batch": [created, late(renamed(headers).records, 1)],
            "between delete and create": [
                created + late(renamed(headers).records, 1)[:2],
                late(renamed(headers).records, 1)[2:],
            ],
            "the create first": [
                created + late(renamed(headers).records, 1)[2:],
                late(renamed(headers).records, 1)[:2],
            ],
        }.items()
    )
}
# the forms of the header that converters write; of a binary one it is no text, and the place tells
SCHEMA = {"type": "struct", "fields": [{"type": "int32", "optional": False, "field": "id"}]}
HEADERS = {
    "a schema": json.dumps({"schema": SCHEMA, "payload": {"id": 1}}),
    "a struct's text": "Struct{id=1}",
    "no text": "\u0000\u0000\u0000\u0000\u0001\u0002",
    "a bare value": "7",
}
FORMS = {
    form: ARTICLES.story(
        f"moved_{form.replace(' ', '_').replace(chr(39), '')}",
        created
        + late(renamed(False).records[:2], 1)
        + late(
            [replace(renamed(True).records[2], headers=(("__debezium.oldkey", text),))],
            3,
        ),
    )
    for form, text in HEADERS.items()
}
CHAINED = ARTICLES.story(
    "moved_twice",
    created + late(renamed(True).records, 1),
    late(renamed(True, to=3, start=2, position=30).records, 4),
)
REUSED = ARTICLES.story(
    "key_reused",
    created
    + late(renamed(True).records, 1)
    + late(articles().add("c", {"id": 1}, 40, image(1, title="new", body="other")).records, 4),
)
# of two shards of a table, each with a topic: in one a key changes, in the other a row is deleted
# at the same position
shard = articles().add("c", {"id": 8}, 10, image(8, body="of another shard"))
shard.add("d", {"id": 8}, 20, before={"id": 8, "body": ""})
SHARDS = ARTICLES.story(
    "shards",
    created
    + late(renamed(False).records, 1)
    + [replace(record, topic="shard.2") for record in shard.records],
    keeps_topics=True,
)
# records go to another topic amid the change; one of the new key lands late, so that all of its
# keys are folded anew
rerouted = articles()
rerouted.records += renamed(False).records[2:]
rerouted.add("u", {"id": 2}, 25, image(2, title="late", body=GONE))
rerouted.add("u", {"id": 2}, 30, image(2, title="last", body=GONE))
in_next_topic = [replace(record, topic="next.2") for record in late(rerouted.records, 0)]
REROUTED = ARTICLES.story(
    "rerouted",
    created + late(renamed(False).records[:2], 1) + [in_next_topic[0], in_next_topic[2]],
    [in_next_topic[1]],
    keeps_topics=True,
)
# what the old key said lands in a later run than what the new key shows, in another partition
elsewhere = {
    headers: [replace(renamed(headers).records[2], partition=1, offset=0)]
    for headers in (True, False)
}
NEW_KEY_FIRST = {
    "with headers": ARTICLES.story(
        "new_key_first", elsewhere[True], created + late(renamed(True).records[:2], 1)
    ),
    "without headers": ARTICLES.story(
        "new_key_first_plain", created + elsewhere[False], late(renamed(False).records[:2], 1)
    ),
}
# compaction left of the old key what was read of it, and how it ended
READ_BEFORE = ARTICLES.story(
    "read_before",
    articles().add("r", {"id": 1}, 10, image(1), snapshot="last").tombstone({"id": 1}).records
    + late(renamed(True).records[2:], 2)
    + late(articles().add("c", {"id": 1}, 40, image(1, title="new", body="other")).records, 3),
)
# compaction left of the old key the row that took it later; another row had the new key before
taken_later = articles().add("c", {"id": 1}, 40, image(1, title="new", body="other")).records
TAKEN_LATER = ARTICLES.story(
    "taken_later",
    articles().add("c", {"id": 2}, 5, image(2, body="of the row before")).records
    + late(taken_later, 1)
    + late(renamed(True).records[2:], 2),
)
# compaction left both rows, and nothing between them
TAKEN_WITHOUT_AN_END = ARTICLES.story(
    "taken_without_an_end",
    created + late(renamed(True).records[2:], 1) + late(taken_later, 2),
)
# compaction left the row that had the old key before the renamed one
TAKEN_BEFORE = ARTICLES.story(
    "taken_before",
    created
    + late(articles().add("d", {"id": 1}, 15, before={"id": 1, "body": ""}).records, 1)
    + late(renamed(True).records[2:], 2),
)
# the change comes once more, after the row got a value of its own
moved_and_written = articles().add("u", {"id": 2}, 30, image(2, title="written", body="new"))
moved_and_written.records += renamed(True).records[2:]
moved_and_written.add("u", {"id": 2}, 40, image(2, title="last", body=GONE))
MOVE_REPEATED = ARTICLES.story(
    "move_repeated",
    created + late(renamed(True).records, 1) + late(moved_and_written.records, 4),
)
# the old key lives again, is read anew, and then the delete of the change comes once more
ended_again = articles().add("c", {"id": 1}, 40, image(1, title="new", body="other"))
ended_again.add("r", {"id": 1}, 40, image(1, title="new", body="other"), snapshot="last")
ended_again.records += renamed(True).records[:2]
END_REPEATED = ARTICLES.story(
    "end_repeated", created + late(renamed(True).records, 1) + late(ended_again.records, 4)
)
# behind a tombstone that stands for its delete even a repeat counts: here the delete of the change
ended_alone = articles().add("c", {"id": 1}, 40, image(1, title="new", body="other"))
ended_alone.tombstone({"id": 1}, at=START_MS + 9).records += renamed(True).records[:2]
END_REPEATED_ALONE = ARTICLES.story(
    "end_repeated_alone", created + late(renamed(True).records, 1) + late(ended_alone.records, 4)
)

swapped = articles().add("c", {"id": 1}, 10, image(1, body="one"))
swapped.add("c", {"id": 2}, 11, image(2, body="two"))
swap = late(renamed(True, to=9, start=1, position=20).records, 2)
swap += late(renamed(True, to=1, start=2, position=21).records, 5)
swap += late(renamed(True, to=2, start=9, position=22).records, 8)
SWAPPED = ARTICLES.story("swapped", swapped.records + swap)
SWAPPED_CUT = ARTICLES.story("swapped_cut", swapped.records + swap[:4], swap[4:])


@pytest.mark.parametrize("how", MOVED)
def test_36_a_value_is_found_under_the_former_key(built, how):
    assert only_title(built, MOVED[how]) == {2: ("moved", "long body")}


@pytest.mark.parametrize("form", FORMS)
def test_36_the_header_with_the_old_key_may_have_the_form_of_any_converter(built, form):
    born, _, _, moved = built.staged(FORMS[form])
    if form == "a struct's text":
        assert moved["_cdc_old_key"] == '{"id":1}'  # it stays as it is in every story
        return
    assert moved["_cdc_old_key"] == (born["_cdc_key"] if form == "a schema" else None)
    assert only_title(built, FORMS[form]) == {2: ("moved", "long body")}


def test_36_a_delete_in_the_topic_of_another_shard_is_no_origin(built):
    assert only_title(built, SHARDS) == {2: ("moved", "long body")}


def test_36_a_value_is_found_under_a_key_in_the_topic_before(built):
    assert only_title(built, REROUTED, 1) == {2: ("last", "long body")}
    assert only_title(built, REROUTED) == {2: ("last", "long body")}


def test_36_a_value_is_found_over_a_chain_of_keys(built):
    assert only_title(built, CHAINED, 1) == {2: ("moved", "long body")}
    assert only_title(built, CHAINED) == {3: ("moved", "long body")}


@pytest.mark.parametrize("how", NEW_KEY_FIRST)
def test_36_what_the_old_key_said_may_land_in_a_later_run(built, how):
    assert only_title(built, NEW_KEY_FIRST[how]) == {2: ("moved", "long body")}


def test_36_a_reused_key_keeps_its_own_values(built):
    assert only_title(built, REUSED) == {1: ("new", "other"), 2: ("moved", "long body")}


def test_36_a_read_tells_the_life_that_was_renamed(built):
    assert only_title(built, READ_BEFORE) == {1: ("new", "other"), 2: ("moved", "long body")}


def test_36_a_row_that_took_the_old_key_later_says_nothing_of_the_renamed_one(built):
    assert only_title(built, TAKEN_LATER) == {1: ("new", "other"), 2: ("moved", None)}
    assert only_title(built, TAKEN_WITHOUT_AN_END) == {
        1: ("new", "other"),
        2: ("moved", "long body"),
    }


def test_36_a_row_that_was_deleted_before_says_nothing_of_the_renamed_one(built):
    assert only_title(built, TAKEN_BEFORE) == {2: ("moved", None)}


def test_36_a_repeated_change_of_the_key_does_not_take_away_what_was_written_since(built):
    assert only_title(built, MOVE_REPEATED) == {2: ("last", "new")}


def test_36_a_repeated_delete_ends_no_other_row_that_had_the_key(built):
    assert only_title(built, END_REPEATED) == {1: ("new", "other"), 2: ("moved", "long body")}
    assert only_title(built, END_REPEATED_ALONE) == {2: ("moved", "long body")}


@pytest.mark.covers("support PostgreSQL: key changes")
@pytest.mark.parametrize("story", [SWAPPED, SWAPPED_CUT], ids=["in one batch", "in pieces"])
def test_36_rows_that_swap_keys_keep_their_values(built, story):
    assert only_title(built, story) == {1: ("moved", "two"), 2: ("moved", "one")}


# 37

OUTSIDE = PG.story(
    "key_outside_identity", pg_log().say("c", 1, 10, "a").say("u", 2, 20, "a", before=None).records
)


def test_37_the_old_key_of_a_column_outside_the_replica_identity_stays_alive(built):
    """Nothing in the log ends it: documented as a limit of such a configuration."""
    assert built.values(OUTSIDE, "email") == {1: "a", 2: "a"}
