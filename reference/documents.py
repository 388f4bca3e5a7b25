"""MongoDB's documents in plain Python, written from the specification: small, slow and literal.

Every change makes a new document; scalars of BSON are of a class of their own, so that nothing is
taken for a document that is none.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from reference.arrival import Arrival, in_arrival_order
from reference.config import Config
from reference.envelope import op_of, source_of
from reference.epochs import epoch
from reference.flattened import as_envelope
from reference.incarnations import incarnation
from reference.positions import is_own, version_of
from reference.record import KafkaRecord, payload_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Bson:
    """A scalar that JSON has no form for: what kind, and what it says."""

    kind: str
    said: Any


@dataclass
class FoldedDocuments:
    """What the log says: canonical texts of the documents by the canonical text of their `_id`.

    `incomplete`: keys of live documents whose base no event showed.
    """

    documents: dict[str, str] = field(default_factory=dict)
    incomplete: set[str] = field(default_factory=set)
    replays: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Applied:
    """What an applied record left of its document; `value` is None for a tombstone."""

    record: KafkaRecord
    value: dict[str, Any] | None
    document: str | None
    incomplete: bool


def fold_documents(records: Iterable[KafkaRecord], config: Config) -> FoldedDocuments:
    """Return what all these records together say, in whatever order and however often given."""
    result = FoldedDocuments()
    for key, applied in walked_documents(records, config, result):
        for step in applied:
            result.documents.pop(key, None)
            result.incomplete.discard(key)
            if step.document is not None:
                result.documents[key] = step.document
                if step.incomplete:
                    result.incomplete.add(key)
    return result


def walked_documents(
    records: Iterable[KafkaRecord], config: Config, result: FoldedDocuments
) -> Iterator[tuple[str, Iterator[Applied]]]:
    """Yield each key with the records that its walk applies; `result` gets what it does not."""
    if config.flattened is not None:
        flattened = config.flattened
        records = [as_envelope(record, flattened) for record in records]
    deliveries: dict[tuple[Any, ...], Arrival] = {}
    for record in records:
        arrival = Arrival(record, incarnation(record, config))
        deliveries.setdefault((arrival.place, arrival.order_in_place), arrival)
    by_key: dict[str, list[Arrival]] = {}
    for arrival in deliveries.values():
        key = payload_of(arrival.record.key)
        if key is not None:
            by_key.setdefault(id_text(key["id"]), []).append(arrival)
    for key, of_key in by_key.items():
        arrived = [arrival.record for arrival in in_arrival_order(of_key)]
        yield key, _walk_key(key, arrived, config, result)


def id_text(text: str) -> str:
    """Return the canonical text of an `_id`: its members in their order."""
    return json.dumps(_plain(_read(json.loads(text))), separators=(",", ":"), ensure_ascii=False)


def canonical(text: str) -> str:
    """Return the canonical text of a document."""
    return _canonical(_read(json.loads(text)))


def _walk_key(
    key: str, records: list[KafkaRecord], config: Config, result: FoldedDocuments
) -> Iterator[Applied]:
    document: Any = None
    incomplete = False
    mark: Any = None
    ever: set[Any] = set()
    reads: set[str | None] = set()
    changes: list[tuple[Any, str | None]] = []
    last_op = None
    tombstone_ms = None  # of the last tombstone before
    for record in records:
        value = payload_of(record.value)
        if value is None:
            if last_op != "d" and record.timestamp_ms != tombstone_ms:
                document, incomplete, mark = None, False, None
                reads.clear()
                changes.clear()
                yield Applied(record, None, None, False)
            tombstone_ms = record.timestamp_ms
            continue
        op = last_op = op_of(value)
        source = source_of(value)
        if op == "r":
            if record.value in reads:
                result.replays[key] += 1
                continue
            reads.add(record.value)
            if source.get("snapshot") != "incremental":
                mark = None  # positions may start again
        else:
            started = epoch(record, config)
            position = _position(source) if is_own(source, config) else None
            position = None if position is None else (started, *position)
            if is_own(source, config) and source.get("ord") is not None:
                identity = (started, *_identity(value))
            else:
                identity = (started, record.value)  # nothing tells where it lies in the log
            run = dict(record.headers).get("__debezium.context.runId")
            repeated = _is_repeat(identity, run, changes)
            known = identity in ever
            changes.append((identity, run))
            ever.add(identity)
            is_old = position is not None and mark is not None and position < mark
            if repeated or is_old:
                result.replays[key] += 1
                if not known:
                    result.unexplained[key] += 1
                continue
            if position is not None:
                mark = position
        if op == "d":
            document, incomplete = None, False
            yield Applied(record, value, None, False)
            continue
        document, incomplete = _after(value, document, incomplete, key)
        yield Applied(record, value, _canonical(document), incomplete)


def _is_repeat(identity: Any, run: str | None, earlier: list[tuple[Any, str | None]]) -> bool:
    """A change counts as often as the run that delivered it most often; see docs/mongodb.md."""
    same = [one_run for one, one_run in earlier if one == identity]
    if run is None:
        return bool(same)
    others = Counter(one_run for one_run in same if one_run != run)
    return same.count(run) + 1 <= max(others.values(), default=0)


def _position(source: dict[str, Any]) -> tuple[int, int, int] | None:
    """Up to 3.3 the time of the cluster orders (spec §4.6); later it is another clock's."""
    time = str(source.get("ts_ms"))
    ordinal = str(source.get("ord"))  # of what has none, a number below 0
    if version_of(source) >= (3, 4) or not ordinal.isdigit() or not time.isdigit():
        return None
    return int(time) // 1000, int(ordinal), int(source.get("tord") or 0)


def _identity(value: dict[str, Any]) -> tuple[Any, ...]:
    """What a redelivery repeats (spec §5.3, §5.4): no envelope times, no looked-up image."""
    source = value["source"]
    transaction = value.get("transaction") or {}
    delta = value.get("updateDescription")
    told = delta if delta is not None else (value.get("after"), value.get("patch"))
    moment = source.get("wallTime")
    return (
        str(source.get("ts_ms") if moment is None else moment),
        str(source.get("ord")),
        str(source.get("tord")),
        source.get("lsid"),
        str(source.get("txnNumber")),
        str(transaction.get("total_order")),
        value["op"],
        json.dumps(told),
    )


def _after(value: dict[str, Any], document: Any, incomplete: bool, key: str) -> tuple[Any, bool]:
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


def _canonical(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
