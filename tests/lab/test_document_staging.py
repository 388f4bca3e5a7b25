"""Staged events of MongoDB: what a record says, and what is wrong where it says nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.config.for_macros import load_source
from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.lab import LabMacros
from tests.support.lab_source import LabSource
from tests.support.macros import Macros
from tests.support.raw import RAW_TYPE, raw_row

TOPIC = "content.inventory.customers"
SOURCE = {"version": "3.6.1.Final", "db": "inventory", "collection": "customers", "ord": 1}


def staged(
    spark, records: list[tuple[Any, Any]], shared: bool = False, **options: Any
) -> list[dict[str, Any]]:
    """Return the staged rows of (key, value) records; texts are taken as they are."""
    rows = [
        raw_row(KafkaRecord(TOPIC, 0, offset, 0, _text(key), _text(value)), 1)
        for offset, (key, value) in enumerate(records)
    ]
    spark.createDataFrame(rows, RAW_TYPE).createOrReplaceTempView("raw_documents")
    block = source_options("mongodb", "content", **options)
    macros = Macros({"content": block})
    sql = macros.document_staging_sql(
        load_source("content", {"content": block}),
        "raw_documents",
        [TOPIC],
        "inventory.customers",
        shared,
    )
    return [row.asDict() for row in spark.sql(sql).orderBy("_cdc_offset").collect()]


def _text(part: Any) -> str | None:
    return part if isinstance(part, str | None) else json.dumps(part)


def value(op: str, **members: Any) -> dict[str, Any]:
    source = SOURCE | members.pop("source", {})
    return {"op": op, "source": {"ts_ms": 1_760_000_000_000, **source}, **members}


KEY = {"id": "1"}
WRONG = [
    (KEY, "no json", "record: not a Debezium change event"),
    (KEY, {"id": 1}, "record: not a Debezium change event"),
    (KEY, value("x", after="{}"), "record: unknown op x"),
    (None, value("d"), "record: no key"),
    (KEY, value("c"), "after: op c without a document"),
    (KEY, value("u"), "after: op u without a document or a change"),
    (KEY, value("c", after="{"), "after: no JSON document: {"),
    (KEY, value("u", after='{"a": 1}', before="{"), "before: no JSON document: {"),
    (KEY, value("u", patch="{"), "patch: no JSON document: {"),
    (
        KEY,
        value("u", patch='{"$v": 2, "diff": {}}'),
        'patch: changes in a form that this version does not know: {"$v": 2, "diff": {}}',
    ),
    (
        KEY,
        value("u", patch='{"$inc": {"a": 1}}'),
        'patch: changes in a form that this version does not know: {"$inc": {"a": 1}}',
    ),
    (
        KEY,
        value("u", updateDescription={"removedFields": 5}),
        'updateDescription: no JSON document: {"removedFields":5}',
    ),
    (
        KEY,
        value("u", updateDescription={"truncatedArrays": {}}),
        'updateDescription: no JSON document: {"truncatedArrays":{}}',
    ),
    (
        KEY,
        value("u", updateDescription='{"updatedFields":{"a"'),
        'updateDescription: no JSON document: {"updatedFields":{"a"',
    ),
    (
        KEY,
        value("u", updateDescription={"updatedFields": "{"}),
        'updateDescription: no JSON document: {"updatedFields":"{"}',
    ),
]


def test_every_record_that_cannot_be_read_says_why(spark) -> None:
    rows = staged(spark, [(key, told) for key, told, _ in WRONG])
    assert [row["_cdc_errors"] for row in rows] == [[error] for _, _, error in WRONG]
    events = [row["_cdc_op"] for row in rows]
    expected = [None if error.startswith("record") else told["op"] for _, told, error in WRONG]
    assert events == expected


def test_what_is_right_has_no_errors(spark) -> None:
    right = [
        value("c", after='{"_id": 1, "n": NaN}'),
        value("u", patch='{"$v": 1, "$set": {"a": 1}, "$unset": {"b": true}}'),
        value("u", patch="{}"),
        value("u", updateDescription={"removedFields": ["a"], "updatedFields": None}),
        value("d"),
        {"schema": {"type": "struct", "fields": []}, "payload": value("c", after='{"_id": 1}')},
    ]
    rows = staged(spark, [(KEY, one) for one in right] + [(KEY, None)])
    assert [row["_cdc_errors"] for row in rows] == [None] * 7
    assert [row["_cdc_op"] for row in rows] == ["c", "u", "u", "u", "d", "c", "tombstone"]
    assert {row["_cdc_key"] for row in rows} == {"1"}


def test_a_record_without_a_key_is_of_the_document_that_it_shows(spark) -> None:
    rows = staged(
        spark,
        [
            (None, value("c", after='{"_id": "x", "a": 1}')),
            (None, value("d", filter='{"_id": {"$oid": "596e275826f08b2730779e1f"}}')),
        ],
    )
    assert [row["_cdc_key"] for row in rows] == ['"x"', '{"$oid":"596e275826f08b2730779e1f"}']


@pytest.mark.parametrize(
    ("source", "has_position"),
    [
        ({"version": "1.1.2.Final"}, True),
        ({"version": "3.3.2.Final"}, True),
        ({"version": "3.4.0.Final"}, False),
        ({"version": "10.0.0.Final"}, False),
        ({"version": None}, True),
        ({"version": None, "wallTime": 1}, False),
        ({"version": "2.1.4.Final", "ord": -1}, False),
    ],
)
def test_positions_end_with_3_3(spark, source: dict[str, Any], has_position: bool) -> None:
    (row,) = staged(spark, [(KEY, value("c", after="{}", source=source))])
    assert (row["_cdc_pos"] is not None) == has_position


def test_an_identity_is_what_a_redelivery_repeats(spark) -> None:
    delta = {"updatedFields": '{"a": 1}'}
    first = value("u", updateDescription=delta, after='{"a": 1}', ts_ms=1)
    same = value("u", updateDescription=delta, after='{"a": 2}', ts_ms=2)
    others = [
        value("u", updateDescription={"updatedFields": '{"a": 2}'}, after='{"a": 1}'),
        value("u", after='{"a": 1}'),
        value("u", updateDescription=delta, source={"ord": 2}),
        value("u", updateDescription=delta, source={"txnNumber": 2}),
        value("u", updateDescription=delta, source={"wallTime": 5}),
        value("u", updateDescription=delta, transaction={"id": "t", "total_order": 2}),
        value("u", patch='{"a": 1}'),
        value("d"),
    ]
    rows = staged(spark, [(KEY, one) for one in (first, same, *others)])
    identities = [row["_cdc_identity"] for row in rows]
    assert identities[0] == identities[1]
    assert len(set(identities)) == len(others) + 1


def test_collections_of_one_topic_and_signals_are_told_apart(spark) -> None:
    other = value("c", after="{}", source={"collection": "signals"})
    records = [(KEY, value("c", after="{}")), (KEY, other)]
    assert len(staged(spark, records, shared=True)) == 1
    rows = staged(spark, records, signal_data_collection="inventory.signals")
    assert [row["_cdc_errors"] for row in rows] == [None, ["record: row of the signal table"]]


def test_a_collection_without_models_is_drift(spark):
    mongodb = LabSource(spark, "content", {"connector": "mongodb", "topic_prefix": "content"})

    def land(offset: int, collection: str) -> None:
        made = value("c", after='{"_id":1}', source={"collection": collection})
        topic = f"content.inventory.{collection}"
        mongodb.land([KafkaRecord(topic, 0, offset, 1000 + offset, _text(KEY), _text(made))])

    land(0, "customers")
    mongodb.generate()
    assert mongodb.drift() == []
    land(1, "orders")
    (row,) = mongodb.drift()
    assert (row["table_name"], row["change"], row["recorded"]) == (
        "inventory.orders",
        "table_added",
        "a collection",
    )
    assert row["remedy"].endswith("dbt build --select stg_content__orders+")
    mongodb.generate()
    assert mongodb.drift() == []


def test_a_collection_that_turns_up_in_the_topic_of_another_is_quarantined_until_it_has_models(
    spark,
):
    """What has models is in nobody else's."""
    mongodb = LabSource(spark, "content", {"connector": "mongodb", "topic_prefix": "content"})

    def stage(*modelled: str) -> list[tuple[int, str | None, Any]]:
        nodes = [
            {"name": f"stg_{one}", "meta": {"debezium_spark": {"source": "content", "table": one}}}
            for one in modelled
        ]
        lab = mongodb.lab
        macros = LabMacros(lab, mongodb.sources, lab.name("stg"), nodes)
        sql = macros.document_staging(
            source="content",
            raw=lab.name("raw"),
            topics=[TOPIC],
            table="inventory.customers",
            schemas=lab.name("schemas"),
            origins=[{"db": "inventory", "collection": "customers"}],
            shared_topic=len(modelled) > 1,
        )
        lab.run(macros, sql, "stg", lab.append)
        rows = lab.tables[lab.name("stg")].orderBy("_cdc_offset").collect()
        return [(row["_cdc_offset"], row["_cdc_op"], row["_cdc_errors"]) for row in rows]

    def land(offset: int, collection: str, op: str | None = "c") -> None:
        made = value(op, after='{"_id":1}', source={"collection": collection}) if op else None
        mongodb.land([KafkaRecord(TOPIC, 0, offset, 1000 + offset, _text(KEY), _text(made))])

    land(0, "customers")
    land(1, "customers", None)
    assert stage("inventory.customers") == [(0, "c", None), (1, "tombstone", None)]
    land(2, "orders")
    land(3, "orders", None)
    land(4, "customers")
    told = ["record: of another table: inventory.orders"]
    kept = [(0, "c", None), (1, "tombstone", None)]
    assert stage("inventory.customers") == [*kept, (2, None, told), (4, "c", None)]
    assert stage("inventory.customers", "inventory.orders") == [*kept, (4, "c", None)]
    land(5, "invoices")
    told = ["record: of another table: inventory.invoices"]
    assert stage("inventory.customers", "inventory.orders") == [
        *kept, (4, "c", None), (5, None, told)
    ]  # fmt: skip
