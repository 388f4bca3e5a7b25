"""The Connect schema that an Avro schema stands for, as Kafka Connect's JsonConverter prints it.

Connect's Avro converters (Confluent's, and Apicurio's after it) write what Avro has no word for
into attributes of the Avro schema: `connect.name`, `connect.version`, `connect.parameters`,
`connect.default`, `connect.doc`, `connect.type`. This is the way back. It differs from theirs in
one thing: a schema without a version stays without. They put the registry's version there, which
the record's producer never wrote.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from dbt_debezium_spark.avro.errors import UnsupportedSchema
from dbt_debezium_spark.avro.parsing import NO_DEFAULT, Avro

DECIMAL = "org.apache.kafka.connect.data.Decimal"
DATE = "org.apache.kafka.connect.data.Date"
TIME = "org.apache.kafka.connect.data.Time"
TIMESTAMP = "org.apache.kafka.connect.data.Timestamp"

NAMESPACE = "io.confluent.connect.avro"
UNION = f"{NAMESPACE}.Union"
ENUM = f"{NAMESPACE}.Enum"
UNNAMED = f"{NAMESPACE}.ConnectDefault"
MAP_ENTRY = "MapEntry"
DEFAULT_FLAG = f"{NAMESPACE}.field.default"
# Written when Connect's schema says no precision.
UNSAID_PRECISION = 64

_PLAIN = {
    "boolean": "boolean",
    "bytes": "bytes",
    "fixed": "bytes",
    "double": "double",
    "float": "float",
    "int": "int32",
    "long": "int64",
    "string": "string",
    "enum": "string",
    "array": "array",
    "map": "map",
    "record": "struct",
}
_LOGICAL = {
    ("bytes", "decimal"): DECIMAL,
    ("fixed", "decimal"): DECIMAL,
    ("int", "date"): DATE,
    ("int", "time-millis"): TIME,
    ("long", "timestamp-millis"): TIMESTAMP,
}


def connect_schema_text(tree: Avro) -> str:
    """Return the Connect schema of a tree as JSON text.

    Raises:
        UnsupportedSchema: Connect has no such schema.
    """
    return json.dumps(connect_schema(tree), separators=(",", ":"), ensure_ascii=False)


def connect_schema(
    tree: Avro, *, optional: bool = False, default: Any = NO_DEFAULT
) -> dict[str, Any]:
    """Return the Connect schema of a tree, its members in the converter's order.

    Args:
        tree: the Avro type.
        optional: whether a union with null surrounds it.
        default: the default of the record's field that it is the type of.

    Raises:
        UnsupportedSchema: Connect has no such schema.
    """
    if tree.type == "union":
        member = optional_member(tree)
        if member is not None:
            return connect_schema(member, optional=True)
        if len(tree.branches) == 1:
            return connect_schema(tree.branches[0])
        return _union(tree, default)
    if tree.type == "null":
        raise UnsupportedSchema("it has a value that is always null, for which Connect has no type")
    said = tree.attributes
    name = _LOGICAL.get((tree.type, tree.logical_type))
    version = None if name is None else 1
    schema: dict[str, Any] = {"type": _type(tree), **_inside(tree)}
    parameters = _parameters(tree)
    if isinstance(said.get("connect.version"), int):
        version = said["connect.version"]
    said_name = said.get("connect.name")
    if isinstance(said_name, str):
        name = said_name
    elif name is None and tree.is_named:
        name = tree.name
    if default is NO_DEFAULT:
        default = said.get("connect.default", NO_DEFAULT)
    elif "connect.default" not in said:
        parameters[DEFAULT_FLAG] = "true"

    schema["optional"] = optional
    if name is not None and not name.startswith(UNNAMED):
        schema["name"] = name
    if version is not None:
        schema["version"] = version
    if isinstance(said.get("connect.doc"), str):
        schema["doc"] = said["connect.doc"]
    if parameters:
        schema["parameters"] = parameters
    if default is not NO_DEFAULT and default is not None:
        try:
            schema["default"] = _default(tree, default)
        except (TypeError, ValueError, AttributeError, KeyError):
            # As the converters do: a default of another type than its schema's is none.
            schema.pop("default", None)
    return schema


def optional_member(tree: Avro) -> Avro | None:
    """Return what a union of null and one type makes optional, None for other unions."""
    if len(tree.branches) != 2:
        return None
    members = [one for one in tree.branches if one.type != "null"]
    return members[0] if len(members) == 1 else None


def is_map_entry(tree: Avro) -> bool:
    """Whether an array's items are the pairs of a map whose keys are not text."""
    if tree.type != "record":
        return False
    named = tree.name == f"{NAMESPACE}.{MAP_ENTRY}"
    if not named and tree.attributes.get("connect.internal.type") != MAP_ENTRY:
        return False
    if sorted(one.name for one in tree.fields) != ["key", "value"]:
        raise UnsupportedSchema(f"`{tree.name}` is a map's entry without `key` and `value`")
    return True


def entry_types(tree: Avro) -> tuple[Avro, Avro]:
    """Return the types of key and value of a map's entry."""
    by_name = {one.name: one.type for one in tree.fields}
    return by_name["key"], by_name["value"]


def union_members(tree: Avro) -> list[tuple[str, Avro]]:
    """Return the members of a union that are not null, with the names that Connect gives them.

    Raises:
        UnsupportedSchema: two would have one name.
    """
    members = [
        (one.simple_name if one.is_named else one.type, one)
        for one in tree.branches
        if one.type != "null"
    ]
    names = [name for name, _ in members]
    for name in names:
        if names.count(name) > 1:
            raise UnsupportedSchema(f"a union has two members of the name `{name}`")
    return members


def _type(tree: Avro) -> str:
    if tree.type == "array" and is_map_entry(tree.branches[0]):
        return "map"
    if tree.type == "int" and not tree.logical_type:
        said = tree.attributes.get("connect.type", "int32")
        if said not in ("int8", "int16", "int32"):
            raise UnsupportedSchema(f"an int has the connect.type {json.dumps(said)}")
        return str(said)
    return _PLAIN[tree.type]


def _inside(tree: Avro) -> dict[str, Any]:
    if tree.type == "record":
        fields = []
        for one in tree.fields:
            schema = connect_schema(one.type, default=one.default)
            schema["field"] = one.name
            fields.append(schema)
        return {"fields": fields}
    if tree.type == "map":
        return {
            "keys": {"type": "string", "optional": False},
            "values": connect_schema(tree.branches[0]),
        }
    if tree.type == "array":
        items = tree.branches[0]
        if is_map_entry(items):
            key, value = entry_types(items)
            return {"keys": connect_schema(key), "values": connect_schema(value)}
        return {"items": connect_schema(items)}
    return {}


def _union(tree: Avro, default: Any) -> dict[str, Any]:
    fields = []
    for name, member in union_members(tree):
        schema = connect_schema(member, optional=True)
        schema["field"] = name
        fields.append(schema)
    schema = {
        "type": "struct",
        "fields": fields,
        "optional": any(one.type == "null" for one in tree.branches),
        "name": UNION,
    }
    if default is not NO_DEFAULT:
        schema["parameters"] = {DEFAULT_FLAG: "true"}
        if default is not None:
            schema["default"] = _default(tree, default)
    return schema


def _parameters(tree: Avro) -> dict[str, str]:
    found: dict[str, str] = {}
    said = tree.attributes
    if tree.type in ("bytes", "fixed"):
        if tree.logical_type == "decimal":
            scale, precision = said.get("scale"), said.get("precision")
            found["scale"] = str(scale) if isinstance(scale, int) else "0"
            if isinstance(precision, int) and precision != UNSAID_PRECISION:
                found["connect.decimal.precision"] = str(precision)
        if tree.type == "fixed":
            found["connect.fixed.size"] = str(tree.size)
    doc = said.get("doc")
    if tree.type == "record":
        if isinstance(doc, str):
            found[f"{NAMESPACE}.record.doc"] = doc
        for one in tree.fields:
            if one.doc is not None:
                found[f"{NAMESPACE}.field.doc.{one.name}"] = one.doc
    if tree.type == "enum":
        if isinstance(doc, str):
            found[f"{NAMESPACE}.enum.doc.{tree.simple_name}"] = doc
        if isinstance(said.get("default"), str):
            found[f"{NAMESPACE}.enum.default.{tree.simple_name}"] = said["default"]
        found[ENUM] = tree.name
        for symbol in tree.symbols:
            found[f"{ENUM}.{symbol}"] = symbol
    parameters = said.get("connect.parameters")
    if isinstance(parameters, dict):
        for name, value in parameters.items():
            if not isinstance(value, str):
                raise UnsupportedSchema(f"the parameter `{name}` is not text")
            found[name] = value
    for name, value in said.items():
        if name.startswith("avro"):
            found[name] = value if isinstance(value, str) else json.dumps(value)
    return found


def _default(tree: Avro, value: Any) -> Any:
    """Return a default of the Avro schema as the converter prints a value of that type."""
    if value is None or tree.type == "null":
        return None
    if tree.type == "union":
        member = optional_member(tree)
        if member is not None:
            return _default(member, value)
        # A default is of the first member.
        name, first = union_members(tree)[0]
        members: dict[str, Any] = dict.fromkeys(name for name, _ in union_members(tree))
        return {**members, name: _default(first, value)}
    if tree.type in ("bytes", "fixed"):
        content = value.encode("latin-1")
        if tree.logical_type == "decimal":
            content = shortest(content)
        return base64.b64encode(content).decode()
    if tree.type in ("float", "double") and not isinstance(value, str):
        return float(value)
    if tree.type in ("int", "long"):
        return int(value)
    if tree.type == "array":
        items = tree.branches[0]
        if is_map_entry(items):
            types = entry_types(items)
            return [
                [_default(kind, one) for kind, one in zip(types, pair, strict=True)]
                for pair in value
            ]
        return [_default(items, one) for one in value]
    if tree.type == "map":
        return {name: _default(tree.branches[0], one) for name, one in value.items()}
    if tree.type == "record":
        return {one.name: _default(one.type, value.get(one.name)) for one in tree.fields}
    return value


def shortest(content: bytes) -> bytes:
    """Return an integer's two's complement without needless bytes, as Java prints it."""
    number = int.from_bytes(content, "big", signed=True)
    length = (number if number >= 0 else ~number).bit_length() // 8 + 1
    return number.to_bytes(length, "big", signed=True)
