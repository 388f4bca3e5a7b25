"""The documented sequences, and which event of a document counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.mongodb.fields import Field, typed_values
from dbt_debezium_spark.mongodb.walk import Change, Walk
from reference import Config, KafkaRecord
from reference.documents import fold_documents
from tests.support.examples import messages
from tests.support.mongodb_walk import walk_records
from tests.support.paths import EXAMPLES

ANNE = {"_id": 1004, "first_name": "Anne", "last_name": "Kretchmar", "email": "annek@noanswer.org"}


def records_of(*names: str, first: int | None = None, last: int | None = None) -> list[KafkaRecord]:
    records = []
    for name in names:
        for message in messages(name):
            offset = message.get("offset", len(records))
            if not message["topic"].endswith(".customers"):
                continue
            if (first is not None and offset < first) or (last is not None and offset > last):
                continue
            records.append(
                KafkaRecord(
                    message["topic"],
                    0,
                    offset,
                    1_700_000_000_000 + offset,
                    json.dumps(message["key"]),
                    None if message["value"] is None else json.dumps(message["value"]),
                )
            )
    return records


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
PATCHES = "seq_mongodb_1.1.2_patches"
STEPS: list[Any] = [
    {"first_name": "Anne", "address": {"city": "Oslo"}, "tags": ["a", "b", "c"], "tmp": 1},
    {"first_name": "Anne", "address": {"city": "Bergen"}, "tags": ["a", "B", "c"], "tmp": 1},
    {"first_name": "Anne", "address": {"city": "Bergen"}, "tags": ["a", "B", "c"]},
    {"first_name": "Zed"},
    {"first_name": "Zed", "prefs": {"news": True}},
]
RACES = "seq_mongodb_3.6_lookup_races"
# (records, documents, keys of incomplete ones)
TOLD: list[Any] = [
    (records_of("mongodb_1.1.2_read_with_schema"), [ANNE], []),
    (
        records_of("mongodb_1.1.2_read_with_schema", "mongodb_1.1.2_update_patch"),
        [ANNE | {"first_name": "Anne Marie"}],
        [],
    ),
    (
        records_of(
            "mongodb_1.1.2_read_with_schema", "mongodb_1.1.2_delete", "mongodb_1.1.2_tombstone"
        ),
        [],
        [],
    ),
    (
        records_of("mongodb_1.1.2_update_patch"),
        [{"_id": 1004, "first_name": "Anne Marie"}],
        ["1004"],
    ),
    (records_of("mongodb_3.6_create_with_schema"), [ANNE], []),
    (records_of("mongodb_3.6_snapshot_read"), [{"_id": 1001, "first_name": "Sally"}], []),
    (records_of("mongodb_3.6_ejson_types"), [EJSON_TYPES], []),
    (
        records_of("mongodb_3.6_create_with_schema", "mongodb_3.6_update_full_with_preimage"),
        [ANNE | {"first_name": "Anne Marie"}],
        [],
    ),
    (
        records_of("mongodb_3.6_create_with_schema", "mongodb_3.6_update_delta_only"),
        [
            ANNE
            | {
                "visits": 42,
                "last_seen": {"$date": "2019-05-27T13:58:30.123Z"},
                "address": {"city": "Bergen"},
                "tags": {"1": "B"},
            }
        ],
        [],
    ),
    (
        records_of("mongodb_3.6_create_with_schema", "mongodb_3.6_replace"),
        [{"_id": 1004, "first_name": "Zed"}],
        [],
    ),
    # the other dialect's key is the same document
    (
        records_of("mongodb_1.1.2_read_with_schema", "mongodb_3.6_replace"),
        [{"_id": 1004, "first_name": "Zed"}],
        [],
    ),
    *(
        (records_of(PATCHES, last=offset), [{"_id": 1004} | step], [])
        for offset, step in enumerate(STEPS)
    ),
    (records_of(RACES, last=10), [{"_id": 7, "n": 2}], []),
    (records_of(RACES, last=11), [{"_id": 7, "n": 2}], []),
    (records_of(RACES, last=12), [], []),
    (records_of(RACES), [], []),
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


def test_every_example_is_walked() -> None:
    named = {record.value for told in TOLD for record in told[0]}
    files = [path.stem for path in EXAMPLES.glob("*mongodb*.json")]
    assert files
    for name in files:
        assert {record.value for record in records_of(name)} <= named, name


def update(
    identity: str, fields: str, *, position: str | None = None, run: str | None = None
) -> Change:
    return Change(
        "u",
        "stream",
        position=position,
        identity=identity,
        run_id=run,
        event_id=identity,
        update_description=json.dumps({"updatedFields": fields}),
    )


def created(text: str, position: str | None = None) -> Change:
    return Change("c", "stream", position=position, identity=f"c {text}", after=text)


def walked(*changes: Change) -> Walk:
    walk = Walk("1")
    for change in changes:
        walk.take(change)
    return walk


def test_a_repeat_without_a_position_changes_nothing() -> None:
    walk = walked(
        created('{"_id": 1}'),
        update("first", '{"a": 1}'),
        update("second", '{"a": 2}'),
        update("first", '{"a": 1}'),
    )
    assert (walk.document_text(), walk.replays, walk.unexplained) == ('{"_id":1,"a":2}', 1, 0)


def test_equal_identities_of_one_run_are_different_changes() -> None:
    told = [
        created('{"_id": 1}'),
        update("same", '{"a": 1}', run="one"),
        update("other", '{"a": 2}', run="one"),
        update("same", '{"a": 1}', run="one"),
        update("last", '{"a": 3}', run="one"),
    ]
    assert walked(*told[:4]).document_text() == '{"_id":1,"a":1}'
    again = [update("same", '{"a": 1}', run="two"), update("same", '{"a": 1}', run="two")]
    assert walked(*told, *again).document_text() == '{"_id":1,"a":3}'
    third = update("same", '{"a": 1}', run="two")
    assert walked(*told, *again, third).document_text() == '{"_id":1,"a":1}'


def test_a_position_below_the_mark_is_a_replay_and_may_be_unexplained() -> None:
    walk = walked(
        created('{"_id": 1}', "2"),
        update("later", '{"a": 2}', position="3"),
        update("never seen", '{"a": 1}', position="1"),
    )
    assert (walk.document_text(), walk.replays, walk.unexplained) == ('{"_id":1,"a":2}', 1, 1)
    walk.take(update("nor this", '{"a": 0}', position="2"))
    assert (walk.unexplained, walk.first_unexplained) == (2, "never seen")


def test_several_changes_share_the_position_of_their_transaction() -> None:
    told = [
        created('{"_id": 1}', "1"),
        update("first", '{"a": 1}', position="2"),
        update("second", '{"a": 2}', position="2"),
    ]
    assert walked(*told).document_text() == '{"_id":1,"a":2}'
    assert walked(*told, told[1]).document_text() == '{"_id":1,"a":2}'


def test_a_lone_tombstone_lets_everything_after_it_count() -> None:
    walk = walked(created('{"_id": 1}'), Change("tombstone", "tombstone"), created('{"_id": 1}'))
    assert walk.document_text() == '{"_id":1}'
    assert walk.replays == 0


def test_the_tombstone_of_a_delete_says_nothing_however_often_it_comes() -> None:
    early = created('{"_id": 1}', "1")
    tombstone = Change("tombstone", "tombstone")
    walk = walked(early, Change("d", "stream", "2", identity="d"), tombstone, tombstone, early)
    assert (walk.document_text(), walk.replays) == (None, 1)


def test_a_change_without_its_base_is_kept_and_said_to_be_incomplete() -> None:
    walk = walked(update("first", '{"a": 1}'))
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":1}', True)
    walk.take(Change("r", "incremental", after='{"_id": 1, "b": 1}'))
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"b":1}', False)
    walk.take(Change("d", "stream", identity="d"))
    walk.take(update("second", '{"c": 1}'))
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"c":1}', True)


def test_the_image_before_a_change_is_a_base() -> None:
    change = update("first", '{"a": 1}')
    change.before = '{"_id": 1, "b": {"$numberLong": "2"}}'
    walk = walked(change)
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":1,"b":2}', False)


def test_the_image_before_a_change_is_its_base_whatever_was_looked_up() -> None:
    change = update("first", '{"a": 1}')
    change.before = '{"_id": 1, "b": 1}'
    walk = walked(created('{"_id": 1, "b": 2}'), change)
    assert walk.document_text() == '{"_id":1,"a":1,"b":1}'


def test_of_a_description_that_cannot_be_read_nothing_is_applied() -> None:
    told = json.dumps({"updatedFields": "{", "removedFields": ["a"]})
    cut = Change("u", "stream", identity="u", update_description=told)
    walk = walked(created('{"_id": 1, "a": 0}'), cut)
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":0}', True)


@pytest.mark.parametrize("patch", ['{"$v": 2, "diff": {"u": {"a": 1}}}', "no json", "[1]"])
def test_an_unknown_patch_is_not_guessed(patch: str) -> None:
    unknown = Change("u", "stream", identity="u", patch=patch)
    walk = walked(created('{"_id": 1, "a": 0}'), unknown)
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":0}', True)
    walk.take(Change("u", "stream", identity="u2", patch='{"a": 5}'))
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":5}', False)


def test_an_image_that_is_no_json_leaves_the_document_incomplete() -> None:
    walk = walked(created('{"_id": 1, "a": 0}'), Change("u", "stream", identity="u", after="{"))
    assert (walk.document_text(), walk.incomplete) == ('{"_id":1,"a":0}', True)


def test_an_upgraded_connector_repeats_without_a_position_what_had_one() -> None:
    walk = walked(
        created('{"_id": 1}', "1"),
        update("early", '{"a": 1}', position="2"),
        update("late", '{"a": 2}', position="3"),
        update("early", '{"a": 1}'),
    )
    assert (walk.document_text(), walk.replays, walk.unexplained) == ('{"_id":1,"a":2}', 1, 0)


def test_a_full_read_makes_positions_start_again_and_forgets_no_identity() -> None:
    read = Change("r", "full", identity="read", after='{"_id": 1, "a": 0}')
    early, late = update("early", '{"a": 1}', position="2"), update("late", '{"a": 2}')
    walk = walked(early, late, read, late, early, update("other", '{"b": 1}', position="1"))
    assert (walk.document_text(), walk.replays) == ('{"_id":1,"a":0,"b":1}', 2)


def test_a_repeated_full_read_lets_no_lower_position_count() -> None:
    read = Change("r", "full", identity="read", after='{"_id": 1, "a": 0}')
    late, early = (
        update("late", '{"a": 2}', position="2"),
        update("early", '{"a": 1}', position="1"),
    )
    walk = walked(read, late, read, early)
    assert (walk.document_text(), walk.replays, walk.unexplained) == ('{"_id":1,"a":2}', 2, 1)


@pytest.mark.parametrize("run", [None, "one"])
@pytest.mark.parametrize("kind", ["full", "incremental"])
def test_a_read_delivered_twice_is_one_read(kind: str, run: str | None) -> None:
    read = Change("r", kind, identity="read", run_id=run, after='{"_id": 1, "a": 0}')
    walk = walked(read, update("late", '{"a": 2}'), read)
    assert (walk.document_text(), walk.replays, walk.unexplained) == ('{"_id":1,"a":2}', 1, 0)


def test_a_tombstone_that_a_producer_sends_again_deletes_nothing():
    walk = Walk("1")
    again = Change("tombstone", "tombstone", timestamp=5)
    for event in (Change("d", "stream"), again, Change("c", "stream", after='{"_id": 1}'), again):
        walk.take(event)
    assert walk.alive
    walk.take(Change("tombstone", "tombstone", timestamp=6))
    assert not walk.alive


def test_a_walk_goes_on_where_another_ended() -> None:
    first = walked(created('{"_id": 1, "n": {"$numberLong": "1"}}', "1"))
    second = Walk("1")
    second.resume(
        document=first.document_text(),
        incomplete=first.incomplete,
        mark=first.mark,
        last_op=first.last_op,
        tombstone_at=first.tombstone_at,
        replays=first.replays,
        unexplained=first.unexplained,
        first_unexplained=first.first_unexplained,
    )
    second.take(update("u", '{"m": 2}', position="2"))
    assert second.document_text() == '{"_id":1,"m":2,"n":1}'


def placed(place: str, timestamp: int, op: str = "tombstone", **more: Any) -> Change:
    kind = "tombstone" if op == "tombstone" else "stream"
    return Change(op, kind, event_id=place, timestamp=timestamp, **more)


def test_of_equal_times_only_events_of_its_partition_come_before_a_tombstone() -> None:
    born = placed("a:0:1", 5, "c", after='{"_id": 1}')
    ended = placed("b:0:1", 7, "d", position="2")
    for tombstone, is_alive in (
        (placed("a:0:2", 7), False),
        (placed("b:0:2", 7), True),  # of the delete in its own partition
        (placed("a:0:2", 8), False),
    ):
        walk = Walk("1")
        for event in (born, ended, placed("a:0:3", 7, "c", after='{"_id": 1}'), tombstone):
            walk.take(event)
        assert walk.alive is is_alive
    walk = Walk("1")
    for event in (born, placed("a:0:2", 6, "d"), placed("b:0:1", 7, "c", after='{"_id": 1}')):
        walk.take(event)
    walk.take(placed("a:0:3", 7))  # of the delete in its own partition
    assert walk.alive


def test_an_old_change_is_explained_where_only_positions_order_it() -> None:
    for place, unexplained in (("b:0:1", 0), ("a:0:2", 1)):
        walk = Walk("1")
        walk.take(placed("a:0:1", 7, "u", position="2", identity="x", after='{"_id": 1}'))
        walk.take(placed(place, 7, "u", position="1", identity="y", after='{"_id": 1}'))
        assert (walk.replays, walk.unexplained) == (1, unexplained)


def test_deliveries_without_a_run_count_once() -> None:
    walk = Walk("1")
    walk.take(created('{"_id": 1, "n": 0}', "1"))
    for run in (None, None, "x", "x"):
        walk.take(Change("u", "stream", "2", "x", run, after='{"_id": 1, "n": 1}'))
    assert walk.replays == 2


DAMAGED = [
    Change("u", "stream", "1", "1", after='{"a":' * 2000 + "1" + "}" * 2000),
    Change("u", "stream", "1", "1", after='{"n":' + "9" * 5000 + "}"),
    Change("u", "stream", "1", "1", update_description='{"updatedFields":5}'),
    Change("u", "stream", "1", "1", update_description='{"truncatedArrays":[{}]}'),
    Change(
        "u", "stream", "1", "1", update_description='{"updatedFields":{"' + "a." * 5000 + '":1}}'
    ),
    Change("u", "stream", "1", "1", patch='{"$set":[1]}'),
]


@pytest.mark.parametrize("damaged", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_change_leaves_an_incomplete_document(damaged: Change) -> None:
    walk = Walk("1")
    walk.take(Change("c", "stream", "0", "0", after='{"_id":1,"a":2}'))
    walk.take(damaged)
    assert json.loads(walk.document_text() or "")["_id"] == 1
    assert walk.incomplete


def test_a_change_deep_within_a_document_leaves_one() -> None:
    walk = Walk("1")
    walk.take(Change("c", "stream", "0", "0", after='{"_id":1}'))
    value = '{"b":' * 440 + "1" + "}" * 440
    deep = f'{{"updatedFields":{{"{".".join(["a"] * 199)}":{value}}}}}'
    walk.take(Change("u", "stream", "1", "1", update_description=deep))
    assert (walk.document_text() or "").startswith('{"_id":1,"a":{"a"')


@pytest.mark.parametrize("kind", ["double", "string", "decimal(12,2)", "int", "timestamp"])
@pytest.mark.parametrize("value", ["9" * 400, '"\\ud800"', '{"$numberDecimal":"1E999999999"}'])
def test_a_value_that_no_column_holds_is_a_misfit_or_a_text(kind: str, value: str) -> None:
    walk = Walk("1")
    walk.take(Change("c", "stream", "0", "0", after=f'{{"_id":1,"v":{value}}}'))
    values, misfits = typed_values(walk.document(), [Field("v", "v", kind)])
    assert misfits == ["v"] or (kind == "string" and str(values["v"]).encode())
