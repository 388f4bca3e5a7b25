"""What is converted: records of every kind, and each with the reason why it is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.support.paths import REPOSITORY
from tests.type_cases import TypeCase
from tests.type_cases.every import CASES

# A column with a blank in its name; records of simulated schema-change topics that lack a value.
NOT_IN_AVRO = ("shop.public.Order", "web", "inventory")


def record(topic: str, key: Any, value: Any) -> dict[str, Any]:
    """Return a record for the converters; a side without a schema is left out."""
    return {"topic": topic, "key": _with_schema(key), "value": _with_schema(value)}


def _with_schema(side: Any) -> str | None:
    if isinstance(side, str):
        try:
            side = json.loads(side)
        except ValueError:
            return None
    if not isinstance(side, dict) or not side.get("schema") or "payload" not in side:
        return None
    return json.dumps(side, ensure_ascii=False)


def examples() -> list[dict[str, Any]]:
    """Return the project's examples that carry schemas, each under a topic of its own."""
    found = []
    for file in sorted((REPOSITORY / "tests" / "fixtures" / "examples").glob("*.json")):
        example = json.loads(file.read_text(encoding="utf-8"))
        for number, one in enumerate(example.get("messages", [example])):
            made = record(f"{file.stem}.{number}", one.get("key"), one.get("value"))
            if made["key"] or made["value"]:
                found.append(made)
    return found


def demo_records() -> list[dict[str, Any]]:
    """Return the records of the demo's sources that carry schemas, tombstones among them.

    Left out are those that have no form in Avro, or no valid one in JSON.
    """
    found = []
    for file in sorted((REPOSITORY / "dev" / "demo" / "data").glob("*/records/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                one = json.loads(line)
            except ValueError:
                continue  # the demo has broken lines on purpose
            if isinstance(one, dict) and one.get("topic") not in (None, *NOT_IN_AVRO):
                made = record(one["topic"], one.get("key"), one.get("value"))
                if made["key"] or made["value"]:
                    found.append(made)
    return found


# -- every type of every connector ----------------------------------------------------------------

_INSIDE: dict[str, list[dict[str, Any]]] = {
    "VariableScaleDecimal": [
        {"type": "int32", "optional": False, "field": "scale"},
        {"type": "bytes", "optional": False, "field": "value"},
    ],
    "SparseDoubleVector": [
        {"type": "int16", "optional": False, "field": "dimensions"},
        {
            "type": "map",
            "optional": False,
            "keys": {"type": "int16", "optional": False},
            "values": {"type": "double", "optional": False},
            "field": "vector",
        },
    ],
    "Geometry": [
        {"type": "bytes", "optional": False, "field": "wkb"},
        {"type": "int32", "optional": True, "field": "srid"},
    ],
    "Point": [
        {"type": "double", "optional": False, "field": "x"},
        {"type": "double", "optional": False, "field": "y"},
        {"type": "bytes", "optional": True, "field": "wkb"},
        {"type": "int32", "optional": True, "field": "srid"},
    ],
}
_INSIDE["Geography"] = _INSIDE["Geometry"]
_VECTORS = {"DoubleVector": "double", "FloatVector": "float"}


def fields_of(connector: str) -> list[dict[str, Any]]:
    """Return a connector's type cases as fields with the JSON text of their value."""
    return [
        {"schema": _node(case, f"c{number}"), "text": case.value}
        for number, case in enumerate(CASES[connector])
    ]


def row_of(connector: str, places: list[int]) -> list[dict[str, Any]]:
    """Return records of one table with those type cases as columns: their values, and nulls."""
    fields = [fields_of(connector)[place] for place in places]
    row = {
        "type": "struct",
        "optional": True,
        "name": f"{connector}.types.Value",
        "fields": [one["schema"] for one in fields],
    }
    schema = {
        "type": "struct",
        "optional": False,
        "name": f"{connector}.types.Envelope",
        "version": 1,
        "fields": [{**row, "field": "before"}, {**row, "field": "after"}],
    }
    values = ",".join(f'"{one["schema"]["field"]}":{one["text"]}' for one in fields)
    nulls = ",".join(f'"{one["schema"]["field"]}":null' for one in fields)
    payloads = [
        f'{{"before":{before},"after":{after}}}'
        for before, after in [("null", f"{{{values}}}"), (f"{{{nulls}}}", "null")]
    ]
    return [
        {
            "topic": f"types.{connector}",
            "key": None,
            "value": f'{{"schema":{json.dumps(schema)},"payload":{payload}}}',
        }
        for payload in payloads
    ]


def _node(case: TypeCase, name: str) -> dict[str, Any]:
    return {**_encoded(case.column), "optional": True, "field": name}


def _encoded(column: dict[str, Any]) -> dict[str, Any]:
    node: dict[str, Any] = {"type": column["type"], "optional": True}
    if "semantic" in column:
        node |= {"name": column["semantic"], "version": 1}
    if "parameters" in column:
        node["parameters"] = column["parameters"]
    simple = column.get("semantic", "").rpartition(".")[2]
    if column["type"] == "struct":
        node["fields"] = _INSIDE.get(simple, [])
    elif column["type"] == "map":
        text = {"type": "string", "optional": True}
        node |= {"keys": {**text, "optional": False}, "values": text}
    elif column["type"] == "array":
        items = column.get("items") or {"type": _VECTORS[simple]}
        node["items"] = _encoded(items)
    return node


# -- what no connector's types show ---------------------------------------------------------------


def _field(field: str, kind: str, *, optional: bool = False, **more: Any) -> dict[str, Any]:
    return {"type": kind, "optional": optional, "field": field, **more}


def _struct(*fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "struct", "optional": False, "fields": list(fields), **more}


def _logical(name: str) -> dict[str, Any]:
    return {"name": f"org.apache.kafka.connect.data.{name}", "version": 1}


_PAIRS = {
    "keys": {"type": "int32", "optional": False},
    "values": {"type": "string", "optional": True},
}
_INNER = _struct(
    _field("number", "int64"),
    _field("pairs", "map", **_PAIRS),
    _field("text", "string", optional=True),
    name="corner.Inner",
)
_DECIMAL = {**_logical("Decimal"), "parameters": {"scale": "2", "connect.decimal.precision": "9"}}

CORNERS: dict[str, tuple[Any, list[Any]]] = {
    "a key of text": ({"type": "string", "optional": False}, ["x", "", 'ü"\\\n\u0001 𝄞 </']),
    "a key that is a number": ({"type": "int64", "optional": False}, [2**63 - 1, -(2**63), 0]),
    "a boolean": ({"type": "boolean", "optional": False}, [True, False]),
    "a struct without fields": (_struct(name="corner.Empty"), [{}]),
    "a struct without a name": (_struct(_field("a", "int32")), [{"a": 1}]),
    "numbers": (
        _struct(
            _field("i8", "int8"), _field("i16", "int16"), _field("i32", "int32"),
            _field("i64", "int64"), _field("f", "float"), _field("d", "double"),
            name="corner.Numbers",
        ),
        [
            {"i8": -128, "i16": -32768, "i32": -(2**31), "i64": -(2**63), "f": 0.1, "d": 0.1},
            {"i8": 127, "i16": 32767, "i32": 2**31 - 1, "i64": 2**63 - 1, "f": 3.4e38,
             "d": 1.7976931348623157e308},
            {"i8": 0, "i16": 0, "i32": 0, "i64": 0, "f": -0.0, "d": 5e-324},
            {"i8": 1, "i16": 1, "i32": 1, "i64": 9007199254740993, "f": 1e10, "d": 1e21},
        ],
    ),
    "bytes": (
        _struct(_field("b", "bytes", optional=True), name="corner.Bytes"),
        [{"b": ""}, {"b": "AA=="}, {"b": "+/+/"}, {"b": "AQID" * 40}, {"b": None}],
    ),
    "Connect's own logical types": (
        _struct(
            _field("d", "int32", **_logical("Date")), _field("t", "int32", **_logical("Time")),
            _field("ts", "int64", **_logical("Timestamp")),
            _field("n", "bytes", optional=True, **_DECIMAL),
            _field("u", "bytes", **_logical("Decimal"), parameters={"scale": "40"}),
            _field("minus", "bytes", **_logical("Decimal"), parameters={"scale": "-3"}),
            name="corner.Logical",
        ),
        [
            {"d": 18000, "t": 86399999, "ts": 1600000000123, "n": "AN4=", "u": "AQ==",
             "minus": "Ag=="},
            {"d": -719162, "t": 0, "ts": -62135596800000, "n": None, "u": "/w==", "minus": "AIA="},
            {"d": -800000, "t": 1, "ts": -99999999999999, "n": "gA==", "minus": "AA==",
             "u": "BI1IDwgbCSuNrSl8ZzKmJcREXlIjvYlihWbNHIAU"},
        ],
    ),
    "defaults, documentation and parameters": (
        _struct(
            _field("i", "int32", default=5, doc="an int"),
            _field("o", "int32", optional=True, default=7),
            _field("s", "string", default="ü", parameters={"a": "b", "length": "5"}),
            _field("f", "float", default=0.5), _field("b", "bytes", default="/wA="),
            _field("flag", "boolean", optional=True, default=False),
            _field("n", "bytes", default="AN4=", **_DECIMAL),
            _field("l", "array", items={"type": "int32", "optional": False}, default=[1, 2]),
            name="corner.Defaults", version=3, doc="a struct", parameters={"p": "q"},
        ),
        [
            {"i": 1, "o": None, "s": "x", "f": 1.5, "b": "AA==", "flag": None, "n": "AQ==",
             "l": []},
            {"i": 5, "o": 7, "s": "ü", "f": 0.5, "b": "/wA=", "flag": True, "n": "AN4=",
             "l": [1, 2]},
        ],
    ),
    "collections in collections": (
        _struct(
            _field("nested", "array", optional=True, items={
                "type": "array", "optional": True,
                "items": {"type": "string", "optional": True}}),
            _field("structs", "array", items=_struct(
                _field("b", "bytes", optional=True), name="corner.Item")),
            _field("map", "map", keys={"type": "string", "optional": False},
                   values={"type": "array", "optional": True,
                           "items": {"type": "int64", "optional": False}}),
            name="corner.Collections",
        ),
        [
            {"nested": [["a", None], None, []], "structs": [{"b": "AA=="}, {"b": None}],
             "map": {'k"ü': [1], "": None, "z": []}},
            {"nested": None, "structs": [], "map": {}},
        ],
    ),
    "maps whose keys are not text, wherever they lie": (
        _struct(
            _field("before", "int32"), _field("pairs", "map", optional=True, **_PAIRS),
            _field("after", "string", optional=True),
            {**_INNER, "optional": True, "field": "inner"},
            _field("list", "array", items={**_INNER, "optional": True}),
            _field("map", "map", keys={"type": "string", "optional": False}, values=_INNER),
            _field("optional_keys", "map", name="corner.Keys",
                   keys={"type": "string", "optional": True},
                   values={"type": "int32", "optional": False}),
            _field("last", "double"),
            name="corner.Pairs",
        ),
        [
            {"before": 1, "pairs": [[1, "a"], [2, None]], "after": None,
             "inner": {"number": 1, "pairs": [], "text": '}",'},
             "list": [{"number": 2, "pairs": [[-1, 'x"y']], "text": None}, None],
             "map": {'a"b': {"number": 3, "pairs": [[5, ""]], "text": "t"}},
             "optional_keys": {'k"': 1, "": 2}, "last": 0.5},
            {"before": 2, "pairs": None, "after": "x", "inner": None, "list": [], "map": {},
             "optional_keys": {}, "last": -1.5},
        ],
    ),
    "fields that differ in case only": (
        _struct(
            _field("id", "int32"), _field("Id", "string", optional=True), _field("ID", "bytes"),
            {**_INNER, "field": "inner"},
            name="corner.Cases",
        ),
        [{"id": 1, "Id": "x", "ID": "AA==",
          "inner": {"number": 1, "pairs": [[1, "a"]], "text": "t"}},
         {"id": 2, "Id": None, "ID": "", "inner": {"number": 1, "pairs": [], "text": None}}],
    ),
    "names that Avro does not allow": (
        _struct(_field("a", "int32"), name="my-topic.1st-schema.Value"), [{"a": 1}],
    ),
    "a long text": (_struct(_field("t", "string"), name="corner.Long"), [{"t": "ä}\"" * 50_000}]),
}  # fmt: skip


def corners() -> Iterator[dict[str, Any]]:
    """Return the records of `CORNERS`, each value as a key as well."""
    for number, (schema, payloads) in enumerate(CORNERS.values()):
        for payload in payloads:
            side = {"schema": schema, "payload": payload}
            yield record(f"corner.{number}", side, side)


def _avro(*fields: Any, **more: Any) -> str:
    whole = [{"name": name, "type": kind} for name, kind in fields]
    return json.dumps({"type": "record", "name": "n.R", "fields": whole, **more})


_POINT = {"type": "record", "name": "n.Point", "fields": [{"name": "x", "type": "int"}]}
NATIVE: list[tuple[str, str, Any]] = [
    ("enum", _avro(("e", {"type": "enum", "name": "n.E", "symbols": ["A", "B_1"]})), {"e": "B_1"}),
    ("optional enum", _avro(("e", ["null", {"type": "enum", "name": "E", "symbols": ["A"]}])),
     {"e": {"n.E": "A"}}),
    ("fixed", _avro(("f", {"type": "fixed", "name": "n.F", "size": 3})), {"f": "\u0000aÿ"}),
    ("union of numbers", _avro(("u", ["int", "long"])), {"u": {"long": 5}}),
    ("union of numbers", _avro(("u", ["int", "long"])), {"u": {"int": 5}}),
    ("union of floats", _avro(("u", ["double", "null", "float"])), {"u": {"float": 0.5}}),
    ("union of floats", _avro(("u", ["double", "null", "float"])), {"u": None}),
    ("union with a record", _avro(("u", ["null", "string", _POINT])), {"u": {"n.Point": {"x": 1}}}),
    ("union with a record", _avro(("u", ["null", "string", _POINT])), {"u": {"string": '"'}}),
    ("union of collections",
     _avro(("u", [{"type": "array", "items": "bytes"}, {"type": "map", "values": "int"}])),
     {"u": {"array": ["a", "ÿ"]}}),
    ("unions in a list", _avro(("l", {"type": "array", "items": ["null", "int", "string"]})),
     {"l": [None, {"int": 1}, {"string": "x"}]}),
    ("a micro-timestamp", _avro(("t", {"type": "long", "logicalType": "timestamp-micros"})),
     {"t": 1600000000123456}),
    ("a uuid", _avro(("t", {"type": "string", "logicalType": "uuid"})),
     {"t": "8e8f3a0c-0a2b-4a6e-9a53-5e8a3c3a1c11"}),
    ("a field default", json.dumps({"type": "record", "name": "n.D", "doc": "of R", "fields": [
        {"name": "i", "type": "int", "default": 3, "doc": "of i"},
        {"name": "o", "type": ["null", "int"], "default": None}]}), {"i": 1, "o": {"int": 2}}),
]  # fmt: skip
