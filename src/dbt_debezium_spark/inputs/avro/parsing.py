"""An Avro schema as a tree, with full names and resolved references."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema

PRIMITIVES = frozenset({"null", "boolean", "int", "long", "float", "double", "bytes", "string"})
NO_DEFAULT = object()
# A JSON schema contains a type at each use. A few types that use each other twice would exceed the
# memory.
MAX_NODES = 50_000
MAX_DEPTH = 100
_STRUCTURE = frozenset(
    {"type", "name", "namespace", "fields", "items", "values", "symbols", "size", "aliases"}
)


@dataclass
class Avro:
    """One type. All references to a named type are the same object.

    Attributes:
        type: `record`, `union`, `int`, …
        name: full name of a record, enum or fixed.
        attributes: further attributes of the type, including `doc`.
        fields: fields of a record.
        branches: branches of a union; only the items of an array, or the values of a map.
        symbols: symbols of an enum.
        size: size of a fixed.
    """

    type: str
    name: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    fields: list[AvroField] = field(default_factory=list)
    branches: list[Avro] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def is_named(self) -> bool:
        """Whether the type can be referenced."""
        return self.type in ("record", "enum", "fixed")

    @property
    def simple_name(self) -> str:
        """The name without its namespace."""
        return self.name.rpartition(".")[2]

    @property
    def logical_type(self) -> str:
        """The logical type in lower case, empty without one."""
        value = self.attributes.get("logicalType")
        return value.lower() if isinstance(value, str) else ""


@dataclass
class AvroField:
    """One field of a record."""

    name: str
    type: Avro
    default: Any = NO_DEFAULT
    doc: str | None = None


def parse(text: str, referenced: Iterable[tuple[str, str]] = ()) -> Avro:
    """Return the tree of a schema.

    Args:
        text: the schema.
        referenced: name and text of the referenced schemas, each after those that it references.

    Raises:
        UnsupportedSchema: the text is no Avro schema, or the schema contains itself.
    """
    known: dict[str, Avro] = {}
    try:
        for name, other in referenced:
            _Parser(known).parse(_json(other, f"referenced schema `{name}`"))
        tree = _Parser(known).parse(_json(text, "schema"))
        _refuse_recursion(tree, [], itertools.count(1))
    except RecursionError as error:
        raise UnsupportedSchema("it is nested too deeply") from error
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, UnsupportedSchema):
            raise
        raise UnsupportedSchema(f"it is no Avro schema: {error}") from error
    return tree


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        # A registry may contain the name of a primitive type without quotes.
        if text.strip() in PRIMITIVES:
            return text.strip()
        raise UnsupportedSchema(f"the {what} is not JSON: {error}") from error


class _Parser:
    def __init__(self, known: dict[str, Avro]) -> None:
        self._known = known

    def parse(self, schema: Any, namespace: str = "") -> Avro:
        if isinstance(schema, str):
            return self._reference(schema, namespace)
        if isinstance(schema, list):
            return Avro("union", branches=[self.parse(branch, namespace) for branch in schema])
        if not isinstance(schema, dict) or "type" not in schema:
            raise UnsupportedSchema(f"{json.dumps(schema)[:100]} is not an Avro type")
        kind = schema["type"]
        if not isinstance(kind, str):
            return self.parse(kind, namespace)
        attributes = {name: value for name, value in schema.items() if name not in _STRUCTURE}
        if kind in PRIMITIVES:
            return Avro(kind, attributes=attributes)
        if kind in ("array", "map"):
            inner = _member(schema, "items" if kind == "array" else "values")
            return Avro(kind, attributes=attributes, branches=[self.parse(inner, namespace)])
        if kind in ("record", "error", "enum", "fixed"):
            return self._define(schema, attributes, namespace)
        return self._reference(kind, namespace)

    def _define(self, schema: dict[str, Any], attributes: dict[str, Any], namespace: str) -> Avro:
        kind = "record" if schema["type"] == "error" else schema["type"]
        name = _full_name(schema, namespace)
        tree = Avro(kind, name, attributes)
        if name in self._known:
            raise UnsupportedSchema(f"`{name}` is defined twice")
        # Its fields may refer to it.
        self._known[name] = tree
        if kind == "enum":
            tree.symbols = [str(symbol) for symbol in _member(schema, "symbols")]
        elif kind == "fixed":
            tree.size = int(_member(schema, "size"))
        else:
            inside = name.rpartition(".")[0]
            for avro_field in _member(schema, "fields"):
                doc = avro_field.get("doc")
                tree.fields.append(
                    AvroField(
                        str(_member(avro_field, "name")),
                        self.parse(_member(avro_field, "type"), inside),
                        avro_field.get("default", NO_DEFAULT),
                        doc if isinstance(doc, str) else None,
                    )
                )
        return tree

    def _reference(self, name: str, namespace: str) -> Avro:
        if name in PRIMITIVES:
            return Avro(name)
        inside = f"{namespace}.{name}" if namespace and "." not in name else name
        tree = self._known.get(inside) or self._known.get(name)
        if tree is None:
            raise UnsupportedSchema(f"`{inside}` is not defined")
        return tree


def _member(schema: dict[str, Any], name: str) -> Any:
    if name not in schema:
        raise UnsupportedSchema(f"{json.dumps(schema)[:100]} has no `{name}`")
    return schema[name]


def _full_name(schema: dict[str, Any], namespace: str) -> str:
    name = str(_member(schema, "name"))
    if "." in name:
        return name
    inside = schema.get("namespace", namespace)
    return f"{inside}.{name}" if inside else name


def _refuse_recursion(tree: Avro, above: list[Avro], nodes: Iterator[int], depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise UnsupportedSchema(f"it is nested more than {MAX_DEPTH} deep")
    if next(nodes) > MAX_NODES:
        raise UnsupportedSchema(f"written out it has more than {MAX_NODES} types")
    if any(parent is tree for parent in above):
        raise UnsupportedSchema(f"`{tree.name}` contains itself, which JSON schemas cannot say")
    inner = [avro_field.type for avro_field in tree.fields] + tree.branches
    path = [*above, tree] if tree.is_named else above
    for child in inner:
        _refuse_recursion(child, path, nodes, depth + 1)
