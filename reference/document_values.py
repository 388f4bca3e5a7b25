"""The values of MongoDB's documents, written from the specification: Extended JSON and changes.

Every change makes a new document; scalars of BSON are of a class of their own, so that nothing is
taken for a document that is none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Bson:
    """A scalar that JSON has no form for: what kind, and what it says."""

    kind: str
    said: Any


def id_text(text: str) -> str:
    """Return the canonical text of an `_id`: its members in their order."""
    return json.dumps(_plain(_read(json.loads(text))), separators=(",", ":"), ensure_ascii=False)


def canonical(text: str) -> str:
    """Return the canonical text of a document."""
    return canonical_document(_read(json.loads(text)))


def changed(value: dict[str, Any], document: Any, incomplete: bool, key: str) -> tuple[Any, bool]:
    """Return the document after a `c`, `r` or `u`, and whether its base is missing."""
    if value.get("after") is not None:
        return _read(json.loads(value["after"])), False
    if value.get("before") is not None:
        document, incomplete = _read(json.loads(value["before"])), False
    base, unknown = document, incomplete
    if base is None:
        base, unknown = {"_id": _read(json.loads(key))}, True
    patch = value.get("patch")
    if patch is not None:
        changes = json.loads(patch)
        operators = [name for name in changes if name.startswith("$")]
        if not operators:
            whole = _read(changes)
            return ({"_id": base["_id"]} | whole if "_id" not in whole else whole), False
        if not set(operators) <= {"$v", "$set", "$unset"} or changes.get("$v", 1) != 1:
            return base, True
        for path, what in changes.get("$set", {}).items():
            base = _with(base, path.split("."), _read(what))
        for path in changes.get("$unset", {}):
            base = _without(base, path.split("."))
        return base, unknown
    description = value["updateDescription"]
    for cut in description.get("truncatedArrays") or []:
        base = _cut(base, cut["field"].split("."), cut["size"])
    for path, what in json.loads(description.get("updatedFields") or "{}").items():
        base = _with(base, path.split("."), _read(what))
    for path in description.get("removedFields") or []:
        base = _without(base, path.split("."))
    return base, unknown


def _with(container: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    part = path[0]
    if isinstance(container, list) and part.isdigit():
        items = [*container, *[None] * (int(part) + 1 - len(container))]
        items[int(part)] = _with(items[int(part)], path[1:], value)
        return items
    fields = container if isinstance(container, dict) else {}
    return {**fields, part: _with(fields.get(part), path[1:], value)}


def _without(container: Any, path: list[str]) -> Any:
    part, rest = path[0], path[1:]
    if isinstance(container, list) and part.isdigit() and int(part) < len(container):
        items = list(container)
        items[int(part)] = _without(items[int(part)], rest) if rest else None
        return items
    if isinstance(container, dict) and part in container:
        if rest:
            return {**container, part: _without(container[part], rest)}
        return {name: value for name, value in container.items() if name != part}
    return container


def _cut(container: Any, path: list[str], size: int) -> Any:
    if not path:
        return container[:size] if isinstance(container, list) else container
    part = path[0]
    if isinstance(container, list) and part.isdigit() and int(part) < len(container):
        items = list(container)
        items[int(part)] = _cut(items[int(part)], path[1:], size)
        return items
    if isinstance(container, dict) and part in container:
        return {**container, part: _cut(container[part], path[1:], size)}
    return container


def _read(value: Any) -> Any:
    """Return the typed value of Extended JSON of either dialect (spec §7.5)."""
    if isinstance(value, list):
        return [_read(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$numberLong": str(digits), **rest} if not rest:
            return int(digits)
        case {"$numberDecimal": str(digits), **rest} if not rest:
            return Bson("decimal", digits)
        case {"$numberDouble": str(text), **rest} if not rest:
            return Bson("double", text)
        case {"$oid": str(digits), **rest} if not rest:
            return Bson("oid", digits)
        case {"$date": int(milliseconds), **rest} if not rest:
            return Bson("date", milliseconds)
        case {"$date": {"$numberLong": str(milliseconds)}, **rest} if not rest:
            return Bson("date", int(milliseconds))
        case {"$date": str(text), **rest} if not rest:
            moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
            return Bson("date", (moment - EPOCH) // timedelta(milliseconds=1))
        case {"$binary": str(content), "$type": str(subtype), **rest} if not rest:
            return Bson("binary", (content, subtype))
        case {"$binary": {"base64": str(content), "subType": str(subtype)}, **rest} if not rest:
            return Bson("binary", (content, subtype))
        case {"$regex": str(pattern), "$options": str(options), **rest} if not rest:
            return Bson("regex", (pattern, options))
        case {"$regularExpression": {"pattern": pattern, "options": options}, **rest} if not rest:
            return Bson("regex", (pattern, options))
        case {"$timestamp": {"t": int(seconds), "i": int(number)}, **rest} if not rest:
            return Bson("timestamp", (seconds, number))
        case {"$minKey": 1, **rest} | {"$maxKey": 1, **rest} if not rest:
            return Bson(next(iter(value))[1:], 1)
    return {name: _read(member) for name, member in value.items()}


def _plain(value: Any) -> Any:
    """Return the canonical JSON value of a typed one."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if not isinstance(value, Bson):
        return value
    match value:
        case Bson("decimal", digits):
            return {"$numberDecimal": digits}
        case Bson("double", text):
            return {"$numberDouble": text}
        case Bson("oid", digits):
            return {"$oid": digits}
        case Bson("date", milliseconds):
            text = (EPOCH + timedelta(milliseconds=milliseconds)).isoformat(
                timespec="milliseconds" if milliseconds % 1000 else "seconds"
            )
            return {"$date": text.replace("+00:00", "Z")}
        case Bson("binary", (content, subtype)):
            return {"$binary": {"base64": content, "subType": subtype}}
        case Bson("regex", (pattern, options)):
            return {"$regularExpression": {"pattern": pattern, "options": options}}
        case Bson("timestamp", (seconds, number)):
            return {"$timestamp": {"t": seconds, "i": number}}
    return {f"${value.kind}": value.said}


def canonical_document(value: Any) -> str:
    """Return the canonical text of a typed document."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
