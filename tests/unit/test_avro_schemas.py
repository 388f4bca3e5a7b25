"""Avro schemas as trees, as Connect schemas, and as what Spark reads by."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.avro.connect_schema import connect_schema, connect_schema_text, shortest
from dbt_debezium_spark.avro.errors import UnsupportedSchema
from dbt_debezium_spark.avro.parsing import parse
from dbt_debezium_spark.avro.reader_schema import reader_schema


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


def data(kind: str, name: str, **more: Any) -> dict[str, Any]:
    """A type of Connect's own."""
    return node(kind, name=f"org.apache.kafka.connect.data.{name}", version=1, **more)


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


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("Unknown", "`Unknown` is not defined"),
        (record(("next", ["null", "R"])), "`R` contains itself"),
        (record(("a", record(("x", "int")))), "`R` is defined twice"),
        ({"type": "array"}, "has no `items`"),
        ({"no": "type"}, "is not an Avro type"),
        (record(("a", "null")), "always null"),
        (["null"], "always null"),
        (record(("a", {"type": "int", "connect.type": "int4"})), "int4"),
        (record(("a", {"type": "int", "connect.parameters": {"a": 1}})), "`a` is not text"),
        (
            [record(("x", "int"), name="a.R"), record(("x", "int"), name="b.R")],
            "two members of the name `R`",
        ),
    ],
)
def test_a_schema_without_a_form_in_json_is_refused(schema, message):
    with pytest.raises(UnsupportedSchema, match=message):
        connect(schema)


def test_text_that_is_no_json_is_refused_but_a_bare_primitive_is_one():
    assert parse("string").type == "string"
    with pytest.raises(UnsupportedSchema, match="is not JSON"):
        parse("syntax = 'proto3';")


# -- Connect schemas ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("avro", "expected"),
    [
        ("boolean", node("boolean")),
        ("int", node("int32")),
        ("long", node("int64")),
        ("float", node("float")),
        ("double", node("double")),
        ("bytes", node("bytes")),
        ("string", node("string")),
        (["null", "string"], node("string", optional=True)),
        (["string", "null"], node("string", optional=True)),
        (["string"], node("string")),
        ({"type": "int", "connect.type": "int8"}, node("int8")),
        ({"type": "int", "connect.type": "int16"}, node("int16")),
        ({"type": "string", "avro.java.string": "String"},
         node("string", parameters={"avro.java.string": "String"})),
        ({"type": "long", "logicalType": "timestamp-micros"}, node("int64")),
        ({"type": "long", "logicalType": "time-micros"}, node("int64")),
        ({"type": "int", "logicalType": "date"},
         data("int32", "Date")),
        ({"type": "int", "logicalType": "time-millis"},
         data("int32", "Time")),
        ({"type": "long", "logicalType": "timestamp-millis"},
         data("int64", "Timestamp")),
        ({"type": "bytes", "logicalType": "decimal", "precision": 64, "scale": 2},
         data("bytes", "Decimal", parameters={"scale": "2"})),
        ({"type": "bytes", "logicalType": "decimal", "precision": 10},
         data("bytes", "Decimal", parameters={"scale": "0", "connect.decimal.precision": "10"})),
        # Confluent's converter writes these: Oracle's NUMBER(2,5) and NUMBER(20,-2)
        ({"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 5},
         data("bytes", "Decimal", parameters={"scale": "5", "connect.decimal.precision": "2"})),
        ({"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": -2},
         data("bytes", "Decimal", parameters={"scale": "-2", "connect.decimal.precision": "20"})),
        ({"type": {"type": "int", "connect.type": "int16"}}, node("int16")),
        ({"type": "long", "connect.version": 1, "connect.name": "io.debezium.time.MicroTime",
          "connect.doc": "time", "connect.parameters": {"a": "b"}, "connect.default": 5},
         node("int64", name="io.debezium.time.MicroTime", version=1, doc="time",
              parameters={"a": "b"}, default=5)),
        ({"type": "array", "items": ["null", "int"]},
         node("array", items=node("int32", optional=True))),
        ({"type": "map", "values": "long"},
         node("map", keys=node("string"), values=node("int64"))),
        ({"type": "fixed", "name": "Md5", "size": 16},
         node("bytes", name="Md5", parameters={"connect.fixed.size": "16"})),
        ({"type": "enum", "name": "n.Suit", "symbols": ["A", "B"], "doc": "d", "default": "A"},
         node("string", name="n.Suit", parameters={
             "io.confluent.connect.avro.enum.doc.Suit": "d",
             "io.confluent.connect.avro.enum.default.Suit": "A",
             "io.confluent.connect.avro.Enum": "n.Suit",
             "io.confluent.connect.avro.Enum.A": "A",
             "io.confluent.connect.avro.Enum.B": "B"})),
    ],
)  # fmt: skip
def test_a_type_as_connect_names_it(avro, expected):
    assert connect(avro) == expected
    assert only_field(avro) == {**expected, "field": "f"}


def test_a_struct_without_a_name_gets_none_from_avro():
    unnamed = record(("a", "int"), name="io.confluent.connect.avro.ConnectDefault2")

    assert "name" not in connect(unnamed)
    named = record(("a", "int"), **{"connect.name": "my-topic.Value"})
    assert connect(named)["name"] == "my-topic.Value"


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"type": "bytes", "connect.default": "\u0000ÿ"}, "AP8="),
        ({"type": "bytes", "logicalType": "decimal", "connect.default": "\u0000\u0001"}, "AQ=="),
        ({"type": "double", "connect.default": 1}, 1.0),
        ({"type": "boolean", "connect.default": False}, False),
        ({"type": "array", "items": "bytes", "connect.default": ["a"]}, ["YQ=="]),
        ({"type": "map", "values": "bytes", "connect.default": {"k": "a"}}, {"k": "YQ=="}),
        (record(("a", "bytes"), ("b", ["null", "int"]), **{"connect.default": {"a": "a"}}),
         {"a": "YQ==", "b": None}),
    ],
)  # fmt: skip
def test_a_default_is_printed_like_a_value(schema, default):
    assert connect(schema)["default"] == default
    assert connect(["null", schema])["default"] == default
    # one of another type is none
    assert "default" not in connect({"type": "bytes", "connect.default": 5})


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
