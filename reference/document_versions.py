"""The history of a MongoDB collection in plain Python. docs/history.md#documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reference.config import Config
from reference.documents import Applied, walked_documents
from reference.envelope import op_of, source_of
from reference.epochs import epoch
from reference.folded import Folded
from reference.incarnations import incarnation
from reference.record import KafkaRecord, time_of
from reference.version_steps import Change
from reference.versions import Options, Version, versions_of_changes

HOW = {"c": "insert", "u": "update", "r": "read", "d": "delete"}


def document_versions(
    records: Iterable[KafkaRecord],
    config: Config,
    options: Options = Options(),  # noqa: B008
    *,
    fields: Sequence[str] = (),
    now: int | None = None,
) -> list[Version]:
    """Return all versions of all documents, in whatever order and however often records are given.

    Args:
        records: of one collection.
        config: configuration of the source.
        options: of the history.
        fields: members of documents that are columns of the type `json`, too.
        now: in microseconds, None for after all events.
    """
    records = list(records)
    walks = document_changes(records, config, fields)
    changes = ((key, iter(walks[key])) for key in sorted(walks))
    return versions_of_changes(changes, _times(records), options, now)


def document_changes(
    records: Iterable[KafkaRecord], config: Config, fields: Sequence[str] = ()
) -> dict[str, list[Change]]:
    """Return the steps of each document in order."""
    return {
        key: [_change(key, step, config, fields) for step in applied]
        for key, applied in walked_documents(records, config, Folded())
    }


def _change(key: str, step: Applied, config: Config, fields: Sequence[str]) -> Change:
    record, value = step.record, step.value or {}
    source_at = _time_at_source(value)
    tx_id = (value.get("transaction") or {}).get("id")
    row: dict[str, Any] = {}
    if step.document is not None:
        members = json.loads(step.document)
        row = {"_id": key, "document": step.document}
        row |= {name: _as_json(members.get(name)) for name in fields}
    return Change(
        is_upsert=step.document is not None,
        how=HOW[op_of(value)] if value else "tombstone",
        event_id=f"{record.topic}:{record.partition}:{record.offset}",
        at=record.timestamp_ms * 1000 if source_at is None else source_at,
        source_at=source_at,
        place=None,
        transaction=None if tx_id is None else (epoch(record, config), tx_id),
        tx_id=tx_id,
        incarnation=incarnation(record, config),
        row=row,
        unknown=frozenset(["document"] if step.incomplete else []),
    )


def _as_json(value: Any) -> str | None:
    if value is None:
        return None
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _times(records: Iterable[KafkaRecord]) -> Iterator[int]:
    for record in records:
        value = json.loads(record.value) if record.value is not None else None
        time = _time_at_source((value or {}).get("payload") or value or {})
        if time is not None:
            yield time


def _time_at_source(value: dict[str, Any]) -> int | None:
    return time_of(source_of(value))
