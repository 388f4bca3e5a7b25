"""The Connect schema that a JSON Schema of the registry stands for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.decode.record_schema import schema_problem
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.json_schema import connect_schema_of_json
from tests.avro.cases import CORNERS, demo_records, examples, fields_of
from tests.avro.json_schema_writer import json_schema
from tests.type_cases.every import CASES


def read(schema: Any, referenced: Any = ()) -> dict[str, Any]:
    """Return the Connect schema of a JSON Schema."""
    found: dict[str, Any] = json.loads(connect_schema_of_json(json.dumps(schema), referenced))
    return found


def normal(schema: Any) -> Any:
    """Return a Connect schema with every member that has a default: no schema is optional."""
    if isinstance(schema, list):
        return [normal(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {
        name: normal(one) if name in ("items", "keys", "values", "fields") else one
        for name, one in schema.items()
    }
    return {"optional": False, **inside} if "type" in schema else inside


def has_pairs(schema: Any) -> bool:
    """Return whether a Connect schema has a map whose keys are not text."""
    if isinstance(schema, list):
        return any(has_pairs(one) for one in schema)
    if not isinstance(schema, dict):
        return False
    keys = schema.get("keys")
    if isinstance(keys, dict) and (keys["type"] != "string" or keys.get("optional")):
        return True
    return any(has_pairs(schema.get(one)) for one in ("items", "values", "fields"))


def schemas() -> list[Any]:
    """Return the Connect schemas of every connector's types, of the corners and of real records."""
    found = [one["schema"] for connector in CASES for one in fields_of(connector)]
    found += [schema for schema, _ in CORNERS.values()]
    texts = {
        json.dumps(json.loads(record[side])["schema"])
        for record in (*examples(), *demo_records())
        for side in ("key", "value")
        if record[side] is not None
    }
    # some examples show only a part of their schema
    return found + [json.loads(text) for text in sorted(texts) if '"_note"' not in text]


SCHEMAS = schemas()


def test_what_the_converter_registers_is_the_schema_of_the_json_converter() -> None:
    wrong = []
    for schema in SCHEMAS:
        if has_pairs(schema):
            continue
        expected = normal({name: one for name, one in schema.items() if name != "field"})
        if (found := read(json_schema(schema))) != expected:
            wrong.append((expected, found))
    assert wrong == []
    assert len(SCHEMAS) > 200


def test_members_stand_in_the_order_of_the_json_converter() -> None:
    schema = {
        "type": "struct",
        "fields": [
            {"type": "int32", "optional": False, "field": "b"},
            {"type": "string", "optional": True, "default": "x", "field": "a"},
        ],
        "optional": False,
        "name": "shop.Value",
        "version": 1,
    }
    text = connect_schema_of_json(json.dumps(json_schema(schema)))
    assert text == json.dumps(schema, separators=(",", ":"))
    assert schema_problem("key", text) is None


def test_a_map_whose_keys_are_not_text_is_refused() -> None:
    pairs = [schema for schema in SCHEMAS if has_pairs(schema)]
    assert pairs
    for schema in pairs:
        with pytest.raises(UnsupportedSchema, match="map whose keys are not text"):
            read(json_schema(schema))


def test_schemas_of_other_serializers() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Order",
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "price": {"type": ["number", "null"]},
            "state": {"enum": ["new", "paid"]},
            "to": {"$ref": "#/definitions/address"},
            "from": {"anyOf": [{"$ref": "#/definitions/address"}, {"type": "null"}]},
        },
        "required": ["id", "state"],
        "definitions": {"address": {"type": "object", "properties": {"city": {"type": "string"}}}},
    }
    found = read(schema)
    assert found["name"] == "Order"
    kinds = {one["field"]: (one["type"], one["optional"]) for one in found["fields"]}
    assert kinds == {
        "id": ("int64", False),
        "price": ("double", True),
        "state": ("string", False),
        "to": ("struct", True),
        "from": ("struct", True),
    }


def test_references_to_other_schemas_are_followed() -> None:
    address = json.dumps(
        {
            "type": "object",
            "properties": {"city": {"$ref": "#c"}},
            "definitions": {"c": {"$id": "#c", "type": "string"}},
        }
    )
    schema = {"type": "object", "properties": {"at": {"$ref": "address.json"}}}
    found = read(schema, [("address.json", address)])
    ((field,),) = [found["fields"]]
    assert field["fields"][0]["type"] == "string"


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "does not say what type it has"),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}}, "contains itself"),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/a"}}},
         "contains itself"),
        ({"$ref": "b.json"}, "`b.json`, which is not registered with it"),
        ({"$ref": "#/definitions/a"}, "which does not exist"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "a choice between several types"),
        ({"allOf": [{"type": "string"}, {"type": "string"}]}, "combines several schemas"),
        ({"type": "integer", "connect.type": "int128"}, 'the connect.type "int128"'),
        ({"type": "array"}, "no JSON Schema"),
        ({"type": "string", "connect.parameters": {"a": 1}}, "parameter `a` is not text"),
        ({}, "does not say what type it has"),
        (True, "does not say what type it has"),
    ],
)  # fmt: skip
def test_what_connect_cannot_say_is_refused(schema: Any, message: str) -> None:
    text = schema if isinstance(schema, str) else json.dumps(schema)
    with pytest.raises(UnsupportedSchema, match=message):
        connect_schema_of_json(text)


def test_depth_and_size_are_limited() -> None:
    nested: Any = {"type": "string"}
    for _ in range(150):
        nested = {"type": "array", "items": nested}
    with pytest.raises(UnsupportedSchema, match="more than 100 deep"):
        read(nested)
    definitions: dict[str, Any] = {"t0": {"type": "string"}}
    for place in range(1, 20):
        one = {"$ref": f"#/definitions/t{place - 1}"}
        definitions[f"t{place}"] = {"type": "object", "properties": {"a": one, "b": one}}
    with pytest.raises(UnsupportedSchema, match="more than 50000 types"):
        read({"$ref": "#/definitions/t19", "definitions": definitions})
