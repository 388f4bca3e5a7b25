"""The walk of documents, and every case whose log a collection can have."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from reference import Config, KafkaRecord
from reference.documents import fold_documents
from tests.cases import listed
from tests.cases.case import Case
from tests.cases.log import GONE, Log
from tests.cases.tables import plain_table
from tests.support.mongodb_walk import walk_records

CONFIG = Config("mongodb")


def is_of_a_collection(case: Case) -> bool:
    """Tell whether the log has nothing that collections do not have."""
    if case.no_documents or not isinstance(case.log, Log) or case.epochs or case.keeps_topics:
        return False
    if case.told_on is not plain_table("postgresql"):
        return False
    return all(_is_of_a_document(record) for record in case.records)


def _is_of_a_document(record: KafkaRecord) -> bool:
    if record.value is None or record.key is None:
        return record.key is not None
    try:
        key, value = json.loads(record.key), json.loads(record.value)
    except ValueError:
        return False
    if not isinstance(value, dict) or not isinstance(key, dict) or "source" not in value:
        return False
    has_place = value["op"] == "r" or isinstance(value["source"].get("lsn"), int)
    return has_place and value["op"] in ("c", "u", "d", "r") and GONE not in record.value


def as_document(record: KafkaRecord) -> KafkaRecord:
    """Return a change of a row as one of a document with the row's `id` and its members."""
    key = json.dumps({"id": str(json.loads(record.key or "")["id"])})
    if record.value is None:
        return replace(record, key=key)
    value: dict[str, Any] = json.loads(record.value)
    after = value["after"]
    if after is not None:
        after = json.dumps({"_id": after["id"], **{k: v for k, v in after.items() if k != "id"}})
    source = {
        "version": "2.7.0.Final",
        "connector": "mongodb",
        "ts_ms": 1000 * (value["source"].get("lsn") or 0),
        "ord": 1,
        "snapshot": value["source"].get("snapshot"),
    }
    told = {"op": value["op"], "after": after, "source": source, "ts_ms": value["ts_ms"]}
    return replace(record, key=key, value=json.dumps(told))


@pytest.mark.parametrize(
    "case", [case for case in listed.CASES if is_of_a_collection(case)], ids=lambda one: one.name
)
def test_documents(case: Case) -> None:
    records = [as_document(record) for record in case.records]
    walks = walk_records(records)
    texts = {key: walk.document_text() for key, walk in walks.items()}
    documents = [json.loads(text) for text in texts.values() if text is not None]
    found = case.told([{**one, "id": one["_id"]} for one in documents])
    assert found == case.rows
    folded = fold_documents(records, CONFIG)
    assert folded.documents == {key: text for key, text in texts.items() if text is not None}
    counts = tuple(
        sum(getattr(walk, name) for walk in walks.values()) for name in ("replays", "unexplained")
    )
    assert counts == (folded.replays.total(), folded.unexplained.total())
    if case.replays is not None:
        assert counts == case.replays
