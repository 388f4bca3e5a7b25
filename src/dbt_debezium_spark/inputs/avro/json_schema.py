"""The Connect schema of a JSON Schema, as Kafka Connect's JsonConverter writes it.

Confluent's converter for JSON Schema stores what JSON Schema does not have in members of its own:
`connect.type` (the width of a number, bytes, maps), `connect.version`, `connect.parameters`, and
`connect.index`, the place of a field. A title is the schema's name, and a choice between null and a
schema is an optional one. This module reverses that. As for Avro, a schema without a version stays
without one.

The text of a value is what the JsonConverter would have written as payload, except for maps whose
keys are not text and for choices between several schemas, which are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import MAX_DEPTH, MAX_NODES

_ENUM = "io.confluent.connect.json.Enum"
_NUMBERS = {
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float32": "float",
    "float64": "double",
    "bytes": "bytes",
}


def connect_schema_of_json(text: str, referenced: Iterable[tuple[str, str]] = ()) -> str:
    """Return the Connect schema of a JSON Schema, as JSON text.

    Args:
        text: the schema.
        referenced: name and text of the referenced schemas.

    Raises:
        UnsupportedSchema: the text is no JSON Schema, or Connect has no such schema.
    """
    documents = {"": _document(text, "schema")}
    for name, other in referenced:
        documents[name] = _document(other, f"referenced schema `{name}`")
    try:
        schema = _Reader(documents).read(documents[""], "", optional=False, above=())
    except (TypeError, AttributeError, KeyError) as error:
        raise UnsupportedSchema(f"it is no JSON Schema: {error!r}") from error
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False)


def _document(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnsupportedSchema(f"the {what} is not JSON: {error}") from error


class _Inner(TypedDict):
    """How the schemas inside a node are read."""

    above: tuple[str, ...]
    depth: int


class _Reader:
    def __init__(self, documents: Mapping[str, Any]) -> None:
        self._documents = documents
        self._nodes = 0

    def read(
        self, node: Any, base: str, *, optional: bool, above: tuple[str, ...], depth: int = 0
    ) -> dict[str, Any]:
        """Return the Connect schema of a node.

        Args:
            node: a JSON Schema.
            base: name of its document.
            optional: whether its value may be null.
            above: references that led to it.
            depth: depth of the node.
        """
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise UnsupportedSchema(f"it is nested more than {MAX_DEPTH} deep")
        if self._nodes > MAX_NODES:
            raise UnsupportedSchema(f"written out it has more than {MAX_NODES} types")
        if not isinstance(node, dict):
            raise UnsupportedSchema(f"{_shown(node)} does not say what type it has")
        inner: _Inner = {"above": above, "depth": depth + 1}
        if "$ref" in node:
            target, target_base, place = self._resolved(str(node["$ref"]), base)
            if place in above:
                raise UnsupportedSchema(f"`{place}` contains itself, which Connect cannot say")
            return self.read(
                target, target_base, optional=optional, above=(*above, place), depth=depth + 1
            )
        choices = _choices(node)
        if choices is not None:
            members = [choice for choice in choices if choice != {"type": "null"}]
            if len(members) != 1:
                raise UnsupportedSchema(f"{_shown(node)} is a choice between several types")
            optional = optional or len(members) < len(choices)
            return self.read(members[0], base, optional=optional, **inner)
        if "allOf" in node:
            if len(node["allOf"]) != 1:
                raise UnsupportedSchema(f"{_shown(node)} combines several schemas")
            return self.read(node["allOf"][0], base, optional=optional, **inner)
        schema = self._typed(node, base, inner)
        parameters = dict(schema.pop("parameters", {}))
        schema["optional"] = optional
        if isinstance(node.get("title"), str):
            schema["name"] = node["title"]
        if isinstance(node.get("connect.version"), int):
            schema["version"] = node["connect.version"]
        if isinstance(node.get("description"), str):
            schema["doc"] = node["description"]
        declared = node.get("connect.parameters")
        for name, value in (declared if isinstance(declared, dict) else {}).items():
            if not isinstance(value, str):
                raise UnsupportedSchema(f"the parameter `{name}` is not text")
            parameters[name] = value
        if parameters:
            schema["parameters"] = parameters
        if node.get("default") is not None:
            schema["default"] = node["default"]
        return schema

    def _typed(self, node: Mapping[str, Any], base: str, inner: _Inner) -> dict[str, Any]:
        """Return the type of a node, with its members."""
        kind, connect = node.get("type"), node.get("connect.type")
        if kind == "boolean":
            return {"type": "boolean"}
        if kind in ("integer", "number"):
            usual = "int64" if kind == "integer" else "float64"
            if (connect or usual) not in _NUMBERS:
                raise UnsupportedSchema(f"a number has the connect.type {_shown(connect)}")
            return {"type": _NUMBERS[connect or usual]}
        if isinstance(node.get("enum"), list):
            symbols = [str(symbol) for symbol in node["enum"]]
            parameters = {_ENUM: "", **{f"{_ENUM}.{symbol}": symbol for symbol in symbols}}
            return {"type": "string", "parameters": parameters}
        if kind == "string":
            return {"type": "bytes" if connect == "bytes" else "string"}
        if kind == "array":
            if connect == "map":
                raise UnsupportedSchema(
                    "it has a map whose keys are not text, which the converter writes as a list of"
                    " objects"
                )
            items = self.read(node["items"], base, optional=False, **inner)
            return {"type": "array", "items": items}
        if kind == "object" or (kind is None and "properties" in node):
            if connect == "map":
                values = self.read(node["additionalProperties"], base, optional=False, **inner)
                return {
                    "type": "map",
                    "keys": {"type": "string", "optional": False},
                    "values": values,
                }
            return {"type": "struct", "fields": self._fields(node, base, inner)}
        raise UnsupportedSchema(f"{_shown(node)} does not say what type it has")

    def _fields(self, node: Mapping[str, Any], base: str, inner: _Inner) -> list[dict[str, Any]]:
        """Return the fields of a struct in the order of `connect.index`.

        The converter makes every field a property and lists none as required. In other schemas, a
        property that is not required may be missing.
        """
        properties = node.get("properties") or {}
        required = node.get("required")
        places: dict[int, tuple[str, Any]] = {}
        for name, member in properties.items():
            place = member.get("connect.index") if isinstance(member, dict) else None
            if not isinstance(place, int) or place in places:
                place = max(places, default=-1) + 1
            places[place] = (name, member)
        fields = []
        for _, (name, member) in sorted(places.items()):
            optional = isinstance(required, list) and name not in required
            field = self.read(member, base, optional=optional, **inner)
            field["field"] = name
            fields.append(field)
        return fields

    def _resolved(self, reference: str, base: str) -> tuple[Any, str, str]:
        """Return the schema to which a reference leads, its document, and its full place."""
        document, _, pointer = reference.partition("#")
        document = document or base
        if document not in self._documents:
            raise UnsupportedSchema(f"it refers to `{reference}`, which is not registered with it")
        root = self._documents[document]
        if pointer and not pointer.startswith("/"):
            found = _with_id(root, f"#{pointer}")
            if found is None:
                raise UnsupportedSchema(f"it refers to `{reference}`, which does not exist")
            return found, document, f"{document}#{pointer}"
        for part in pointer.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(root, dict) or name not in root:
                raise UnsupportedSchema(f"it refers to `{reference}`, which does not exist")
            root = root[name]
        return root, document, f"{document}#{pointer}"


def _choices(node: Mapping[str, Any]) -> list[Any] | None:
    """Return the schemas between which a node chooses; None for another node."""
    for member in ("oneOf", "anyOf"):
        if isinstance(node.get(member), list):
            return list(node[member])
    if isinstance(node.get("type"), list):
        return [
            {"type": "null"} if kind == "null" else {**node, "type": kind} for kind in node["type"]
        ]
    return None


def _with_id(node: Any, name: str) -> Any:
    """Return the schema with an id; None if there is none."""
    if isinstance(node, dict):
        if name in (node.get("$id"), node.get("id"), f"#{node.get('$anchor')}"):
            return node
        inside = list(node.values())
    else:
        inside = node if isinstance(node, list) else []
    return next((found for inner in inside if (found := _with_id(inner, name)) is not None), None)


def _shown(value: Any) -> str:
    return json.dumps(value)[:100]
