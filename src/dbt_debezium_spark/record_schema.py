"""Whether a schema that a record carries is one that Connect's JSON converter writes.

Records can be damaged on their way, and a topic can hold what no connector wrote. What models are
made of, and how values are read, goes by embedded schemas; one that cannot be believed must be told
from the others before anything is made of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_NUMBERS = ("int8", "int16", "int32", "int64", "float", "float32", "double", "float64")
TYPES = frozenset((*_NUMBERS, "boolean", "string", "bytes", "array", "map", "struct"))
_INNER = {"items": "array", "keys": "map", "values": "map"}
# Of arrays, maps and structs within a column. PostgreSQL's arrays have 6 dimensions at most.
MOST_NESTED = 8

_DECIMAL = "org.apache.kafka.connect.data.Decimal"
_BITS = "io.debezium.data.Bits"
# PostgreSQL declares at most 1,000 digits, and sends a negative scale in 11 bits.
_SCALES = range(-2047, 2048)
_PRECISIONS = range(1, 2048)
# PostgreSQL's bit(n); a varbit without a length has that of an int.
_LENGTHS = range(1, 83_886_081)
_NO_LENGTH = str(2**31 - 1)


class _Unwritten(ValueError):
    """The schema is none that a converter writes; the text says why."""


def schema_problem(side: str, schema: str) -> str | None:
    """Say why no converter writes a schema, None when one does.

    Args:
        side: `value` for the schema of an event, `key` for that of its key.
        schema: its JSON text.
    """
    try:
        (_check_value if side == "value" else _check_key)(json.loads(schema))
    except _Unwritten as problem:
        return str(problem)
    except RecursionError:
        return "it is nested too deep"
    except ValueError:
        return "it is no JSON"
    return None


def _check_value(schema: Any) -> None:
    fields = _list(schema.get("fields") if isinstance(schema, dict) else None, "the event")
    images = [one for one in fields if isinstance(one, dict) and one.get("field") == "after"]
    if len(images) != 1 or images[0].get("type") != "struct":
        raise _Unwritten("it has no row image `after`")
    _check_columns(images[0].get("fields"))


def _check_key(schema: Any) -> None:
    if isinstance(schema, dict) and schema.get("type") == "struct":
        _check_columns(schema.get("fields"))
    else:
        _check_node(schema, "the key", 0)


def _check_columns(fields: Any) -> None:
    columns = _list(fields, "the row")
    if not columns:
        raise _Unwritten("it has no columns")
    _check_fields(columns, "", 0)


def _check_fields(fields: list[Any], within: str, depth: int) -> None:
    seen = set()
    for number, field in enumerate(fields, start=1):
        name = field.get("field") if isinstance(field, dict) else None
        if not isinstance(name, str) or not name:
            raise _Unwritten(f"column {number}{within} has no name")
        where = f"column `{name}`{within}"
        if name in seen:
            raise _Unwritten(f"{where} stands twice")
        seen.add(name)
        _check_node(field, where, depth)


def _check_node(node: Any, where: str, depth: int) -> None:
    kind = node.get("type") if isinstance(node, dict) else None
    if not isinstance(kind, str) or kind not in TYPES:
        shown = kind if isinstance(kind, str) else json.dumps(kind)
        raise _Unwritten(f"{where} has the type `{shown[:100]}`")
    if depth == MOST_NESTED:
        raise _Unwritten(f"{where} is nested deeper than {MOST_NESTED} levels")
    if not isinstance(node.get("name"), str | None):
        raise _Unwritten(f"{where} has a semantic type that is no text")
    if not isinstance(node.get("optional", True), bool):
        raise _Unwritten(f"{where} does not say whether it is optional")
    _check_parameters(node, where)
    if node.get("fields") is not None:
        _check_fields(_list(node["fields"], where), f" within {where}", depth + 1)
    for member, of_type in _INNER.items():
        if kind == of_type or node.get(member) is not None:
            # named once, however deep it lies
            inner = where if where.startswith(f"{member} of ") else f"{member} of {where}"
            _check_node(node.get(member), inner, depth + 1)


def _check_parameters(node: Mapping[str, Any], where: str) -> None:
    parameters = node.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise _Unwritten(f"{where} has parameters that are no object")
    for name, value in parameters.items():
        if not isinstance(value, str | int):
            raise _Unwritten(f"{where} has the parameter `{name}` that is no text")
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
        raise _Unwritten(f"{where} has the {name} `{str(text)[:100]}`")


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _Unwritten(f"{where} has fields that are no list")
    return value
