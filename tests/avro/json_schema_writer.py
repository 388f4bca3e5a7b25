"""What Confluent's JsonSchemaConverter makes of a Connect schema and a payload, from its layout.

The converter is in no public Maven repository, so this is written from its documentation and from
the schemas that it registers; it shares nothing with the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DECIMAL = "org.apache.kafka.connect.data.Decimal"
_NUMBERS = {
    "int8": ("integer", "int8"),
    "int16": ("integer", "int16"),
    "int32": ("integer", "int32"),
    "int64": ("integer", "int64"),
    "float": ("number", "float32"),
    "double": ("number", "float64"),
}


def json_schema(connect: Mapping[str, Any], index: int | None = None) -> dict[str, Any]:
    """Return the JSON Schema that the converter registers.

    Args:
        connect: the Connect schema as the JSON converter writes it.
        index: place of the field that has it.
    """
    node = _typed(connect)
    if connect.get("name"):
        node["title"] = connect["name"]
    if connect.get("version") is not None:
        node["connect.version"] = connect["version"]
    if connect.get("doc"):
        node["description"] = connect["doc"]
    if connect.get("parameters"):
        node["connect.parameters"] = dict(connect["parameters"])
    if connect.get("default") is not None:
        node["default"] = connect["default"]
    place = {} if index is None else {"connect.index": index}
    if connect.get("optional"):
        return {**place, "oneOf": [{"type": "null"}, node]}
    return {**place, **node}


def _typed(connect: Mapping[str, Any]) -> dict[str, Any]:
    kind = connect["type"]
    if kind in _NUMBERS:
        written, width = _NUMBERS[kind]
        return {"type": written, "connect.type": width}
    if kind == "bytes":
        is_decimal = connect.get("name") == DECIMAL
        return {"type": "number" if is_decimal else "string", "connect.type": "bytes"}
    if kind == "array":
        return {"type": "array", "items": json_schema(connect["items"])}
    if kind == "map":
        keys, values = connect["keys"], connect["values"]
        if keys["type"] == "string" and not keys.get("optional"):
            inner = json_schema(values)
            return {"type": "object", "connect.type": "map", "additionalProperties": inner}
        entry = {"key": json_schema(keys, 0), "value": json_schema(values, 1)}
        items = {"type": "object", "properties": entry}
        return {"type": "array", "connect.type": "map", "items": items}
    if kind == "struct":
        # org.json, which prints the schema, does not keep the order of properties
        fields = enumerate(connect["fields"])
        properties = {field["field"]: json_schema(field, place) for place, field in fields}
        return {"type": "object", "properties": dict(sorted(properties.items()))}
    return {"type": kind}


def framed(schema_id: int, text: str) -> bytes:
    """Return a value in Confluent's wire format."""
    return b"\x00" + schema_id.to_bytes(4, "big") + text.encode()
