"""Which embedded schemas a converter can have written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.record_schema import schema_problem
from tests.support.examples import EXAMPLES, messages

INT = {"type": "int32", "field": "id"}
DECIMAL = "org.apache.kafka.connect.data.Decimal"
BITS = "io.debezium.data.Bits"


def value_schema(fields: Any) -> str:
    return json.dumps({"fields": [{"type": "struct", "fields": fields, "field": "after"}]})


def column(**members: Any) -> dict[str, Any]:
    return {"type": "string", "field": "c", **members}


def nested(depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        node = {"type": "array", "items": node}
    return {**node, "field": "c"}


@pytest.mark.parametrize(
    "node",
    [
        column(optional=True, default="x", doc="y", version=1, parameters={"allowed": "a,b"}),
        column(type="bytes", name=DECIMAL, parameters={"scale": "2046"}),
        column(type="bytes", name=DECIMAL, parameters={"scale": "-2"}),
        column(type="bytes", name=BITS, parameters={"length": "2147483647"}),
        column(type="struct", fields=[{"type": "int32", "field": "scale"}]),
        column(type="map", keys={"type": "int16"}, values={"type": "double"}),
        column(name="io.debezium.data.Unheard"),
        nested(7),
    ],
)
def test_what_converters_write_is_believed(node):
    assert schema_problem("value", value_schema([INT, node])) is None


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        (column(type="stving"), "column `c` has the type `stving`"),
        (column(type=5), "column `c` has the type `5`"),
        ({"type": "string"}, "column 2 has no name"),
        (column(field=5), "column 2 has no name"),
        (column(field=""), "column 2 has no name"),
        ("string", "column 2 has no name"),
        (column(field="id"), "column `id` stands twice"),
        (column(type="struct", fields={"a": 1}), "column `c` has fields that are no list"),
        (column(type="struct", fields=[{}]), "column 1 within column `c` has no name"),
        (column(type="array"), "items of column `c` has the type `null`"),
        (column(items="x"), "items of column `c` has the type `null`"),
        (column(type="map", keys={"type": "string"}), "values of column `c` has the type `null`"),
        (column(name={}), "column `c` has a semantic type that is no text"),
        (column(optional="yes"), "column `c` does not say whether it is optional"),
        (column(parameters=[1]), "column `c` has parameters that are no object"),
        (column(parameters={"a": {}}), "column `c` has the parameter `a` that is no text"),
        (
            column(name=DECIMAL, parameters={"scale": "2000000000"}),
            "column `c` has the scale `2000000000`",
        ),
        (column(name=DECIMAL, parameters={"scale": "two"}), "column `c` has the scale `two`"),
        (
            column(name=BITS, parameters={"length": "2147483646"}),
            "column `c` has the length `2147483646`",
        ),
        (nested(8), "items of column `c` is nested deeper than 8 levels"),
        (nested(400), "items of column `c` is nested deeper than 8 levels"),
    ],
)
def test_what_no_converter_writes_is_named(node, problem):
    assert schema_problem("value", value_schema([INT, node])) == problem


@pytest.mark.parametrize(
    ("side", "schema", "problem"),
    [
        ("value", "{}", "the event has fields that are no list"),
        ("value", '{"fields":[{"field":"before"}]}', "it has no row image `after`"),
        ("value", value_schema([]), "it has no columns"),
        ("value", value_schema(None), "the row has fields that are no list"),
        ("value", "[1]", "the event has fields that are no list"),
        ("value", '{"fields":', "it is no JSON"),
        ("value", '{"a":' * 100_000, "it is nested too deep"),
        ("key", '{"type":"struct","fields":[]}', "it has no columns"),
        ("key", '{"type":"int3"}', "the key has the type `int3`"),
        ("key", '{"type":"int32"}', None),
        ("key", '{"type":"struct","fields":[{"type":"int32","field":"id"}]}', None),
    ],
)
def test_schemas_as_a_whole(side, schema, problem):
    assert schema_problem(side, schema) == problem


def test_schemas_of_real_records_are_believed():
    read = 0
    for path in sorted(EXAMPLES.glob("*.json")):
        for message in messages(path.stem):
            for side in ("key", "value"):
                schema = (
                    (message.get(side) or {}).get("schema")
                    if isinstance(message.get(side), dict)
                    else None
                )
                names = [one.get("field") for one in (schema or {}).get("fields", [])]
                if (
                    schema is None
                    or (side == "value" and "after" not in names)
                    or "mongodb" in path.stem
                ):
                    continue
                read += 1
                assert schema_problem(side, json.dumps(schema)) is None, path.stem
    assert read > 20
