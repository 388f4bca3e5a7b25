"""Traps 34 to 36 of the specification: values that were not in the log."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.support.examples import START_MS, compact, example
from tests.traps.cases import Case
from tests.traps.records import GONE, Log, embedded_columns, late
from tests.traps.tables import SQLSERVER, column, row, ss_log

BASE64 = "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="
CODES = list(GONE.encode())
UUIDS = ["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]
MAP = {GONE: GONE}

TABLE = "public.articles"
DOCUMENTED = embedded_columns("postgres_3.6_update_unavailable_toast_with_schema")
UUID_ITEMS = {"type": "string", "semantic": "io.debezium.data.Uuid"}
MORE = [
    column("hs", "string", "io.debezium.data.Json"),
    column("blobs", "array", items={"type": "bytes"}),
    column("days", "array", items={"type": "int32", "semantic": "io.debezium.time.Date"}),
    column("smalls", "array", items={"type": "int16"}),
    column("old_uuids", "array", items=UUID_ITEMS),
]
ARTICLES = Case("pg_articles", "postgresql", DOCUMENTED + MORE, table=TABLE)
KNOWN: dict[str, Any] = {
    "title": "title",
    "body": "long body",
    "doc": '{"a": 1.10}',
    "blob": "AQID",
    "tags": ["x", None],
    "nums": [1, 2],
    "bignums": [9223372036854775807],
    "uuids": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    "attrs": {"k": "v", "n": None},
    "hs": '{"key":"val"}',
    "blobs": ["AQID", None],
    "days": [0, 17321],
    "smalls": [1, -1],
    "old_uuids": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
}
FORMS: dict[str, Any] = {
    "body": GONE,
    "doc": GONE,
    "blob": BASE64,
    "tags": [GONE],
    "nums": CODES,
    "bignums": CODES,
    "uuids": UUIDS,
    "attrs": MAP,
    "hs": compact(MAP),
    "blobs": [BASE64],
    "days": CODES,
    "smalls": CODES,
    "old_uuids": [GONE],
}


def image(number: int, **changes: Any) -> dict[str, Any]:
    return {"id": number, **KNOWN, **changes}


def articles() -> Log:
    return Log("postgresql")


def only_title(built: Any, story: Any, after: int | None = None) -> dict[Any, Any]:
    """Return (title, body) by key."""
    return {found["id"]: (found["title"], found["body"]) for found in built.current(story, after)}


# 34, 35: every form, in a batch and across batches

UPDATE = late(example("postgres_3.6_update_unavailable_toast_with_schema"), 1)
documented = image(9) | {name: None for name in ("hs", "blobs", "days", "smalls", "old_uuids")}
EXAMPLE = ARTICLES.story("example", articles().add("c", {"id": 9}, 10, documented).records + UPDATE)
EXAMPLE_CUT = ARTICLES.story(
    "example_cut", articles().add("c", {"id": 9}, 10, documented).records, UPDATE
)
forms = articles().add("c", {"id": 1}, 10, image(1))
forms.add("u", {"id": 1}, 20, image(1, title="new", **FORMS))
EVERY_FORM = ARTICLES.story("every_form", forms.records)
EVERY_FORM_CUT = ARTICLES.story("every_form_cut", *forms.cut(1))
chain = articles().add("c", {"id": 1}, 10, image(1))
chain.add("u", {"id": 1}, 20, image(1, title="2", **FORMS))
chain.add("u", {"id": 1}, 30, image(1, title="3", **FORMS | {"body": "new body"}))
chain.add("u", {"id": 1}, 40, image(1, title="4", **FORMS))
CHAIN = ARTICLES.story("chain", *chain.cut(2))
NEVER_KNOWN = ARTICLES.story(
    "never_known",
    articles().add("u", {"id": 1}, 10, image(1, **FORMS)).records,
    late(articles().add("u", {"id": 1}, 20, image(1, body="known", doc=GONE)).records, 1),
)
repeated = articles().add("c", {"id": 1}, 10, image(1))
repeated.add("u", {"id": 1}, 20, image(1, body="new body")).add("c", {"id": 1}, 10, image(1))
repeated.add("u", {"id": 1}, 30, image(1, title="last", body=GONE))
REPEATED = ARTICLES.story("repeated", repeated.records)
NEW_LIFE = ARTICLES.story(
    "new_life",
    articles()
    .add("c", {"id": 1}, 10, image(1))
    .add("d", {"id": 1}, 20, before={"id": 1, "title": "", "body": ""})
    .tombstone({"id": 1})
    .add("u", {"id": 1}, 30, image(1, title="other", body=GONE))
    .records,
)
INVENTED = ARTICLES.story(
    "invented_before",
    articles()
    .add("u", {"id": 1}, 10, image(1, body=GONE), before={"id": 1, "title": "", "body": ""})
    .records,
)


def unmarked_row(built: Any, story: Any) -> dict[str, Any]:
    (found,) = built.current(story)
    return found


@pytest.mark.parametrize("story", [EXAMPLE, EXAMPLE_CUT], ids=["in one batch", "in the next batch"])
def test_34_the_documented_update_keeps_every_value_it_does_not_carry(built, story):
    found = unmarked_row(built, story)
    assert found["title"] == "new title"
    assert found["body"] == "long body" and found["doc"] == '{"a": 1.10}'
    assert found["blob"] == b"\x01\x02\x03" and found["tags"] == ["x", None]
    assert found["nums"] == [1, 2] and found["bignums"] == [9223372036854775807]
    assert found["uuids"] == KNOWN["uuids"] and found["attrs"] == {"k": "v", "n": None}
    event = built.staged(story)[1]
    assert event["_cdc_unavailable"] == [c["name"] for c in DOCUMENTED[2:]]
    assert event["_cdc_errors"] is None
    assert [state["_cdc_unavailable"] for state in built.state(story)] == [None]


@pytest.mark.parametrize("name", FORMS)
def test_35_a_placeholder_is_known_in_the_encoding_of_its_column_before_decoding(built, name):
    created, updated = built.staged(EVERY_FORM)
    assert updated[name] is None
    assert name in updated["_cdc_unavailable"] and updated["_cdc_errors"] is None
    assert created[name] is not None
    for story in (EVERY_FORM, EVERY_FORM_CUT):
        found = unmarked_row(built, story)
        assert (found["title"], found[name]) == ("new", created[name])


def test_34_the_latest_value_that_was_said_is_carried_on(built):
    assert only_title(built, CHAIN, 1) == {1: ("2", "long body")}
    assert only_title(built, CHAIN) == {1: ("4", "new body")}
    assert unmarked_row(built, CHAIN)["nums"] == [1, 2]


def test_34_a_repeat_says_no_value(built):
    assert only_title(built, REPEATED) == {1: ("last", "new body")}


def test_34_a_value_nobody_said_is_null_and_listed_until_it_is_said(built):
    (first,) = built.state(NEVER_KNOWN, 1)
    assert first["body"] is None and sorted(first["_cdc_unavailable"]) == sorted(FORMS)
    (last,) = built.state(NEVER_KNOWN)
    assert (last["body"], last["doc"], last["_cdc_unavailable"]) == ("known", None, ["doc"])


def test_34_no_value_crosses_a_delete(built):
    assert only_title(built, NEW_LIFE) == {1: ("other", None)}


def test_33_an_invented_before_gives_no_value(built):
    assert only_title(built, INVENTED) == {1: ("title", None)}


# 35: what only looks like one

LOOKALIKES: dict[str, Any] = {
    "title": GONE + " ",
    "body": BASE64,
    "doc": json.dumps(GONE),
    "blob": "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZSA=",
    "tags": [GONE, "x"],
    "nums": CODES[:-1],
    "bignums": [*CODES, 0],
    "uuids": ["b68a35a7-17ad-35b3-af2a-ae46edb4545b"],
    "attrs": {GONE: "x"},
    "hs": '{"a":"' + GONE + '"}',
    "blobs": [BASE64, BASE64],
}
LOOKALIKE = ARTICLES.story(
    "lookalike", articles().add("c", {"id": 1}, 10, image(1, **LOOKALIKES)).records
)


def test_35_what_only_looks_like_a_placeholder_is_a_value(built):
    (event,) = built.staged(LOOKALIKE)
    assert event["_cdc_unavailable"] is None and event["_cdc_errors"] is None
    found = unmarked_row(built, LOOKALIKE)
    for name in ("title", "body", "doc", "tags", "nums", "bignums", "uuids", "attrs", "hs"):
        assert found[name] == LOOKALIKES[name]
    assert found["blob"] == GONE.encode() + b" " and found["blobs"] == [GONE.encode()] * 2


# 36: key changes


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


def test_36_a_repeated_change_of_the_key_does_not_take_away_what_was_written_since(built):
    assert only_title(built, MOVE_REPEATED) == {2: ("last", "new")}


def test_36_a_repeated_delete_ends_no_other_row_that_had_the_key(built):
    assert only_title(built, END_REPEATED) == {1: ("new", "other"), 2: ("moved", "long body")}
    assert only_title(built, END_REPEATED_ALONE) == {2: ("moved", "long body")}


@pytest.mark.parametrize("story", [SWAPPED, SWAPPED_CUT], ids=["in one batch", "in pieces"])
def test_36_rows_that_swap_keys_keep_their_values(built, story):
    assert only_title(built, story) == {1: ("moved", "two"), 2: ("moved", "one")}


# 34: complete before images, and a configured placeholder

OTHER = "…not sent…"
FULL = Case(
    "pg_full",
    "postgresql",
    [column("id", "int32"), column("title"), column("body"), column("blob", "bytes")],
    table=TABLE,
    full=True,
    options={"unavailable_value_placeholder": OTHER},
)
OTHER_BASE64 = "4oCmbm90IHNlbnTigKY="


def full(number: int, title: str, body: str, blob: str | None = "AQID") -> dict[str, Any]:
    return {"id": number, "title": title, "body": body, "blob": blob}


FIRST_SEEN = FULL.story(
    "first_seen",
    articles()
    .add(
        "u",
        {"id": 1},
        10,
        full(1, "new", OTHER, OTHER_BASE64),
        before=full(1, "old", "long body"),
    )
    .records,
)
BOTH_GONE = FULL.story(
    "both_gone",
    articles()
    .add("c", {"id": 1}, 10, full(1, "old", "long body"))
    .add(
        "u",
        {"id": 1},
        20,
        full(1, "new", OTHER, OTHER_BASE64),
        before=full(1, "old", OTHER, OTHER_BASE64),
    )
    .records,
)
DEFAULT_TEXT = FULL.story(
    "default_text", articles().add("c", {"id": 1}, 10, full(1, "t", GONE, BASE64)).records
)
DELETED_GONE = FULL.story(
    "deleted",
    articles()
    .add("c", {"id": 1}, 10, full(1, "old", "long body"))
    .add("d", {"id": 1}, 20, before=full(1, "old", OTHER, OTHER_BASE64))
    .records,
)


def test_34_the_complete_before_of_a_row_never_seen_gives_its_values(built):
    assert built.current(FIRST_SEEN) == [
        {"id": 1, "title": "new", "body": "long body", "blob": b"\x01\x02\x03"}
    ]
    assert [state["_cdc_unavailable"] for state in built.state(FIRST_SEEN)] == [None]


def test_34_a_placeholder_in_before_is_no_value_either(built):
    assert built.current(BOTH_GONE) == [
        {"id": 1, "title": "new", "body": "long body", "blob": b"\x01\x02\x03"}
    ]


def test_35_the_configured_text_is_the_placeholder_and_the_default_is_not(built):
    (found,) = built.current(DEFAULT_TEXT)
    assert (found["body"], found["blob"]) == (GONE, GONE.encode())


# SQL Server writes the placeholder into `before` of (max) columns (3.6)

SS_MAX = SQLSERVER.story(
    "max",
    ss_log()
    .say("c", 1, 10, "long")
    .add("u", {"id": 1}, 20, row(1, "longer"), before=row(1, GONE))
    .add("d", {"id": 1}, 30, before=row(1, GONE))
    .say("c", 2, 40, "long")
    .add("u", {"id": 2}, 50, row(2, "longer"), before=row(2, GONE))
    .records,
)


@pytest.mark.parametrize("story", [SS_MAX, DELETED_GONE], ids=["sqlserver", "postgresql"])
def test_34_the_placeholder_of_a_before_image_is_shown_nowhere(built, story):
    shown = [*built.staged(story), *built.current(story), *built.state(story)]
    texts = repr(shown)
    assert len(built.staged(story)) == len([r for batch in story.batches for r in batch])
    assert GONE not in texts and OTHER not in texts and repr(GONE.encode()) not in texts


def test_34_a_sqlserver_row_keeps_its_max_column(built):
    assert built.values(SS_MAX, "email") == {2: "longer"}
