"""The fold of MongoDB's collections: the walk of rows, over documents. docs/mongodb.md."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from reference.config import Config
from reference.document_values import canonical_document, changed, id_text
from reference.envelope import ROW_OPS, op_of, source_of
from reference.epochs import epoch
from reference.event import Event
from reference.flattened import as_envelope
from reference.folded import Folded
from reference.incarnations import incarnation
from reference.positions import is_own, version_of
from reference.record import KafkaRecord, payload_of
from reference.tombstones import TOMBSTONE
from reference.walk import Step, distinct_events, walks_of_keys


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
    walked = Folded()
    result = FoldedDocuments(replays=walked.replays, unexplained=walked.unexplained)
    for key, applied in walked_documents(records, config, walked):
        for step in applied:
            result.documents.pop(key, None)
            result.incomplete.discard(key)
            if step.document is not None:
                result.documents[key] = step.document
                if step.incomplete:
                    result.incomplete.add(key)
    return result


def walked_documents(
    records: Iterable[KafkaRecord], config: Config, counts: Folded
) -> Iterator[tuple[str, Iterator[Applied]]]:
    """Yield each key with what its walk applies; `counts` gets the replays."""
    events = distinct_events(records, config, read_document_event)
    for key, steps in walks_of_keys(events, counts, births_can_be_late=False).items():
        yield key, _documents(key, steps)


def _documents(key: str, steps: Iterable[Step]) -> Iterator[Applied]:
    """Yield what each applied event leaves of a document."""
    document: Any = None
    incomplete = False
    for step in steps:
        record = step.event.record
        value = payload_of(record.value)
        if not step.upsert:
            document, incomplete = None, False
            yield Applied(record, value, None, False)
            continue
        document, incomplete = changed(value, document, incomplete, key)
        yield Applied(record, value, canonical_document(document), incomplete)


def read_document_event(record: KafkaRecord, config: Config) -> Event | None:
    """Return the event of a document that a record is, None when it is none."""
    created = incarnation(record, config)
    if config.flattened is not None:
        record = as_envelope(record, config.flattened)
    key, value = payload_of(record.key), payload_of(record.value)
    if key is None:
        return None
    key_text = id_text(key["id"])
    if value is None:
        return Event(record, created, TOMBSTONE, key_text)
    op, source = op_of(value), source_of(value)
    if op not in ROW_OPS:
        return None
    if op == "r":
        is_incremental = source.get("snapshot") == "incremental"
        return Event(
            record, created, op, key_text, told=record.value, incremental=is_incremental
        )  # fmt: skip
    started = epoch(record, config)
    place = _position(source) if is_own(source, config) else None
    position = None if place is None else (started, *place)
    # where nothing tells where it lies in the log, the whole record
    is_placed = is_own(source, config) and source.get("ord") is not None
    identity = (started, _identity(value) if is_placed else record.value)
    return Event(
        record,
        created,
        op,
        key_text,
        position=position,
        stream_position=position,
        content=identity,
        told=identity,
        run_id=dict(record.headers).get("__debezium.context.runId"),
    )


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
