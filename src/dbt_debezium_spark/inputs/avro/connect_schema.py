"""The Connect schema of an Avro schema, as Kafka Connect's JsonConverter writes it.

The Avro converters of Confluent and Apicurio store properties that Avro does not have in attributes
of the Avro schema: `connect.name`, `connect.version`, `connect.parameters`, `connect.default`,
`connect.doc`, `connect.type`. This module reverses that, with one difference: a schema without a
version stays without one. The converters add the registry's version, which the producer of the
record did not write.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import NO_DEFAULT, Avro

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
# The converters write it if Connect's schema has no precision.
DEFAULT_PRECISION = 64

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
        optional: whether the type is in a union with null.
        default: default of the record's field with this type.

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
    attributes = tree.attributes
    name = _LOGICAL.get((tree.type, tree.logical_type))
    version = None if name is None else 1
    schema: dict[str, Any] = {"type": _type(tree), **_inside(tree)}
    parameters = _parameters(tree)
    if isinstance(attributes.get("connect.version"), int):
        version = attributes["connect.version"]
    declared_name = attributes.get("connect.name")
    if isinstance(declared_name, str):
        name = declared_name
    elif name is None and tree.is_named:
        name = tree.name
    if default is NO_DEFAULT:
        default = attributes.get("connect.default", NO_DEFAULT)
    elif "connect.default" not in attributes:
        parameters[DEFAULT_FLAG] = "true"

    schema["optional"] = optional
    if name is not None and not name.startswith(UNNAMED):
        schema["name"] = name
    if version is not None:
        schema["version"] = version
    if isinstance(attributes.get("connect.doc"), str):
        schema["doc"] = attributes["connect.doc"]
    if parameters:
        schema["parameters"] = parameters
    if default is not NO_DEFAULT and default is not None:
        try:
            schema["default"] = _default(tree, default)
        except (TypeError, ValueError, AttributeError, KeyError):
            # Like the converters, ignore a default of another type.
            schema.pop("default", None)
    return schema


def optional_member(tree: Avro) -> Avro | None:
    """Return the type in a union of null and one type; None for other unions."""
    if len(tree.branches) != 2:
        return None
    members = [branch for branch in tree.branches if branch.type != "null"]
    return members[0] if len(members) == 1 else None


def is_map_entry(tree: Avro) -> bool:
    """Return whether the items of an array are entries of a map whose keys are not text."""
    if tree.type != "record":
        return False
    is_named = tree.name == f"{NAMESPACE}.{MAP_ENTRY}"
    if not is_named and tree.attributes.get("connect.internal.type") != MAP_ENTRY:
        return False
    if sorted(field.name for field in tree.fields) != ["key", "value"]:
        raise UnsupportedSchema(f"`{tree.name}` is a map's entry without `key` and `value`")
    return True


def entry_types(tree: Avro) -> tuple[Avro, Avro]:
    """Return the types of key and value of a map's entry."""
    by_name = {field.name: field.type for field in tree.fields}
    return by_name["key"], by_name["value"]


def union_members(tree: Avro) -> list[tuple[str, Avro]]:
    """Return the members of a union other than null, with their names in Connect.

    Raises:
        UnsupportedSchema: two members have the same name.
    """
    members = [
        (branch.simple_name if branch.is_named else branch.type, branch)
        for branch in tree.branches
        if branch.type != "null"
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
        width = tree.attributes.get("connect.type", "int32")
        if width not in ("int8", "int16", "int32"):
            raise UnsupportedSchema(f"an int has the connect.type {json.dumps(width)}")
        return str(width)
    return _PLAIN[tree.type]


def _inside(tree: Avro) -> dict[str, Any]:
    if tree.type == "record":
        fields = []
        for field in tree.fields:
            schema = connect_schema(field.type, default=field.default)
            schema["field"] = field.name
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
        "optional": any(branch.type == "null" for branch in tree.branches),
        "name": UNION,
    }
    if default is not NO_DEFAULT:
        schema["parameters"] = {DEFAULT_FLAG: "true"}
        if default is not None:
            schema["default"] = _default(tree, default)
    return schema


def _parameters(tree: Avro) -> dict[str, str]:
    parameters: dict[str, str] = {}
    attributes = tree.attributes
    if tree.type in ("bytes", "fixed"):
        if tree.logical_type == "decimal":
            scale, precision = attributes.get("scale"), attributes.get("precision")
            parameters["scale"] = str(scale) if isinstance(scale, int) else "0"
            if isinstance(precision, int) and precision != DEFAULT_PRECISION:
                parameters["connect.decimal.precision"] = str(precision)
        if tree.type == "fixed":
            parameters["connect.fixed.size"] = str(tree.size)
    doc = attributes.get("doc")
    if tree.type == "record":
        if isinstance(doc, str):
            parameters[f"{NAMESPACE}.record.doc"] = doc
        for field in tree.fields:
            if field.doc is not None:
                parameters[f"{NAMESPACE}.field.doc.{field.name}"] = field.doc
    if tree.type == "enum":
        if isinstance(doc, str):
            parameters[f"{NAMESPACE}.enum.doc.{tree.simple_name}"] = doc
        if isinstance(attributes.get("default"), str):
            parameters[f"{NAMESPACE}.enum.default.{tree.simple_name}"] = attributes["default"]
        parameters[ENUM] = tree.name
        for symbol in tree.symbols:
            parameters[f"{ENUM}.{symbol}"] = symbol
    declared = attributes.get("connect.parameters")
    if isinstance(declared, dict):
        for name, value in declared.items():
            if not isinstance(value, str):
                raise UnsupportedSchema(f"the parameter `{name}` is not text")
            parameters[name] = value
    for name, value in attributes.items():
        if name.startswith("avro"):
            parameters[name] = value if isinstance(value, str) else json.dumps(value)
    return parameters


def _default(tree: Avro, value: Any) -> Any:
    """Return a default of the Avro schema as the converter writes a value of that type."""
    if value is None or tree.type == "null":
        return None
    if tree.type == "union":
        member = optional_member(tree)
        if member is not None:
            return _default(member, value)
        # The type of a default is the first member.
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
                [_default(kind, member) for kind, member in zip(types, pair, strict=True)]
                for pair in value
            ]
        return [_default(items, item) for item in value]
    if tree.type == "map":
        return {name: _default(tree.branches[0], item) for name, item in value.items()}
    if tree.type == "record":
        return {field.name: _default(field.type, value.get(field.name)) for field in tree.fields}
    return value


def shortest(content: bytes) -> bytes:
    """Return an integer's two's complement in as few bytes as in Java."""
    number = int.from_bytes(content, "big", signed=True)
    length = (number if number >= 0 else ~number).bit_length() // 8 + 1
    return number.to_bytes(length, "big", signed=True)
