"""What Debezium's ExtractNewDocumentState makes of a MongoDB record, from its documentation.

Values lose their BSON types: an ObjectId becomes its hexadecimal text, a date the number of its
milliseconds, a Decimal128 a text. Arrays are of one type, as `array.encoding=array` requires.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from dev.simulator.flatten import DELETED, REWRITING, Transform, member, named
from reference import KafkaRecord
from reference.record import payload_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MISSING = object()  # a value for which the transform has no type


def flatten_document(transform: Transform, record: KafkaRecord) -> KafkaRecord | None:
    """Return the record behind the transform; None if it drops the record.

    Only options of the relational transform that this one has, too, are read.
    """
    key = payload_of(record.key)
    if not isinstance(key, dict) or "id" not in key:
        return record
    flat_key = _json({"id": plain_value(json.loads(key["id"]))})
    value = payload_of(record.value)
    if value is None:
        if transform.mode != "rewrite-with-tombstone":
            return None
        return replace(record, key=flat_key)
    if not isinstance(value, dict) or "op" not in value or "source" not in value:
        return record
    document = _document(value)
    is_delete = value.get("after") is None and not value.get("updateDescription")
    if is_delete and transform.mode not in REWRITING:
        return None
    if transform.mode in REWRITING:
        document[DELETED] = is_delete
    for path, name in named(transform.add_fields, transform.prefix):
        found, text, _ = member(value, None, path)
        if found:
            document[name] = text
    return replace(record, key=flat_key, value=_json(document))


def _document(value: dict[str, Any]) -> dict[str, Any]:
    """Return the document of an event, which for a change without it is only the change."""
    after, description = value.get("after"), value.get("updateDescription")
    if after is not None:
        return dict(plain_value(json.loads(after)))
    if not description:
        before = value.get("before")
        return {} if before is None else dict(plain_value(json.loads(before)))
    return dict(plain_value(json.loads(description.get("updatedFields") or "{}")))


def plain_value(value: Any) -> Any:
    """Return a value of Extended JSON, in either dialect, as the transform and JSON write it."""
    if isinstance(value, list):
        return [one for one in map(plain_value, value) if one is not _MISSING]
    if not isinstance(value, dict):
        return value
    names = set(value)
    if names in ({"$oid"}, {"$symbol"}, {"$code"}, {"$numberDecimal"}, {"$numberDouble"}):
        return next(iter(value.values()))
    if names in ({"$numberLong"}, {"$numberInt"}):
        return int(next(iter(value.values())))
    if names == {"$date"}:
        return _milliseconds(value["$date"])
    if names == {"$timestamp"}:
        return value["$timestamp"]["t"] * 1000
    if names == {"$binary", "$type"}:
        return value["$binary"]
    if names == {"$binary"}:
        return value["$binary"]["base64"]
    if names == {"$regex", "$options"}:
        return {"regex": value["$regex"], "options": value["$options"]}
    if names == {"$regularExpression"}:
        inner = value["$regularExpression"]
        return {"regex": inner["pattern"], "options": inner["options"]}
    if names in ({"$undefined"}, {"$minKey"}, {"$maxKey"}):
        return _MISSING
    plain = {name: plain_value(one) for name, one in value.items()}
    return {name: one for name, one in plain.items() if one is not _MISSING}


def _milliseconds(value: Any) -> int:
    if isinstance(value, dict):
        return int(value["$numberLong"])
    if isinstance(value, int):
        return value
    moment = datetime.fromisoformat(value)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
