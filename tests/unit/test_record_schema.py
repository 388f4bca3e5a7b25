"""Which embedded schemas a converter can have written."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.decode.record_schema import schema_problem
from tests.support.examples import EXAMPLES, messages
from tests.support.said import rows_of

INT = {"type": "int32", "field": "id"}


def value_schema(fields: Any) -> str:
    return json.dumps({"fields": [{"type": "struct", "fields": fields, "field": "after"}]})


@pytest.mark.parametrize(("node", "problem"), rows_of(__file__, "column_schemas.txt"))
def test_what_no_converter_writes_is_named(node, problem):
    schema = value_schema([INT, yaml.safe_load(node)])
    assert schema_problem("value", schema) == (problem or None)


@pytest.mark.parametrize(("depth", "is_told"), [(7, False), (8, True), (400, True)])
def test_a_type_within_too_many_others_is_named(depth, is_told):
    node: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        node = {"type": "array", "items": node}
    problem = "items of column `c` is nested deeper than 8 levels" if is_told else None
    assert schema_problem("value", value_schema([INT, {**node, "field": "c"}])) == problem


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
    files = [path.stem for path in sorted(EXAMPLES.glob("*.json")) if "mongodb" not in path.stem]
    for name, message in [(file, one) for file in files for one in messages(file)]:
        for side in ("key", "value"):
            told = message.get(side)
            schema = told.get("schema") if isinstance(told, dict) else None
            fields = [one.get("field") for one in (schema or {}).get("fields", [])]
            if schema is not None and (side == "key" or "after" in fields):
                read += 1
                assert schema_problem(side, json.dumps(schema)) is None, name
    assert read > 20
