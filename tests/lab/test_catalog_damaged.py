"""Records that are no evidence: damaged, or of ops that no connector sends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.generator.evidence_messages import (
    invalid_definition_messages,
    invalid_schemas,
)
from dbt_debezium_spark.generator.recorded_schemas import topics_of_schemas
from dbt_debezium_spark.generator.recorded_tables import record_keys
from tests.support import schema_topic
from tests.support.blocks import source_options
from tests.support.catalog_run import CatalogRun
from tests.support.embedded_records import field, table_record

SHOP = {"shop": source_options("postgresql", "PostgreSQL_server")}
WIDE, NARROW = [field("id"), field("a", "string")], [field("id")]
TYPES = ("column_name", "connect_type", "is_key", "last_position")
AS_GOOD = [
    ("id", "int32", True, "PostgreSQL_server.public.t:0:0"),
    ("a", "string", False, "PostgreSQL_server.public.t:0:0"),
]


def record(fields: list[dict[str, Any]], offset: int, lsn: int, op: str = "c") -> dict[str, Any]:
    made = table_record(fields, offset=offset, after={"id": 1})
    value = json.loads(made["value"])
    value["payload"]["source"]["lsn"] = lsn
    value["payload"]["op"] = op
    return made | {"value": json.dumps(value, separators=(",", ":"))}


def current(spark, *batches: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    run = CatalogRun(spark, SHOP).read(*batches)
    return run.columns(*TYPES, where=lambda row: row["is_current"])


@pytest.mark.covers("case quarantined-record-decides-layout")
@pytest.mark.parametrize("fields", [NARROW, WIDE], ids=["another layout", "the same layout"])
def test_an_unknown_op_decides_no_layout(spark, fields):
    wrong = record(fields, 3, 10**18, op="zz")
    assert current(spark, [record(WIDE, 0, 1000), wrong]) == AS_GOOD
    assert current(spark, [record(WIDE, 0, 1000)], [wrong]) == AS_GOOD
    assert current(spark, [wrong]) == []


def test_the_unknown_ops_of_a_topic_are_one_row(spark):
    wrong = [record(fields, offset, 1, op="zz") for offset, fields in enumerate((NARROW, WIDE))]
    assert [row["kind"] for row in CatalogRun(spark, SHOP).read(wrong).evidence] == ["unknown_op"]


def test_an_op_before_its_source_block_is_known(spark):
    made = record(NARROW, 3, 10**18)
    value = json.loads(made["value"])
    for op, columns in [("zz", 2), ("c", 1)]:
        payload = {"op": op, **{k: v for k, v in value["payload"].items() if k != "op"}}
        for separators in [(",", ":"), (", ", ": ")]:
            text = json.dumps(value | {"payload": payload}, separators=separators)
            found = current(spark, [record(WIDE, 0, 1000), made | {"value": text}])
            assert len(found) == columns


@pytest.mark.covers("case bitflip-in-schema-stops-table")
@pytest.mark.parametrize(
    "damage",
    [
        ('"type":"string"', '"type":"stving"'),
        ('"field":"a"', '"field":5'),
        ('"field":"a"', '"x":1'),
    ],
)
def test_a_schema_that_no_converter_writes_decides_no_layout(spark, damage):
    made = record(WIDE, 3, 10**18)
    made["value"] = made["value"].replace(*damage)
    assert current(spark, [record(WIDE, 0, 1000), made]) == AS_GOOD
    made = record(WIDE, 3, 10**18)
    made["key"] = made["key"].replace("int32", "int23")
    assert current(spark, [record(WIDE, 0, 1000), made]) == AS_GOOD


@pytest.mark.parametrize("key", ["{}", '"x"', '{"if":1}', '{"id":1,"id":1}', '{"id":', "[1]", "5"])
def test_a_damaged_key_takes_no_key_away(spark, key):
    wrong = record(WIDE, 3, 10**18) | {"key": key}
    found = current(spark, [record(WIDE, 0, 1000), wrong])
    assert [row[:3] for row in found] == [row[:3] for row in AS_GOOD]


def test_a_damaged_key_of_a_new_layout_takes_no_key_away(spark):
    good = record(WIDE, 0, 1000) | {"key": '{"id":1}'}
    wrong = record([*WIDE, field("b")], 3, 10**18) | {"key": '{"if":1}'}
    keys = [name for name, _, is_key, _ in current(spark, [good, wrong]) if is_key]
    assert keys == ["id"]


def test_a_damaged_key_is_no_former_key(spark):
    run = CatalogRun(spark, SHOP).read(
        [record(WIDE, 0, 1), record(WIDE, 3, 2) | {"key": '{"if":1}'}]
    )
    macros, config = run.macros
    topics = topics_of_schemas(macros._recorded_schemas(config, run.schemas))
    row = {"topics": ["PostgreSQL_server.public.t"], "schema_name": "public", "table_name": "t"}
    assert record_keys(topics, row) == [["id"]]


@pytest.mark.covers("case schema-garbage-stops-generate")
def test_unwritten_schemas_are_told_with_their_first_record(spark):
    made = [record(WIDE, offset, offset) for offset in (1, 2, 3)]
    for one in made[1:]:
        one["value"] = one["value"].replace('"type":"string"', '"type":"stving"')
    run = CatalogRun(spark, SHOP).read(made)
    macros, config = run.macros
    (found,) = invalid_schemas(macros._recorded_schemas(config, run.schemas))
    told = (found["event_id"], found["table_name"], found["problem"])
    assert told == (
        "PostgreSQL_server.public.t:0:2",
        "public.t",
        "column `a` has the type `stving`",
    )


DAMAGED = [
    {"name": None},
    {"name": ""},
    {"typeName": None},
    {"name": "a"},
    {"name": {"x": 1}, "typeName": 5},
]


@pytest.mark.parametrize("damage", DAMAGED, ids=repr)
def test_a_definition_that_no_connector_writes_is_left_alone_and_told(spark, damage):
    source = schema_topic.Source("mysql")
    bad = ["id", "a", {**schema_topic.column("b", 3), **damage}]
    sources = {"s": schema_topic.options("mysql")}
    run = CatalogRun(spark, sources).read(
        [
            source.define("CREATE", "t", ["id", "a"], ("id",), at=1),
            source.define("ALTER", "t", bad, ("id",), at=2),
        ]
    )
    known = damage.get("typeName") == 5  # numbers are read as texts
    names = [name for (name,) in run.columns("column_name", where=lambda row: row["is_current"])]
    assert names[:2] == ["id", "a"] and len(names) == (3 if known else 2)
    macros, config = run.macros
    seen = macros._recorded_schemas(config, run.schemas)
    messages = invalid_definition_messages(config, seen)
    assert [one["message"].split(" of the")[0] for one in messages] == (
        [] if known else ["source 's': record server1:0:1"]
    )
