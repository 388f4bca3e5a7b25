"""Read a flattened record as the envelope that it was, as docs/flattened.md defines it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from reference.record import KafkaRecord, canonical_json, payload_of


@dataclass(frozen=True)
class Flattened:
    """How records are flattened.

    `fields` and `headers`: the path in the envelope (`op`, `source.lsn`) by the name of an added
    field or header.
    """

    connector: str
    topic_prefix: str
    fields: Mapping[str, str]
    headers: Mapping[str, str]


def as_envelope(record: KafkaRecord, flattened: Flattened) -> KafkaRecord:
    """Return the record with an envelope for its value; one that is not flattened as it is."""
    try:
        value = payload_of(record.value)
    except ValueError:
        return record
    headers = dict(record.headers)
    told = {
        path: headers[name] for name, path in flattened.headers.items() if headers.get(name)
    }  # fmt: skip
    if value is None:
        if told.get("op") != "d" or not any(path.startswith("source.") for path in told):
            return _with_key(record, flattened)
        value = {}
    if not isinstance(value, dict) or ("source" in value and ("after" in value or "op" in value)):
        return record
    if not told and not ({*flattened.fields, "__deleted"} & value.keys()):
        return record
    added = {path: value[name] for name, path in flattened.fields.items() if name in value}
    told |= {path: one for path, one in added.items() if one is not None}
    row = {
        name: one
        for name, one in value.items()
        if name != "__deleted" and name not in flattened.fields
    }
    source, transaction = _members(told, "source."), _members(told, "transaction.")
    op = told.get("op")
    if str(value.get("__deleted")).lower() == "true":
        op = "d"
    elif op is None:
        op = "r" if str(source.get("snapshot", "false")).lower() != "false" else "u"
    image: Any = json.dumps(row, ensure_ascii=False) if flattened.connector == "mongodb" else row
    envelope = {
        "before": image if op == "d" and row else None,
        "after": None if op == "d" else image,
        "source": {**_of_topic(record.topic, flattened), **source},
        "op": op,
        "ts_ms": told.get("ts_ms"),
        "transaction": transaction or None,
    }
    return _with_key(replace(record, value=_written(record.value, envelope)), flattened)


def _written(text: str | None, envelope: Any) -> str:
    """Return an envelope as text; with the schema of the row, if it had one.

    A read is identified by its bytes (docs/semantics.md): with a schema it is another one.
    """
    whole = json.loads(text or "null")
    if payload_of(text) is not None and isinstance(whole, dict) and whole.get("schema"):
        if whole.keys() == {"schema", "payload"}:
            return canonical_json({"schema": whole["schema"], "payload": envelope})
    return canonical_json(envelope)


def _members(told: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {
        path.removeprefix(prefix): one for path, one in told.items() if path.startswith(prefix)
    }  # fmt: skip


def _of_topic(topic: str, flattened: Flattened) -> dict[str, str]:
    """Return what the name of a topic tells of the source block."""
    prefix = flattened.topic_prefix + "."
    if not topic.startswith(prefix):
        return {}
    parts = topic.removeprefix(prefix).split(".")
    names = {
        "mysql": ["db", "table"],
        "mariadb": ["db", "table"],
        "mongodb": ["db", "collection"],
        "sqlserver": ["db", "schema", "table"] if len(parts) > 2 else ["schema", "table"],
    }.get(flattened.connector, ["schema", "table"])
    parts = [*parts[: len(names) - 1], ".".join(parts[len(names) - 1 :])]
    return {"name": flattened.topic_prefix, **dict(zip(names, parts, strict=False))}


def _with_key(record: KafkaRecord, flattened: Flattened) -> KafkaRecord:
    """Return a record of MongoDB with the key of an envelope: the id as Extended JSON text."""
    if flattened.connector != "mongodb":
        return record
    key = payload_of(record.key)
    if not isinstance(key, dict) or key.keys() != {"id"}:
        return record
    text = json.dumps(key["id"], separators=(",", ":"), ensure_ascii=False)
    return replace(record, key=json.dumps({"id": text}, ensure_ascii=False))
