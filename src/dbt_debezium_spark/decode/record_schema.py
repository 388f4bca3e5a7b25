"""Embedded schemas: whether Connect's JSON converter can write one, and its nodes as columns.

Records can be damaged, and a topic can contain records that no connector wrote. Embedded schemas
decide which models exist and how values are decoded, so an invalid schema must be found first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_NUMBERS = ("int8", "int16", "int32", "int64", "float", "float32", "double", "float64")
TYPES = frozenset((*_NUMBERS, "boolean", "string", "bytes", "array", "map", "struct"))
_INNER = {"items": "array", "keys": "map", "values": "map"}
# Maximal depth of arrays, maps and structs in a column; PostgreSQL's arrays have 6 dimensions.
MAX_DEPTH = 8

_DECIMAL = "org.apache.kafka.connect.data.Decimal"
_BITS = "io.debezium.data.Bits"
# PostgreSQL declares at most 1,000 digits, and sends a negative scale in 11 bits.
_SCALES = range(-2047, 2048)
_PRECISIONS = range(1, 2048)
# Lengths of PostgreSQL's bit(n). A varbit without a length has the highest int.
_LENGTHS = range(1, 83_886_081)
_NO_LENGTH = str(2**31 - 1)


class _InvalidSchema(ValueError):
    """No converter writes this schema; the text is the reason."""


def schema_problem(side: str, schema: str) -> str | None:
    """Return the reason why no converter writes a schema, None if one does.

    Args:
        side: `value` for the schema of an event, `key` for that of its key.
        schema: its JSON text.
    """
    try:
        (_check_value if side == "value" else _check_key)(json.loads(schema))
    except _InvalidSchema as problem:
        return str(problem)
    except RecursionError:
        return "it is nested too deep"
    except ValueError:
        return "it is no JSON"
    return None


def column_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node of a Connect schema as a column.

    This is the reverse of `configured_tables.connect_node`. The column omits what decodes no value
    and changes often: labels of an enum, documentation, defaults.
    """
    column: dict[str, Any] = {}
    if node.get("field") is not None:
        column["name"] = node["field"]
    column["type"] = node["type"]
    if node.get("name"):
        column["semantic"] = node["name"]
    parameters = {
        name: parameter
        for name, parameter in (node.get("parameters") or {}).items()
        if name != "allowed" and not name.startswith("__debezium.")
    }
    if parameters:
        column["parameters"] = parameters
    if node.get("optional") is False:
        column["optional"] = False
    for member in ("items", "keys", "values"):
        if node.get(member):
            column[member] = column_of(node[member])
    if node.get("fields"):
        column["fields"] = [column_of(field) for field in node["fields"]]
    return column


def _check_value(schema: Any) -> None:
    fields = _list(schema.get("fields") if isinstance(schema, dict) else None, "the event")
    images = [
        field for field in fields if isinstance(field, dict) and field.get("field") == "after"
    ]
    if len(images) != 1 or images[0].get("type") != "struct":
        raise _InvalidSchema("it has no row image `after`")
    _check_columns(images[0].get("fields"))


def _check_key(schema: Any) -> None:
    if isinstance(schema, dict) and schema.get("type") == "struct":
        _check_columns(schema.get("fields"))
    else:
        _check_node(schema, "the key", 0)


def _check_columns(fields: Any) -> None:
    columns = _list(fields, "the row")
    if not columns:
        raise _InvalidSchema("it has no columns")
    _check_fields(columns, "", 0)


def _check_fields(fields: list[Any], within: str, depth: int) -> None:
    names = set()
    for number, field in enumerate(fields, start=1):
        name = field.get("field") if isinstance(field, dict) else None
        if not isinstance(name, str) or not name:
            raise _InvalidSchema(f"column {number}{within} has no name")
        where = f"column `{name}`{within}"
        if name in names:
            raise _InvalidSchema(f"{where} stands twice")
        names.add(name)
        _check_node(field, where, depth)


def _check_node(node: Any, where: str, depth: int) -> None:
    kind = node.get("type") if isinstance(node, dict) else None
    if not isinstance(kind, str) or kind not in TYPES:
        text = kind if isinstance(kind, str) else json.dumps(kind)
        raise _InvalidSchema(f"{where} has the type `{text[:100]}`")
    if depth == MAX_DEPTH:
        raise _InvalidSchema(f"{where} is nested deeper than {MAX_DEPTH} levels")
    if not isinstance(node.get("name"), str | None):
        raise _InvalidSchema(f"{where} has a semantic type that is no text")
    if not isinstance(node.get("optional", True), bool):
        raise _InvalidSchema(f"{where} does not say whether it is optional")
    _check_parameters(node, where)
    if node.get("fields") is not None:
        _check_fields(_list(node["fields"], where), f" within {where}", depth + 1)
    for member, outer in _INNER.items():
        if kind == outer or node.get(member) is not None:
            # `items of` occurs once, however deep the item is
            inner = where if where.startswith(f"{member} of ") else f"{member} of {where}"
            _check_node(node.get(member), inner, depth + 1)


def _check_parameters(node: Mapping[str, Any], where: str) -> None:
    parameters = node.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise _InvalidSchema(f"{where} has parameters that are no object")
    for name, value in parameters.items():
        if not isinstance(value, str | int):
            raise _InvalidSchema(f"{where} has the parameter `{name}` that is no text")
    if node.get("name") == _DECIMAL:
        _check_number(parameters, "scale", where, _SCALES)
        _check_number(parameters, "connect.decimal.precision", where, _PRECISIONS)
    elif node.get("name") == _BITS and str(parameters.get("length")) != _NO_LENGTH:
        _check_number(parameters, "length", where, _LENGTHS)


def _check_number(parameters: Mapping[str, Any], name: str, where: str, allowed: range) -> None:
    text = parameters.get(name)
    if text is None:
        return
    try:
        number = int(text)
    except (TypeError, ValueError):
        number = None
    if number is None or number not in allowed:
        raise _InvalidSchema(f"{where} has the {name} `{str(text)[:100]}`")


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _InvalidSchema(f"{where} has fields that are no list")
    return value
