"""The schema with which Spark reads the bytes of a type, and the form of its values in JSON.

The schema for Spark describes the same bytes as the writer's schema. It has no logical types, which
would change values (decimals with more than 38 digits, dates in another calendar), no defaults and
attributes, and other names. An additional record with one field changes no byte, because Avro
writes a record as its fields, one after the other.

One `to_json` then writes most values, but not these three, and not the values that contain them:
- a map whose keys are not text, which is a list of pairs in JSON;
- a union of several types, of which Spark merges some (int with long) and renames the others;
- a record with two fields that differ only in case, which are the same field to Spark.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import Any

from dbt_debezium_spark.inputs.avro.connect_schema import (
    connect_schema,
    entry_types,
    is_map_entry,
    optional_member,
    union_members,
)
from dbt_debezium_spark.inputs.avro.parsing import Avro

PAYLOAD, END = "payload", "end"
# Bytes that are appended to the body: the schema must end where the body ends.
END_BYTES = bytes.fromhex("d65be11f0a93c47e")
INSIDE = "v"


@dataclass(frozen=True)
class Shape:
    """The form of a type's values in JSON.

    Attributes:
        kind: `plain` (by `to_json`), `record`, `union`, `array`, `map`; `pairs` and `entries` are
            lists of key and value, in JSON a list of lists and an object.
        members: fields, branches, items, or key and value. Each has the name in JSON, the name in
            Spark, and a shape.
    """

    kind: str
    members: list[tuple[str, str, Shape]] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Whether one `to_json` writes it."""
        return self.kind == "plain"


PLAIN = Shape("plain")


def reader_schema(tree: Avro) -> tuple[str, Shape]:
    """Return Spark's schema for a framed body, and its shape.

    The schema is a record of `payload`, the value, and `end`, which must be `END_BYTES`.
    """
    inner, shape = _Reader().read(tree)
    text = _framed(inner)
    if shape.is_plain:
        return text, PLAIN
    return text, Shape("record", [(PAYLOAD, PAYLOAD, shape), (END, END, PLAIN)])


def items_schema(tree: Avro) -> tuple[str, Shape]:
    """Return Spark's schema for several framed values of a type, and the shape of one of them.

    The schema is that of `reader_schema`, but `payload` is an array of values.
    """
    inner, shape = _Reader().read(tree)
    return _framed({"type": "array", "items": inner}), shape


def _framed(payload: Any) -> str:
    fields = [
        {"name": PAYLOAD, "type": payload},
        {"name": END, "type": {"type": "fixed", "name": "End", "size": len(END_BYTES)}},
    ]
    return json.dumps({"type": "record", "name": "Framed", "fields": fields}, separators=(",", ":"))


class _Reader:
    def __init__(self) -> None:
        self._names = (f"T{number}" for number in itertools.count())

    def read(self, tree: Avro) -> tuple[Any, Shape]:
        if tree.type == "record":
            return self._record(tree)
        if tree.type == "union":
            return self._union(tree)
        if tree.type == "array":
            return self._array(tree)
        if tree.type == "map":
            inner, shape = self.read(tree.branches[0])
            schema = {"type": "map", "values": inner}
            return schema, PLAIN if shape.is_plain else Shape(
                "map", [("key", "key", PLAIN), ("value", "value", shape)]
            )
        if tree.type == "enum":
            return {"type": "enum", "name": next(self._names), "symbols": tree.symbols}, PLAIN
        if tree.type == "fixed":
            return {"type": "fixed", "name": next(self._names), "size": tree.size}, PLAIN
        return tree.type, PLAIN

    def _record(self, tree: Avro) -> tuple[Any, Shape]:
        names = [avro_field.name.lower() for avro_field in tree.fields]
        clash = len(set(names)) < len(names)
        name, fields, members = next(self._names), [], []
        for number, avro_field in enumerate(tree.fields):
            inner, shape = self.read(avro_field.type)
            column = f"f{number}" if clash else avro_field.name
            fields.append({"name": column, "type": inner})
            members.append((avro_field.name, column, shape))
        schema = {"type": "record", "name": name, "fields": fields}
        if not clash and all(shape.is_plain for _, _, shape in members):
            return schema, PLAIN
        return schema, Shape("record", members)

    def _array(self, tree: Avro) -> tuple[Any, Shape]:
        items = tree.branches[0]
        if not is_map_entry(items):
            inner, shape = self.read(items)
            schema = {"type": "array", "items": inner}
            return schema, PLAIN if shape.is_plain else Shape("array", [("", "", shape)])
        name, fields = next(self._names), []
        shapes = {}
        for avro_field in items.fields:
            inner, shapes[avro_field.name] = self.read(avro_field.type)
            fields.append({"name": avro_field.name, "type": inner})
        members = [(part, part, shapes[part]) for part in ("key", "value")]
        entry = {"type": "record", "name": name, "fields": fields}
        # The converters also write entries with optional text keys, which are an object in JSON.
        is_text = connect_schema(entry_types(items)[0])["type"] == "string"
        return {"type": "array", "items": entry}, Shape("entries" if is_text else "pairs", members)

    def _union(self, tree: Avro) -> tuple[Any, Shape]:
        if optional_member(tree) is not None or len(tree.branches) == 1:
            inner: list[Any] = []
            shapes = []
            for branch in tree.branches:
                schema, shape = self.read(branch)
                inner.append(schema)
                shapes.append(shape)
            return inner, next((candidate for candidate in shapes if not candidate.is_plain), PLAIN)
        names = {id(member): name for name, member in union_members(tree)}
        inner = []
        members: list[tuple[str, str, Shape]] = []
        for branch in tree.branches:
            if branch.type == "null":
                inner.append("null")
                continue
            schema, shape = self.read(branch)
            box = {
                "type": "record",
                "name": next(self._names),
                "fields": [{"name": INSIDE, "type": schema}],
            }
            column = f"member{len(members)}"
            inner.append(box)
            members.append((names[id(branch)], column, shape))
        return inner, Shape("union", members)
