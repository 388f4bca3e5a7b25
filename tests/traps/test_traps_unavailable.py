"""Values that were not in the log: traps 33 to 35 of the specification."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cases.log import GONE, late
from tests.cases.table import Table
from tests.cases.tables import SQLSERVER, column, row, ss_log
from tests.support.examples import example
from tests.traps.articles import (
    ARTICLES,
    BASE64,
    CODES,
    DOCUMENTED,
    FORMS,
    KNOWN,
    TABLE,
    articles,
    image,
    only_title,
)
from tests.traps.listed_cases import ID, stories_of

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


@pytest.mark.covers("support PostgreSQL: unavailable values")
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


# 34: complete before images, and a configured placeholder

OTHER = "…not sent…"
FULL = Table(
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


@pytest.mark.covers("support SQL Server 2.1: unavailable values")
def test_34_a_sqlserver_row_keeps_its_max_column(built):
    assert built.values(SS_MAX, "email") == {2: "longer"}


# a `before` that is complete since some moment

FULL_SINCE = "replica-identity-index-then-full"
CODE, NOTE = column("code"), column("note")
THEN_FULL = Table(
    "pg_then_full",
    "postgresql",
    [ID, CODE, NOTE],
    settings={
        "replica_identity": [{"is": "index"}, {"is": "full", "from": "2023-11-15T00:00:00Z"}]
    },
)
EVER_FULL = Table("pg_ever_full", "postgresql", [ID, CODE, NOTE], full=True)
STORIES_THEN_FULL = stories_of(THEN_FULL, FULL_SINCE)
(STORY_EVER_FULL, _) = stories_of(EVER_FULL, FULL_SINCE)


@pytest.mark.covers("case replica-identity-index-then-full")
def test_a_before_of_the_time_before_it_was_complete_is_not_trusted(built):
    for story in STORIES_THEN_FULL:
        assert built.values(story, "note") == {1: "BIG"}
    # what is wrong when it is declared without its moment
    assert built.values(STORY_EVER_FULL, "note") == {1: ""}
