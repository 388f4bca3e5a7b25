"""What Debezium's ExtractNewRecordState makes of a record, written from its documentation.

`tests/full/recording/test_flattened_by_debezium.py` holds this against Debezium's own class.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from reference import KafkaRecord
from reference.record import payload_of

DELETED = "__deleted"
# Modes of `delete.tombstone.handling.mode` that keep a deleted row, and that keep tombstones.
REWRITING = ("rewrite", "rewrite-with-tombstone")
_ENVELOPE = ("op", "ts_ms", "ts_us", "ts_ns")
_TRANSACTION = ("id", "total_order", "data_collection_order")


@dataclass(frozen=True)
class Transform:
    """Options of the transform.

    Attributes:
        add_fields: `add.fields`.
        prefix: `add.fields.prefix`.
        add_headers: `add.headers`.
        header_prefix: `add.headers.prefix`.
        mode: `delete.tombstone.handling.mode`.
        is_old: before 2.4, with `delete.handling.mode` and `drop.tombstones`: `__deleted` is the
            last field.
        replaces_nulls: `replace.null.with.default`.
    """

    add_fields: str = ""
    prefix: str = "__"
    add_headers: str = ""
    header_prefix: str = "__"
    mode: str = "rewrite"
    is_old: bool = False
    replaces_nulls: bool = True

    def flatten(self, record: KafkaRecord) -> KafkaRecord | None:
        """Return the record behind the transform; None if it drops the record."""
        if payload_of(record.value) is None:
            return self._tombstone(record)
        schema, payload = _opened(json.loads(record.value or ""))
        if not _is_envelope(payload):
            return record
        if payload.get("after") is None and payload.get("before") is None:
            return None  # a truncate
        record = replace(record, headers=(*record.headers, *self._headers(payload)))
        is_delete = payload.get("after") is None
        if is_delete and self.mode not in REWRITING:
            return None if self.mode == "drop" else replace(record, value=None)
        row = dict(payload["before" if is_delete else "after"])
        row_schema = _row_schema(schema, "before" if is_delete else "after")
        if row_schema is not None and self.replaces_nulls:
            _replace_nulls(row, row_schema)
        added = []
        for path, name in named(self.add_fields, self.prefix):
            found, text, field = member(payload, schema, path)
            if found:
                added.append((name, text, field))
        if self.mode in REWRITING:
            deleted = (DELETED, str(is_delete).lower(), _TEXT)
            added = [*added, deleted] if self.is_old else [deleted, *added]
        for name, text, field in added:
            row[name] = text
            if row_schema is not None and field is not None:
                row_schema["fields"].append({**field, "field": name})
        flattened = row if row_schema is None else {"schema": row_schema, "payload": row}
        return replace(record, value=_json(flattened))

    def _tombstone(self, record: KafkaRecord) -> KafkaRecord | None:
        if self.mode != "rewrite-with-tombstone":
            return None
        added = tuple(
            (name, "d") for path, name in named(self.add_headers, self.header_prefix)
            if path == "op"
        )  # fmt: skip
        return replace(record, headers=(*record.headers, *added))

    def _headers(self, payload: dict[str, Any]) -> list[tuple[str, str]]:
        headers = []
        for path, name in named(self.add_headers, self.header_prefix):
            found, value, _ = member(payload, None, path)
            if found:
                headers.append((name, _header_text(value)))
        return headers


_TEXT = {"type": "string", "optional": True}


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _opened(value: Any) -> tuple[dict[str, Any] | None, Any]:
    """Return schema and payload of a value."""
    if isinstance(value, dict) and value.keys() == {"schema", "payload"}:
        return value["schema"], value["payload"]
    return None, value


def _is_envelope(payload: Any) -> bool:
    return isinstance(payload, dict) and {"op", "source"} <= payload.keys() and payload["op"] != "m"


def _row_schema(schema: dict[str, Any] | None, image: str) -> dict[str, Any] | None:
    """Return the schema of a row image as one of a whole value."""
    if schema is None:
        return None
    field = next(one for one in schema["fields"] if one["field"] == image)
    kept = {name: field[name] for name in ("name", "version", "doc", "parameters") if name in field}
    return {"type": "struct", "fields": list(field["fields"]), "optional": False, **kept}


def _replace_nulls(row: dict[str, Any], schema: dict[str, Any]) -> None:
    for field in schema["fields"]:
        if row.get(field["field"]) is None and "default" in field:
            row[field["field"]] = field["default"]


def named(fields: str, prefix: str) -> list[tuple[str, str]]:
    """Return the path of each field in the envelope, and its name in the record."""
    named = []
    for field in filter(None, (one.strip() for one in fields.split(","))):
        path, _, name = field.partition(":")
        name = prefix + (name or path.replace(".", "_"))
        if "." not in path and path not in _ENVELOPE:
            path = f"{'transaction' if path in _TRANSACTION else 'source'}.{path}"
        named.append((path, name))
    return named


def member(
    payload: dict[str, Any], schema: dict[str, Any] | None, path: str
) -> tuple[bool, Any, dict[str, Any] | None]:
    """Return whether the envelope has a member, its value, and its schema as an optional field."""
    value: Any = payload
    field: dict[str, Any] | None = schema
    for name in path.split("."):
        if field is not None:
            fields = {one["field"]: one for one in field.get("fields", [])}
            if name not in fields:
                return False, None, None
            field = fields[name]
        elif value is not None and name not in value:
            return name == "transaction", None, None
        value = None if value is None else value.get(name)
    if field is not None:
        kept = ("type", "name", "version", "doc", "parameters", "items", "fields")
        field = {one: field[one] for one in kept if one in field} | {"optional": True}
    return True, value, field


def _header_text(value: Any) -> Any:
    """Return what Kafka's SimpleHeaderConverter writes."""
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)
