"""Which event of a document counts; further documented sequences: traps/test_traps_mongodb.py."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dbt_debezium_spark.mongodb.fields import Field, typed_values
from dbt_debezium_spark.mongodb.walk import Change, Walk
from reference import Config, KafkaRecord
from reference.documents import fold_documents
from tests.support.examples import example
from tests.support.mongodb_walk import resumed, walk_records

ANNE = {"_id": 1004, "first_name": "Anne", "last_name": "Kretchmar", "email": "annek@noanswer.org"}


def records_of(*names: str, last: int | None = None) -> list[KafkaRecord]:
    records = [one for one in example(*names) if one.topic.endswith(".customers")]
    return [one for one in records if last is None or one.offset <= last]


EJSON_TYPES = {
    "_id": {"$oid": "596e275826f08b2730779e1f"},
    "i32": 7,
    "i64": 9007199254740993,
    "dbl": 1.5,
    "dec": {"$numberDecimal": "12.3400"},
    "when": {"$date": "2019-05-27T13:58:28.123Z"},
    "old": {"$date": "0001-01-01T00:00:00Z"},
    "bin": {"$binary": {"base64": "a2Fma2E=", "subType": "00"}},
    "uuid": {"$binary": {"base64": "FA7YEzXgQXSX9OxmzllH2w==", "subType": "04"}},
    "ts": {"$timestamp": {"t": 1558965508, "i": 31}},
    "re": {"$regularExpression": {"pattern": "^a", "options": "i"}},
    "sub": {"a": {"b": None}},
    "arr": [1, 2, "x"],
    "mn": {"$minKey": 1},
    "mx": {"$maxKey": 1},
}
FULL = ("mongodb_3.6_create_with_schema", "mongodb_3.6_update_full_with_preimage")
RACES = "seq_mongodb_3.6_lookup_races"
# (records, documents, keys of incomplete ones)
TOLD: list[Any] = [
    (
        records_of("mongodb_1.1.2_update_patch"),
        [{"_id": 1004, "first_name": "Anne Marie"}],
        ["1004"],
    ),
    (records_of("mongodb_3.6_ejson_types"), [EJSON_TYPES], []),
    (records_of(*FULL), [ANNE | {"first_name": "Anne Marie"}], []),
    (records_of(RACES, last=10), [{"_id": 7, "n": 2}], []),
    (records_of(RACES, last=11), [{"_id": 7, "n": 2}], []),
    (records_of(RACES, last=12), [], []),
    (records_of("seq_mongodb_3.6_transaction_same_position"), [{"_id": 8, "b": 2}], ["8"]),
]


@pytest.mark.parametrize(("records", "documents", "incomplete"), TOLD)
def test_examples_end_as_their_notes_say(
    records: list[KafkaRecord], documents: list[dict[str, Any]], incomplete: list[str]
) -> None:
    walks = walk_records(records)
    texts = {key: walk.document_text() for key, walk in walks.items()}
    assert [json.loads(text) for text in texts.values() if text is not None] == documents
    assert [key for key, walk in walks.items() if walk.incomplete] == incomplete

    folded = fold_documents(records, Config("mongodb"))
    assert folded.documents == {key: text for key, text in texts.items() if text is not None}
    assert folded.incomplete == set(incomplete)


TOMBSTONE = Change("tombstone", "tombstone")


def text(**members: Any) -> str:
    return json.dumps({"_id": 1, **members})


def stream(
    op: str = "u", position: str | None = None, identity: str | None = None, **more: Any
) -> Change:
    return Change(op, "stream", position, identity or op, **more)


def update(identity: str, position: str | None = None, run: str | None = None, **to: Any) -> Change:
    """Return a change that sets these fields, which it has as JSON text."""
    told = json.dumps({"updatedFields": json.dumps(to)})
    return stream("u", position, identity, run_id=run, event_id=identity, update_description=told)


def created(position: str | None = None, **members: Any) -> Change:
    return stream("c", position, f"c {members}", after=text(**members))


def read(kind: str, run: str | None = None, **members: Any) -> Change:
    return Change("r", kind, identity="read", run_id=run, after=text(**members))


def placed(place: str, timestamp: int, op: str = "tombstone", **more: Any) -> Change:
    kind = "tombstone" if op == "tombstone" else "stream"
    return Change(op, kind, event_id=place, timestamp=timestamp, **more)


def walked(*changes: Change) -> Walk:
    walk = Walk("1")
    for change in changes:
        walk.take(replace(change))
    return walk


def ends(document: dict[str, Any] | None, *changes: Change, **told: Any) -> tuple[Any, ...]:
    """Return a row: the document without its id, what is walked, and what else is told."""
    return changes, document, {"replays": 0, "unexplained": 0, "incomplete": False, **told}


BORN, OLD, EMPTY = created(), created(a=0), created("1")
FIRST, SECOND = update("first", a=1), update("second", a=2)
EARLY, LATE = update("early", "2", a=1), update("late", a=2)
ONE_RUN = [BORN, *(update(f"{one}", run="one", a=one) for one in (1, 2, 1, 3))]
NEXT_RUN = [update("1", run="two", a=1)] * 2
WITHOUT_RUN = [replace(update("x", "2", run, a=1)) for run in (None, None, "x", "x")]
BELOW = [created("2"), update("later", "3", a=2), update("never seen", "1", a=1)]
SHARED = [EMPTY, update("first", "2", a=1), update("second", "2", a=2)]
BASELESS = [FIRST, read("incremental", b=1), stream("d"), SECOND]
UNREADABLE = json.dumps({"updatedFields": "{", "removedFields": ["a"]})
SENT, SENT_LATER = (replace(TOMBSTONE, timestamp=one) for one in (5, 6))
OF_A, OF_B = (placed(f"{one}:0:1", 7, "c", after=text()) for one in "ab")
# born in a partition and deleted in the other, where it was born again in the meantime
TWO_PARTITIONS = [replace(OF_A, timestamp=5), placed("b:0:3", 7, "d", position="2"), OF_A]
IN_ORDER = placed("a:0:1", 7, "u", position="2", identity="x", after=text())
OUT_OF_ORDER = {"position": "1", "identity": "y", "after": text()}

WALKS = {
    "a repeat without a position changes nothing": ends(
        {"a": 2}, BORN, FIRST, SECOND, FIRST, replays=1
    ),
    "equal identities of one run are different changes": ends({"a": 1}, *ONE_RUN[:4]),
    "each is repeated once": ends({"a": 3}, *ONE_RUN, *NEXT_RUN, replays=2),
    "a third one is a change": ends({"a": 1}, *ONE_RUN, *NEXT_RUN, NEXT_RUN[0], replays=2),
    "deliveries without a run count once": ends({"a": 1}, EMPTY, *WITHOUT_RUN, replays=2),
    "a position below the mark is a replay": ends({"a": 2}, *BELOW, replays=1, unexplained=1),
    "the first unexplained one is kept": ends(
        {"a": 2}, *BELOW, update("nor this", "2", a=0),
        replays=2, unexplained=2, first_unexplained="never seen",
    ),
    "changes share the position of their transaction": ends({"a": 2}, *SHARED),
    "and are repeated with it": ends({"a": 2}, *SHARED, SHARED[1], replays=1),
    "an upgraded connector repeats without a position what had one": ends(
        {"a": 2}, EMPTY, EARLY, replace(LATE, position="3"), update("early", a=1), replays=1
    ),
    "an old change of another partition is explained": ends(
        {}, IN_ORDER, placed("b:0:1", 7, "u", **OUT_OF_ORDER), replays=1
    ),
    "one of the same partition is not": ends(
        {}, IN_ORDER, placed("a:0:2", 7, "u", **OUT_OF_ORDER), replays=1, unexplained=1
    ),
    "a full read makes positions start again": ends(
        {"a": 0, "b": 1}, EARLY, LATE, read("full", a=0), LATE, EARLY, update("new", "1", b=1),
        replays=2,
    ),
    "a repeated full read does not": ends(
        {"a": 2}, read("full"), replace(LATE, position="2"), read("full"), update("e", "1", a=1),
        replays=2, unexplained=1,
    ),
    **{
        f"a {kind} read delivered twice is one read, run {run}": ends(
            {"a": 2}, read(kind, run), LATE, read(kind, run), replays=1
        )
        for kind in ("full", "incremental")
        for run in (None, "one")
    },
    "a lone tombstone lets everything after it count": ends({}, BORN, TOMBSTONE, BORN),
    "the tombstone of a delete says nothing": ends(
        None, EMPTY, stream("d", "2"), TOMBSTONE, TOMBSTONE, EMPTY, replays=1
    ),
    "a tombstone that a producer sends again deletes nothing": ends(
        {}, stream("d"), SENT, BORN, SENT
    ),
    "one of another time does": ends(None, stream("d"), SENT, BORN, SENT_LATER),
    "of equal times, a tombstone comes before events of another partition": ends(
        None, *TWO_PARTITIONS, placed("a:0:2", 7)
    ),
    "a tombstone belongs to the delete in its partition": ends(
        {}, *TWO_PARTITIONS, placed("b:0:4", 7)
    ),
    "a later one does not": ends(None, *TWO_PARTITIONS, placed("a:0:2", 8)),
    "nor is one lone after a birth in another partition": ends(
        {}, TWO_PARTITIONS[0], placed("a:0:2", 6, "d"), OF_B, placed("a:0:3", 7)
    ),
    "a change without its base is kept": ends({"a": 1}, FIRST, incomplete=True),
    "a read is a base": ends({"b": 1}, *BASELESS[:2]),
    "a deleted document is none": ends({"a": 2}, *BASELESS, incomplete=True),
    "the image before a change is a base": ends(
        {"a": 1, "b": 2}, replace(FIRST, before=text(b={"$numberLong": "2"}))
    ),
    "whatever was looked up": ends(
        {"a": 1, "b": 1}, created(b=2), replace(FIRST, before=text(b=1))
    ),
    "of a description that cannot be read nothing is applied": ends(
        {"a": 0}, OLD, stream(update_description=UNREADABLE), incomplete=True
    ),
    "an image that is no JSON is none": ends({"a": 0}, OLD, stream(after="{"), incomplete=True),
    **{
        f"an unknown patch is not guessed: {patch}": ends(
            {"a": 0}, OLD, stream(patch=patch), incomplete=True
        )
        for patch in ('{"$v": 2, "diff": {"u": {"a": 1}}}', "no json", "[1]")
    },
    "a patch that is a document is a base": ends(
        {"a": 5}, OLD, stream(patch="no json"), stream("u", None, "u2", patch='{"a": 5}')
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WALKS)
def test_a_walk_ends_with(case: str) -> None:
    changes, document, told = WALKS[case]
    walk = walked(*changes)
    assert json.loads(walk.document_text() or "null") == (
        None if document is None else {"_id": 1, **document}
    )
    assert {name: getattr(walk, name) for name in told} == told


def test_a_walk_goes_on_where_another_ended() -> None:
    second = resumed(walked(created("1", n={"$numberLong": "1"})))
    second.take(update("u", "2", m=2))
    assert second.document_text() == '{"_id":1,"m":2,"n":1}'


# members of a change after which nothing is known for sure
DAMAGED: list[dict[str, str]] = [
    {"after": '{"a":' * 2000 + "1" + "}" * 2000},
    {"after": '{"n":' + "9" * 5000 + "}"},
    {"update_description": '{"updatedFields":5}'},
    {"update_description": '{"truncatedArrays":[{}]}'},
    {"update_description": '{"updatedFields":{"' + "a." * 5000 + '":1}}'},
    {"patch": '{"$set":[1]}'},
]


@pytest.mark.parametrize("damaged", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_change_leaves_an_incomplete_document(damaged: dict[str, str]) -> None:
    walk = walked(OLD, stream(**damaged))
    assert json.loads(walk.document_text() or "")["_id"] == 1
    assert walk.incomplete


def test_a_change_deep_within_a_document_leaves_one() -> None:
    value = '{"b":' * 440 + "1" + "}" * 440
    deep = f'{{"updatedFields":{{"{".".join(["a"] * 199)}":{value}}}}}'
    walk = walked(BORN, stream(update_description=deep))
    assert (walk.document_text() or "").startswith('{"_id":1,"a":{"a"')


@pytest.mark.parametrize("kind", ["double", "string", "decimal(12,2)", "int", "timestamp"])
@pytest.mark.parametrize("value", ["9" * 400, '"\\ud800"', '{"$numberDecimal":"1E999999999"}'])
def test_a_value_that_no_column_holds_is_a_misfit_or_a_text(kind: str, value: str) -> None:
    walk = walked(stream("c", after=f'{{"_id":1,"v":{value}}}'))
    values, misfits = typed_values(walk.document(), [Field("v", "v", kind)])
    assert misfits == ["v"] or (kind == "string" and str(values["v"]).encode())
