"""Avro schemas as trees, as Connect schemas, and as what Spark reads by."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.inputs.avro.connect_schema import (
    connect_schema,
    connect_schema_text,
    shortest,
)
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import parse
from dbt_debezium_spark.inputs.avro.reader_schema import reader_schema
from tests.support.said import rows_of


def tree(schema: Any, *referenced: tuple[str, Any]) -> Any:
    return parse(json.dumps(schema), [(name, json.dumps(one)) for name, one in referenced])


def connect(schema: Any) -> dict[str, Any]:
    return connect_schema(tree(schema))


def record(*fields: Any, name: str = "R", **more: Any) -> dict[str, Any]:
    """A record from pairs of name and type, or whole fields."""
    whole = [one if isinstance(one, dict) else {"name": one[0], "type": one[1]} for one in fields]
    return {"type": "record", "name": name, "fields": whole, **more}


def only_field(schema: Any, **more: Any) -> dict[str, Any]:
    return connect(record({"name": "f", "type": schema, **more}))["fields"][0]


def node(kind: str, *, optional: bool = False, **more: Any) -> dict[str, Any]:
    return {"type": kind, "optional": optional, **more}


# -- references -----------------------------------------------------------------------------------


def test_a_row_used_twice_is_printed_twice():
    row = record(("id", "int"), name="Value", namespace="p.t")
    envelope = record(
        {"name": "before", "type": ["null", row], "default": None},
        {"name": "after", "type": ["null", "Value"], "default": None},
        name="Envelope",
        namespace="p.t",
    )

    before, after = connect(envelope)["fields"]

    assert before == {**after, "field": "before"}
    assert after["name"] == "p.t.Value"
    assert after["optional"] is True
    assert after["fields"] == [node("int32", field="id")]


INNER = record(("x", "int"), name="Inner")
ADDRESS = record(("street", "string"), name="Address", namespace="shop")


@pytest.mark.parametrize(
    ("schema", "referenced", "names"),
    [
        # a name without namespace is of the record around it, else of none
        (record(("a", {**INNER, "namespace": ""}), ("b", "Inner"), namespace="n"), [], "Inner"),
        # a full name brings its namespace
        (record(("a", INNER), ("b", "n.m.Inner"), name="n.m.Outer"), [], "n.m.Inner"),
        # referenced schemas are known
        (record(("home", "shop.Address")), [("shop.Address", ADDRESS)], "shop.Address"),
    ],
)
def test_a_name_means_the_type_that_has_it(schema, referenced, names):
    found = connect_schema(tree(schema, *referenced))

    assert {one["name"] for one in found["fields"]} == {names}


def test_text_that_is_no_json_is_refused_but_a_bare_primitive_is_one():
    assert parse("string").type == "string"
    with pytest.raises(UnsupportedSchema, match="is not JSON"):
        parse("syntax = 'proto3';")


# -- Connect schemas ------------------------------------------------------------------------------


def required(schema: Any) -> Any:
    """Return a Connect schema in which all types say whether they are optional."""
    if isinstance(schema, list):
        return [required(one) for one in schema]
    inner = {name: required(schema[name]) for name in PARTS if name in schema}
    return {"optional": False, **schema, **inner}


PARTS = ("items", "keys", "values", "fields")


@pytest.mark.parametrize(("avro", "connect_schema"), rows_of(__file__, "avro_types.txt"))
def test_a_type_as_connect_names_it(avro, connect_schema):
    schema = yaml.safe_load(avro)
    if connect_schema.startswith("refused: "):
        with pytest.raises(UnsupportedSchema, match=connect_schema.removeprefix("refused: ")):
            connect(schema)
        return
    expected = required(yaml.safe_load(connect_schema))
    assert connect(schema) == expected
    assert only_field(schema) == {**expected, "field": "f"}
    if not isinstance(schema, list):
        assert connect(["null", schema]) == {**expected, "optional": True}


def test_the_default_of_a_field_counts_and_is_marked_when_connect_did_not_write_it():
    flag = {"io.confluent.connect.avro.field.default": "true"}

    assert only_field("int", default=3) == node("int32", default=3, field="f", parameters=flag)
    assert only_field({"type": "int", "connect.default": 3}, default=3) == node(
        "int32", default=3, field="f"
    )
    assert only_field(["null", "int"], default=None) == node("int32", optional=True, field="f")


def test_the_text_has_the_members_in_the_converters_order():
    text = connect_schema_text(
        tree(record(("id", {"type": "long", "connect.version": 1, "connect.name": "n"}), name="K"))
    )

    assert text == (
        '{"type":"struct","fields":[{"type":"int64","optional":false,"name":"n","version":1,'
        '"field":"id"}],"optional":false,"name":"K"}'
    )


@pytest.mark.parametrize(
    ("content", "expected"), [("0000", "00"), ("0080", "0080"), ("ffff80", "80"), ("", "00")]
)
def test_a_number_needs_as_many_bytes_as_java_gives_it(content, expected):
    assert shortest(bytes.fromhex(content)).hex() == expected


# -- what Spark reads by --------------------------------------------------------------------------


def read_by(schema: Any) -> tuple[Any, Any]:
    text, shape = reader_schema(tree(schema))
    fields = json.loads(text)["fields"]
    assert [one["name"] for one in fields] == ["payload", "end"]
    return fields[0]["type"], shape


def test_spark_reads_by_bare_types():
    schema, shape = read_by(
        record(
            {"name": "d", "type": {"type": "bytes", "logicalType": "decimal"}, "default": "a"},
            ("t", ["null", {"type": "long", "logicalType": "timestamp-millis"}]),
            doc="doc",
        )
    )

    assert schema == {
        "type": "record",
        "name": "T0",
        "fields": [{"name": "d", "type": "bytes"}, {"name": "t", "type": ["null", "long"]}],
    }
    assert shape.is_plain


def test_a_named_type_is_written_out_wherever_it_is_used():
    row = record(("id", "int"), name="Value")
    schema, shape = read_by(record(("before", ["null", row]), ("after", ["null", "Value"])))

    names = [one["type"][1]["name"] for one in schema["fields"]]
    assert len(set(names)) == 2
    assert shape.is_plain


def test_fields_that_differ_in_case_get_other_names():
    schema, shape = read_by(record(("id", "int"), ("Id", "int")))

    assert [one["name"] for one in schema["fields"]] == ["f0", "f1"]
    members = [(name, column) for name, column, _ in shape.members[0][2].members]
    assert members == [("id", "f0"), ("Id", "f1")]


def test_members_of_a_union_are_boxed_and_keep_their_places():
    schema, shape = read_by(["int", "null", "long"])

    kinds = [one if one == "null" else one["fields"][0]["type"] for one in schema]
    assert kinds == ["int", "null", "long"]
    assert [one[0] for one in shape.members[0][2].members] == ["int", "long"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"type":"record","name":"R","fields":["a"]}',
        '{"type":"record","name":"R","fields":5}',
        '{"type":"fixed","name":"F","size":"many"}',
        '{"type":"array","items":' * 900 + '"int"' + "}" * 900,
    ],
)
def test_what_no_converter_writes_is_unsupported_and_ends_nothing(text):
    with pytest.raises(UnsupportedSchema):
        reader_schema(parse(text))


def test_a_schema_that_grows_when_it_is_written_out_is_refused():
    names = ["R0", *(f"R{number}" for number in range(1, 40))]
    first: Any = record(("a", "int"), name="R0")
    for one, below in zip(names[1:], names, strict=False):
        first = record(("a", first), ("b", below), name=one)

    with pytest.raises(UnsupportedSchema, match="more than 50000 types"):
        tree(first)
