"""Traps of MongoDB: images, patches and deltas, the dialects of Extended JSON, repeats.

Stories share the models of one collection, each with its own topic and its own ids; a list of
records is what one run finds landed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.support.documents import Documents, LabDocuments
from tests.support.examples import START_MS, messages
from tests.support.lab import Lab

STEP = 10_000
RUNS = 3
FIELDS = [
    {"name": "first_name", "path": "first_name", "type": "string"},
    {"name": "city", "path": "address.city", "type": "string"},
    {"name": "n", "path": "n", "type": "int"},
    {"name": "last_seen", "path": "last_seen", "type": "timestamp"},
    {"name": "dec", "path": "dec", "type": "decimal(10,4)"},
    {"name": "sub", "path": "sub", "type": "json"},
]
LATER_MS = 1_900_000_000_000  # behind the boundary at which topics were created anew
MOVED_MS = 1_800_000_000_000
ANY = -1  # an offset or a time: the next one
STORIES: list[Story] = []


class Story:
    """What happened to some documents, in batches as they landed.

    The topic of a record is what stands behind the story's. Offsets go on in each topic.
    """

    def __init__(self, name: str, *batches: Sequence[KafkaRecord]) -> None:
        """Enter it, and give its ids, topic and places to its records."""
        self.name = name
        STORIES.append(self)
        self.number = len(STORIES)
        self._next: dict[str, int] = {}
        self.batches = [[self._marked(one) for one in batch] for batch in batches]

    @property
    def topic(self) -> str:
        return f"traps.inventory.{self.name}"

    def id(self, number: int) -> int:
        return self.number * STEP + number

    def _marked(self, record: KafkaRecord) -> KafkaRecord:
        offset = self._next.get(record.topic, 0) if record.offset == ANY else record.offset
        self._next[record.topic] = offset + 1
        return replace(
            record,
            topic=self.topic + record.topic,
            offset=offset,
            timestamp_ms=START_MS + offset if record.timestamp_ms == ANY else record.timestamp_ms,
            key=self._text(record.key),
            value=self._text(record.value),
        )

    def _text(self, text: str | None) -> str | None:
        for number in (1001, 1004):
            text = None if text is None else text.replace(str(number), str(self.id(number)))
        return text


def example(*names: str, first: int = 0, last: int | None = None) -> list[KafkaRecord]:
    """Return the records of example files, one after another; of sequences those between two."""
    records = [
        record(message["key"], message["value"])
        for message in (one for name in names for one in messages(name))
        if message["topic"].endswith(".customers")
    ]
    return records[first : None if last is None else last + 1]


def record(key: Any, value: Any, headers: Sequence[tuple[str, str]] = ()) -> KafkaRecord:
    text = None if value is None else json.dumps(value)
    # a story places it
    return KafkaRecord("", 0, ANY, ANY, json.dumps(key), text, tuple(headers))


def event(
    op: str,
    seconds: int,
    after: str | None = None,
    *,
    fields: str | None = None,
    key: str = "1004",
    version: str = "3.6.1.Final",
    run: str | None = None,
    source: dict[str, Any] | None = None,
    **members: Any,
) -> KafkaRecord:
    """Return a made event; `fields` is the text of an update description's updated fields."""
    if fields is not None:
        described = {"removedFields": None, "updatedFields": fields, "truncatedArrays": None}
        members["updateDescription"] = described
    block = {
        "version": version,
        "connector": "mongodb",
        "name": "traps",
        "ts_ms": 1_760_000_000_000 + seconds * 1000,
        "snapshot": "false",
        "db": "inventory",
        "collection": "customers",
        "ord": 1,
        **(source or {}),
    }
    if version.startswith("3.6") and op != "r":
        block["wallTime"] = block["ts_ms"]
    headers = [("__debezium.context.runId", run)] if run else []
    value = {"op": op, "ts_ms": 1, "source": block, "after": after, **members}
    return record({"id": key}, value, headers)


def born(n: int | None = None, number: int = 1004, **more: Any) -> KafkaRecord:
    """Return the insert of a document, in the first second."""
    document = {"_id": number} | ({} if n is None else {"n": n})
    return event("c", 1, json.dumps(document), key=str(number), **more)


def changed(seconds: int, **more: Any) -> KafkaRecord:
    """Return an update in a second, by its fields unless they say else."""
    return event("u", seconds, **more)


class Told:
    """The tables after each run."""

    def __init__(self, collection: Documents) -> None:
        """Stage and fold once per batch."""
        self.current: list[list[dict[str, Any]]] = []
        for run in range(1, RUNS + 1):
            for story in STORIES:
                if len(story.batches) >= run:
                    collection.land(story.batches[run - 1], run)
            collection.run()
            self.current.append(collection.rows("cur"))
        self.state = collection.rows("state")
        self.staged = collection.rows("stg")

    def documents(self, story: Story, run: int = RUNS) -> list[dict[str, Any]]:
        """Return the live documents of a story, their ids as they were told."""
        found = []
        for row in self.current[run - 1]:
            document = json.loads(row["document"])
            key = document["_id"]
            if isinstance(key, int) and key // STEP == story.number:
                found.append({**document, "_id": key % STEP})
        return sorted(found, key=lambda one: one["_id"])

    def row(self, story: Story, number: int = 1004) -> dict[str, Any]:
        """Return the row of a document in the state."""
        (row,) = [row for row in self.state if row["_cdc_key"] == str(story.id(number))]
        return row

    def errors(self, story: Story) -> list[str]:
        """Return what staging says is wrong."""
        rows = [row for row in self.staged if row["_cdc_topic"] == story.topic]
        return [error for row in rows for error in row["_cdc_errors"] or ()]


ANNE = {"_id": 1004, "first_name": "Anne", "last_name": "Kretchmar", "email": "annek@noanswer.org"}
CREATE = "mongodb_3.6_create_with_schema"
READ = "mongodb_1.1.2_read_with_schema"
PATCHES = "seq_mongodb_1.1.2_patches"
DELTA = "mongodb_3.6_update_delta_only"
OLD: dict[str, Any] = {"version": "1.1.2.Final"}
ORDERED: dict[str, Any] = {"version": "2.1.4.Final"}

created = Story("created", example(CREATE, "mongodb_3.6_snapshot_read"))
deltas = Story("deltas", example(CREATE), example(DELTA))
races = Story("races", example("seq_mongodb_3.6_lookup_races"))
patches = Story(
    "patches",
    example(PATCHES, last=1),
    example(PATCHES, first=2, last=3),
    example(PATCHES, first=4),
)
old_style = Story(
    "old_style",
    example(READ),
    example("mongodb_1.1.2_update_patch"),
    example("mongodb_1.1.2_delete", "mongodb_1.1.2_tombstone"),
)
replaced = Story("replaced", example(CREATE, "mongodb_3.6_replace"))
upgraded = Story("upgraded", example(READ), example(DELTA), example("mongodb_3.6_replace"))
lookups = Story(
    "lookups",
    [
        changed(1, after='{"_id": 1004, "n": 2}', fields='{"n": 1}'),
        changed(2, fields='{"n": 2}'),
    ],
    [changed(1, after='{"_id": 1004, "n": 3}', fields='{"n": 1}')],
    [event("d", 3)],
)
arrays = Story(
    "arrays",
    [
        event("c", 1, '{"_id": 1004, "tags": ["a"], "map": {}}'),
        changed(2, fields='{"tags.0": "x", "tags.2": "z", "map.0": "y"}'),
    ],
)
IN_ONE: dict[str, Any] = {"source": {"lsid": "s", "txnNumber": 5}}
transaction = Story(
    "transaction",
    [born()],
    [changed(2, fields='{"b": 1}', **IN_ONE), changed(2, fields='{"b": 2}', **IN_ONE)],
    # the batch ends within what a restarted connector repeats
    [changed(2, fields='{"b": 1}', **IN_ONE)],
)
equal_changes = Story(
    "equal_changes",
    [
        born(run="one"),
        changed(2, fields='{"n": 1}', run="one"),
        changed(2, fields='{"n": 2}', run="one"),
    ],
    [changed(2, fields='{"n": 1}', run="one")],
    [changed(2, fields='{"n": 2}', run="two")],
)
positions = Story(
    "positions",
    [
        event("c", 5, '{"_id": 1004, "n": 5}', **ORDERED),
        changed(7, fields='{"n": 7}', **ORDERED),
    ],
    [changed(7, fields='{"n": 7}', **ORDERED), changed(6, fields='{"n": 6}', **ORDERED)],
)
late = Story(
    "late",
    [replace(changed(2, fields='{"n": 2}'), offset=1)],
    [changed(3, fields='{"m": 3}')],
    [replace(event("c", 1, '{"_id": 1004, "n": 1, "kept": true}'), offset=0)],
)
incomplete = Story(
    "incomplete",
    [changed(1, fields='{"n": 1}'), changed(1, key="1001", fields='{"n": 1}')],
    [changed(2, fields='{"m": 2}')],
    [event("r", 3, '{"_id": 1004, "n": 9}', source={"snapshot": "incremental"})],
)
diffs = Story(
    "diffs",
    [born(1, **OLD), changed(2, patch='{"$v": 2, "diff": {"u": {"n": 2}}}', **OLD)],
)
pre_images = Story("pre_images", [changed(1, before='{"_id": 1004, "a": 1}', fields='{"n": 1}')])
misfits = Story("misfits", [event("c", 1, '{"_id": 1004, "n": "many"}')])
compacted = Story(
    "compacted",
    [born(), born(number=1001)],
    [record({"id": "1004"}, None), record({"id": "1001"}, None)],
    [born()],
)
restored = Story(
    "restored",
    [
        event("c", 5, '{"_id": 1004, "n": 5}', **ORDERED),
        changed(7, fields='{"n": 7}', **ORDERED),
    ],
    [changed(1, fields='{"n": 1}', **ORDERED)],
)
recreated = Story(
    "recreated",
    [born(1), changed(2, fields='{"n": 2}')],
    [replace(changed(3, fields='{"m": 3}'), offset=0, timestamp_ms=LATER_MS)],
    [replace(changed(4, fields='{"n": 4}'), timestamp_ms=LATER_MS + 1)],
)
read_as_insert = Story(
    "read_as_insert",
    [
        changed(5, after='{"_id": 1004, "n": 5}', **ORDERED),
        event("c", 6, '{"_id": 1004, "n": 6}', source={"snapshot": "last"}, **ORDERED),
        changed(1, fields='{"n": 1}', **ORDERED),
    ],
)
SECOND = [
    replace(one, topic=".2", timestamp_ms=MOVED_MS + number)
    for number, one in enumerate(
        (
            changed(2, fields='{"n": 2}'),
            changed(3, key="1001", fields='{"m": 3}'),
            changed(4, key="1001", fields='{"n": 4}'),
        )
    )
]
moved = Story(
    "moved",
    [replace(born(1), offset=5), born(1, number=1001), SECOND[0]],
    SECOND[1:2],
    [replace(SECOND[2], offset=7)],
)
types = Story("types", example("mongodb_3.6_ejson_types"))


@pytest.fixture(scope="module")
def told(lab_spark: SparkSession) -> Told:
    """All stories, run by run."""
    return Told(
        LabDocuments(
            Lab(lab_spark),
            topics=[story.topic for story in STORIES] + [f"{moved.topic}.2"],
            fields=FIELDS,
            options={
                "epochs": [{"topic": restored.topic, "offsets": {"0": 2}}],
                "incarnations": ["2030-01-01T00:00:00Z"],
            },
        )
    )


def test_43_images_are_json_within_json(told: Told) -> None:
    assert told.documents(created) == [{"_id": 1001, "first_name": "Sally"}, ANNE]
    assert told.row(created)["first_name"] == "Anne"


def test_44_an_update_without_an_image_changes_the_document_that_is_known(told: Told) -> None:
    assert told.documents(deltas, 2) == [
        ANNE
        | {
            "visits": 42,
            "last_seen": {"$date": "2019-05-27T13:58:30.123Z"},
            "address": {"city": "Bergen"},
            "tags": {"1": "B"},
        }
    ]
    assert told.row(deltas)["city"] == "Bergen"
    moment = datetime(2019, 5, 27, 13, 58, 30, 123000, UTC)
    assert told.row(deltas)["last_seen"].astimezone(UTC) == moment


@pytest.mark.covers("support MongoDB: unavailable values")
def test_44_a_change_without_its_base_is_kept_and_reported_until_a_full_image(told: Told) -> None:
    assert told.documents(incomplete, 2) == [{"_id": 1001, "n": 1}, {"_id": 1004, "n": 1, "m": 2}]
    assert told.documents(incomplete, 3) == [{"_id": 1001, "n": 1}, {"_id": 1004, "n": 9}]
    assert told.row(incomplete, 1001)["_cdc_unavailable"] == ["document"]
    assert told.row(incomplete)["_cdc_unavailable"] is None


def test_44_a_pre_image_is_the_base_of_a_change(told: Told) -> None:
    assert told.documents(pre_images) == [{"_id": 1004, "a": 1, "n": 1}]
    assert told.row(pre_images)["_cdc_unavailable"] is None


def test_45_a_looked_up_image_may_be_newer_and_its_repeat_newer_still(told: Told) -> None:
    assert told.documents(lookups, 1) == [{"_id": 1004, "n": 2}]
    assert told.documents(lookups, 2) == [{"_id": 1004, "n": 2}]
    assert told.documents(lookups, 3) == []
    assert told.row(lookups)["_cdc_fold_replays"] == 1


def test_45_a_lookup_that_finds_nothing_leaves_the_document_until_its_delete(told: Told) -> None:
    assert not [row for row in told.current[0] if row["_id"] == "7"]
    (row,) = [row for row in told.state if row["_cdc_key"] == "7"]
    assert row["_cdc_is_deleted"] and row["document"] is None


@pytest.mark.covers("support MongoDB: rows")
def test_46_a_patch_without_operators_is_the_whole_document(told: Told) -> None:
    assert told.documents(patches, 1)[0]["address"] == {"city": "Bergen"}
    assert told.documents(patches, 1)[0]["tags"] == ["a", "B", "c"]
    assert told.documents(patches, 2) == [{"_id": 1004, "first_name": "Zed"}]
    assert told.documents(patches, 3) == [
        {"_id": 1004, "first_name": "Zed", "prefs": {"news": True}}
    ]


def test_46_a_diff_of_a_newer_server_is_reported_and_not_guessed(told: Told) -> None:
    assert told.documents(diffs) == [{"_id": 1004, "n": 1}]
    assert told.row(diffs)["_cdc_unavailable"] == ["document"]
    assert [error.split(":")[0] for error in told.errors(diffs)] == ["patch"]


def test_47_an_update_without_a_description_replaces_the_document(told: Told) -> None:
    assert told.documents(replaced) == [{"_id": 1004, "first_name": "Zed"}]


def test_48_a_number_in_a_path_is_a_place_in_an_array_and_else_a_field(told: Told) -> None:
    assert told.documents(arrays) == [{"_id": 1004, "tags": ["x", None, "z"], "map": {"0": "y"}}]


@pytest.mark.covers("support MongoDB: types")
def test_49_every_dialect_gives_one_document(told: Told) -> None:
    (row,) = [row for row in told.current[-1] if row["_id"].startswith('{"$oid"')]
    assert row["_id"] == '{"$oid":"596e275826f08b2730779e1f"}'
    document = json.loads(row["document"])
    assert document["i64"] == 9007199254740993
    assert document["when"] == {"$date": "2019-05-27T13:58:28.123Z"}
    assert document["bin"] == {"$binary": {"base64": "a2Fma2E=", "subType": "00"}}
    assert list(document) == sorted(document)
    assert str(row["dec"]) == "12.3400"
    assert row["sub"] == '{"a":{"b":null}}'


def test_49_a_connector_upgrade_doubles_no_document(told: Told) -> None:
    assert told.documents(upgraded, 1) == [ANNE]
    assert len(told.documents(upgraded, 2)) == 1
    assert told.documents(upgraded, 2)[0]["visits"] == 42
    assert told.documents(upgraded, 3) == [{"_id": 1004, "first_name": "Zed"}]


def test_19_changes_of_a_transaction_share_their_position_and_arrive_in_order(told: Told) -> None:
    assert told.documents(transaction, 2) == [{"_id": 1004, "b": 2}]
    assert told.documents(transaction, 3) == [{"_id": 1004, "b": 2}]
    assert told.row(transaction)["_cdc_fold_replays"] == 1


def test_19_equal_changes_of_one_connector_run_are_two(told: Told) -> None:
    assert told.documents(equal_changes, 1) == [{"_id": 1004, "n": 2}]
    assert told.documents(equal_changes, 2) == [{"_id": 1004, "n": 1}]
    assert told.documents(equal_changes, 3) == [{"_id": 1004, "n": 1}]


@pytest.mark.covers("support MongoDB: repeats")
def test_19_positions_tell_repeats_up_to_3_3(told: Told) -> None:
    assert told.documents(positions) == [{"_id": 1004, "n": 7}]
    row = told.row(positions)
    assert (row["_cdc_fold_replays"], row["_cdc_fold_unexplained"]) == (2, 1)


def test_20_a_declared_epoch_lets_lower_positions_of_documents_count(told: Told) -> None:
    assert told.documents(restored) == [{"_id": 1004, "n": 1}]
    assert told.row(restored)["_cdc_fold_replays"] == 0


def test_a_topic_created_anew_goes_on_after_the_old_one(told: Told) -> None:
    assert told.documents(recreated, 2) == [{"_id": 1004, "n": 2, "m": 3}]
    assert told.documents(recreated, 3) == [{"_id": 1004, "n": 4, "m": 3}]
    assert told.row(recreated)["_cdc_fold_last_incarnation"] == 1


def test_a_read_that_a_transform_writes_as_an_insert_begins_positions_anew(told: Told) -> None:
    assert told.documents(read_as_insert) == [{"_id": 1004, "n": 1}]
    assert told.row(read_as_insert)["_cdc_fold_replays"] == 0


@pytest.mark.covers("case mongodb-collection-in-two-topics")
def test_a_collection_goes_on_in_a_second_topic(told: Told) -> None:
    """Offsets of the second begin below those of the first, and are never compared with them."""
    first, second = {"_id": 1001, "n": 1}, {"_id": 1004, "n": 2}
    assert told.documents(moved, 1) == [first, second]
    assert told.documents(moved, 2) == [first | {"m": 3}, second]
    assert told.documents(moved, 3) == [first | {"m": 3, "n": 4}, second]
    assert told.row(moved, 1001)["_cdc_fold_last_topic"] == f"{moved.topic}.2"
    assert told.row(moved)["_cdc_fold_replays"] == 0


def test_24_a_tombstone_alone_deletes_and_what_follows_it_counts(told: Told) -> None:
    assert told.documents(compacted, 2) == []
    assert told.documents(compacted, 3) == [{"_id": 1004}]


def test_a_late_base_is_put_under_the_changes_that_came_before_it(told: Told) -> None:
    assert told.documents(late, 2) == [{"_id": 1004, "n": 2, "m": 3}]
    assert told.documents(late, 3) == [{"_id": 1004, "kept": True, "n": 2, "m": 3}]
    assert told.row(late)["_cdc_unavailable"] is None


def test_oplog_style_ends_with_the_delete(told: Told) -> None:
    assert told.documents(old_style, 1) == [ANNE]
    assert told.documents(old_style, 2) == [ANNE | {"first_name": "Anne Marie"}]
    assert told.documents(old_style, 3) == []


def test_a_value_that_its_column_does_not_hold_is_reported(told: Told) -> None:
    assert told.documents(misfits) == [{"_id": 1004, "n": "many"}]
    assert told.row(misfits)["n"] is None
    assert told.row(misfits)["_cdc_unavailable"] == ["n"]
