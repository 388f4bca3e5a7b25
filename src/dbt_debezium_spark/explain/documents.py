"""The explanation of a document, and of rows without a key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from dbt_debezium_spark.explain.events import (
    Answer,
    Records,
    answer,
    of_events,
    read,
    record_of,
    short,
)
from dbt_debezium_spark.mongodb.document_versions import document_versions
from dbt_debezium_spark.mongodb.documents import DocumentFold
from dbt_debezium_spark.mongodb.lives import HistoryOptions

_TIMES = ("timestamp", "source_at", "landed_at")


def explained_document(
    model: Mapping[str, Any],
    candidates: Sequence[str],
    texts: Sequence[str],
    facts: Mapping[str, Sequence[str]],
    as_of: str | None,
) -> Answer:
    """Return the explanation of a document: see `events.explained`.

    Args:
        model: of the collection.
        candidates: texts of the `_id`, of which the first that has records counts.
        texts: of the staged events of all, in the order of arrival.
        facts: as there, without `versions`.
        as_of: an instant; None for the document as it stands.
    """
    staged = [json.loads(text) for text in texts]
    refused = {record["row_key"] for record in read(facts["quarantined"])}
    seen = {event["row_key"] for event in staged} or refused
    key = next((text for text in candidates if text in seen), candidates[0])
    staged = [event for event in staged if event["row_key"] == key]
    if as_of is not None:
        facts = {**facts, "versions": _versions(staged, as_of)}
    return of_events(model, key, walked(staged), facts, as_of)


def walked(staged: Sequence[Mapping[str, Any]]) -> Records:
    """Return the events of one document with verdicts, and the document that each left."""
    events: Records = []
    fold: DocumentFold | None = None
    before: dict[str, Any] | None = None
    for event in staged:
        fold = fold or DocumentFold(event["row_key"])
        is_applied = fold.take(dict(event))
        text = fold.walk.document_text() if is_applied else None
        row = None if text is None else json.loads(text)
        changed = None
        if row is not None and before is not None:
            names = dict.fromkeys([*before, *row])
            changed = [name for name in names if before.get(name) != row.get(name)]
        events.append(
            {
                **{name: event[name] for name in ("row_key", "event_id", "topic", "partition")},
                **{name: event[name] for name in ("offset", "incarnation", "source_at", "kind")},
                **{name: event[name] for name in ("landed_at", "batch_id", "op", "position")},
                **{"recorded_at": event["timestamp"], "run_id": event["run_id"]},
                **{"verdict": fold.walk.verdict, "is_applied": is_applied, "row": row},
                **{"is_upsert": row is not None, "changed": changed, "tx_id": event["tx_id"]},
                **{"removed_by": [], "closed_by": []},
            }
        )
        before = row if is_applied else before
    return events


def _versions(staged: Sequence[Mapping[str, Any]], as_of: str) -> list[str]:
    """Return the versions of a document as `versions_of_key` does those of a row."""
    events = [{**event, **{name: _moment(event[name]) for name in _TIMES}} for event in staged]
    instant = _moment(as_of)
    rows = document_versions(iter(events), (), HistoryOptions(every_change=True))
    versions = []
    for row in sorted(rows, key=lambda row: row["_cdc_version"]):
        begin, end = row["_cdc_valid_from"], row.get("_cdc_valid_to")
        version = {
            **{"version": row["_cdc_version"], "from": str(begin), "to": end and str(end)},
            **{"began_by": row["_cdc_began_by"], "ended_by": row.get("_cdc_ended_by")},
            **{"from_event": row["_cdc_from_event_id"], "to_event": row.get("_cdc_to_event_id")},
            **{"begins_behind": begin > instant, "ends_behind": end is None or end > instant},
            "row": row.get("document"),
        }
        versions.append(json.dumps(version))
    return versions


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def explained_values(
    model: Mapping[str, Any],
    asked: Mapping[str, Any],
    texts: Sequence[str],
    facts: Mapping[str, Sequence[str]],
) -> Answer:
    """Return the explanation of rows of a table without a key, which only their values name.

    Args:
        model: of the table.
        asked: `values` by column.
        texts: of the events with such a row as an image.
        facts: `state`, and `searched` if there are no events.
    """
    records = []
    for event in read(texts):
        record = record_of({**event, "changed": []})
        records.append(record | {"change": event["change"], "row": read([event["row"]])[0]})
    rows = [row for row in read(facts["state"]) if row["key"] != "!watermark"]
    counts = [{"count": row["count"], "row": read([row["row"]])[0]} for row in rows if row["count"]]
    held = sum(row["count"] for row in counts)
    what = "stands" if held else "removed" if records else "never seen"
    text = {
        "stands": f"The table holds {held} such row{'s' if held > 1 else ''}.",
        "removed": "The table holds no such row: every insert of it was removed or ended.",
        "never seen": "Never seen: no image of a staged record has these values.",
    }[what]
    note = "Rows without a key are known by their values: which of equal rows went, nothing shows."
    outcome = {"what": what, "event": None, "text": text}
    return answer(model, short(asked["values"]), None, records, outcome, counts or None, [note])
