"""Events that come key by key become rows and versions, one document at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from dbt_debezium_spark.mongodb import documents
from dbt_debezium_spark.mongodb.document_versions import document_versions
from dbt_debezium_spark.mongodb.fields import Field
from dbt_debezium_spark.mongodb.lives import HistoryOptions
from dbt_debezium_spark.mongodb.walk import Change, Walk
from tests.support.blocks import source_options
from tests.support.documents import COLLECTION
from tests.support.macros import Macros
from tests.support.mongodb_walk import resumed

MOMENT = datetime(2026, 1, 31, 12, tzinfo=UTC)


def event(key: str, op: str, offset: int, **told: Any) -> dict[str, Any]:
    return {
        "row_key": key,
        "is_staged": True,
        "op": op,
        "kind": "stream",
        "topic": "t",
        "incarnation": 0,
        "partition": 0,
        "offset": offset,
        "timestamp": MOMENT,
        **dict.fromkeys(("pos", "position", "run_id")),
        "identity": f"{key} {offset}",
        "event_id": f"t:0:{offset}",
        "source_at": MOMENT,
        "batch_id": offset,
        "landed_at": MOMENT,
        **dict.fromkeys(("after", "before", "patch", "update_description")),
        # what a held row tells
        **dict.fromkeys(("last_op", "tombstone_at", "is_incomplete")),
        **dict.fromkeys(("replays", "unexplained", "first_unexplained")),
        "is_moved": False,
        "may_repeat": False,
        **told,
    }


def change(fields: str) -> str:
    return json.dumps({"updatedFields": fields})


def test_a_row_is_given_as_soon_as_the_next_key_begins() -> None:
    taken: list[int] = []

    def events() -> Iterator[dict[str, Any]]:
        for one in (
            event("1", "c", 1, after='{"_id": 1, "n": {"$numberLong": "5"}}'),
            event("1", "u", 2, update_description=change('{"m": 2}')),
            event("2", "c", 3, after='{"_id": 2}'),
            event("2", "d", 4),
            event("3", "c", 5, after='{"_id": 3}'),
        ):
            taken.append(one["offset"])
            yield one

    rows = documents.document_rows(events(), [Field("n", "n", "bigint")])
    first = next(rows)
    assert taken == [1, 2, 3]
    assert (first["_id"], first["document"], first["n"]) == ("1", '{"_id":1,"m":2,"n":5}', 5)
    assert (first["_cdc_op"], first["_cdc_batch_id"]) == ("u", 2)
    second = next(rows)
    assert taken == [1, 2, 3, 4, 5]
    assert (second["document"], second["_cdc_is_deleted"], second["_cdc_op"]) == (None, True, "d")
    assert [row["_id"] for row in rows] == ["3"]


def test_a_walk_begins_with_the_row_that_is_held() -> None:
    held = event(
        "1", "c", 7, is_staged=False, kind="state", after='{"_id":1,"n":1}', batch_id=3,
        position="000000/5", pos="5", last_op="c", is_incomplete=True,
        replays=2, unexplained=1, first_unexplained="t:0:1",
    )  # fmt: skip
    repeat = event("1", "u", 9, position="000000/4", update_description=change('{"n": 0}'))
    (row,) = documents.document_rows(iter([held, repeat]), [])
    assert (row["document"], row["_cdc_op"], row["_cdc_pos"]) == ('{"_id":1,"n":1}', "c", "5")
    assert (row["_cdc_fold_replays"], row["_cdc_fold_unexplained"]) == (3, 2)
    assert row["_cdc_unavailable"] == ["document"]
    assert (row["_cdc_fold_last_offset"], row["_cdc_batch_id"]) == (9, 9)
    assert row["_cdc_fold_mark"] == "000000/5"


def test_a_row_is_of_the_highest_batch_of_its_events() -> None:
    late = event("1", "c", 1, after='{"_id": 1}', batch_id=7)
    last = event("1", "u", 2, update_description=change('{"n": 0}'), batch_id=3)
    (row,) = documents.document_rows(iter([late, last]), [])
    assert row["_cdc_batch_id"] == 7


# field, its type, the value in the document => the value in the row
TYPED: list[tuple[str, str, Any, Any]] = [
    ("s", "string", "x", "x"),
    ("i", "int", 1, 1),
    ("l", "bigint", {"$numberLong": "9007199254740993"}, 9007199254740993),
    ("f", "double", 1.5, 1.5),
    ("b", "boolean", True, True),
    ("t", "timestamp", {"$date": 1558965508123},
     datetime(2019, 5, 27, 13, 58, 28, 123000, UTC)),
    ("d", "date", {"$date": 1558915200000}, date(2019, 5, 27)),
    ("y", "binary", {"$binary": "a2Fma2E=", "$type": "00"}, b"kafka"),
    ("p", "decimal(10,2)", {"$numberDecimal": "1.20"}, Decimal("1.20")),
    ("j", "json", {"b": 1, "a": [1]}, '{"a":[1],"b":1}'),
]  # fmt: skip


def test_rows_of_every_type_go_through_arrow() -> None:
    document = {"_id": 1, **{name: value for name, _, value, _ in TYPED}}
    fields = [Field(name, name, kind) for name, kind, _, _ in TYPED]
    fields.append(Field("none", "none", "bigint"))
    created = event("1", "c", 1, after=json.dumps(document))
    columns = documents.state_columns(fields)
    walk = documents.walker(lambda events: documents.document_rows(events, fields), columns)
    (batch,) = walk(iter([pa.RecordBatch.from_pylist([created])]))
    (row,) = batch.to_pylist()
    expected = {name: value for name, _, _, value in TYPED} | {"none": None}
    assert {name: row[name] for name in expected} == expected
    assert row["_cdc_unavailable"] is None
    assert batch.schema.names == [name for name, _ in columns]


def test_an_unreadable_image_leaves_the_same_document_in_any_batches() -> None:
    images = [f'{{"_id": 1, "n": {n}}}' for n in range(1, 12)]
    texts = ["{", images[0], *images, "{", "[]"]
    walks = []
    for cuts in ([], [2], [len(texts) - 2], [3, len(texts) - 1]):
        walk = Walk("1")
        for place, text in enumerate(texts):
            walk = resumed(walk) if place in cuts else walk
            walk.take(Change("u", "stream", after=text), may_be_repeated=False)
        walks.append((walk.document_text(), walk.incomplete))

    assert walks == [('{"_id":1,"n":11}', True)] * 4


# -- histories ------------------------------------------------------------------------------------


N = {"name": "n", "path": "n", "type": "json"}


def context(history: Any, checkpoint: dict[str, Any] | None = None) -> dict[str, Any]:
    options = {"tables": {COLLECTION: {"history": history}}}
    macros = Macros(
        {"sim": source_options("mongodb", "content", **options)}, this="versions", running=True
    )
    macros._macros["read_checkpoint"] = lambda: checkpoint
    config = macros.source_config("sim")
    found: dict[str, Any] = macros.document_version_context(
        config, COLLECTION, [N], "versions", ["staged"]
    )
    return found


def test_a_history_is_built_again_when_an_option_changes_its_rows() -> None:
    first = context(True)
    assert not first["has_state"]
    known = {"configuration": first["configuration"], "batch_id": 4}
    assert context(True, known)["has_state"]
    # only the view shows these
    assert context({"first_from": "1900-01-01", "names": "dbt"}, known)["has_state"]
    for options in ({"deleted_rows": True}, {"track": ["n"]}, {"keep": "1 day"}):
        assert not context(options, known)["has_state"]


def test_the_table_has_the_columns_of_its_options() -> None:
    names = [name for name, _ in context(True)["columns"]]
    assert names[:4] == ["_id", "document", "n", "_cdc_key"]
    assert len({*names}) == len(names)
    assert "_cdc_gap_to" not in names
    assert "_cdc_gap_to" in [name for name, _ in context({"deleted_rows": True})["columns"]]
    assert context({"track": ["n"]})["tracked"] == ["n"]
    assert context({"ignore": ["n"]})["tracked"] == ["_id", "document"]


def staged(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"tx": None, "tx_id": None, **one} for one in events]


def test_each_change_of_a_document_is_a_version_with_its_typed_columns() -> None:
    events = staged(
        event("1", "c", 1, after=json.dumps({"_id": 1, "n": 1})),
        event("1", "u", 2, update_description=change('{"n": 2}')),
        event("2", "u", 3, update_description=change('{"n": 3}')),
        event("2", "d", 4),
    )

    rows = list(document_versions(iter(events), [Field("n", "n", "int")], HistoryOptions()))

    told = [(row["_cdc_key"], row["n"], row["_cdc_ended_by"], row["_cdc_unavailable"])
            for row in rows if "n" in row and row.get("_cdc_ended_by")]  # fmt: skip
    assert told == [("1", 1, "update", None), ("2", 3, "delete", ["document"])]
