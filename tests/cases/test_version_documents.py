"""Histories of documents, and every case of histories whose log a collection can have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest

from dbt_debezium_spark.mongodb.document_versions import document_versions
from dbt_debezium_spark.mongodb.fields import Field
from dbt_debezium_spark.mongodb.lives import HistoryOptions
from reference import KafkaRecord
from reference import document_versions as reference
from reference.arrival import Arrival, in_arrival_order
from tests.cases.listed import VERSIONS
from tests.cases.test_documents import CONFIG, as_document, is_of_a_collection
from tests.cases.version_case import VersionCase, stored
from tests.support.mongodb_walk import change_of
from tests.unit.test_mongodb_documents import event
from tests.unit.test_mongodb_lives import micros, moment


def _is_told_of_documents(case: VersionCase) -> bool:
    """Tell whether times rise with positions, as the position of a document has one."""
    if not is_of_a_collection(case) or any(record.headers for record in case.records):
        return False
    sources = [json.loads(record.value)["source"] for record in case.records if record.value]
    placed = sorted((one["lsn"], one["ts_ms"]) for one in sources if one["lsn"] is not None)
    times = [time for _, time in placed]
    return None not in times and times == sorted(times)


def versioned_document(record: KafkaRecord) -> KafkaRecord:
    """Return a change as one of a document; what one transaction did of a row is one here, too."""
    document = as_document(record)
    if document.value is None:
        return document
    told, value = json.loads(record.value or ""), json.loads(document.value)
    source = told["source"]
    value["source"] |= {"ts_ms": source["ts_ms"], "ord": source["lsn"] or 0}
    if value["op"] != "r":
        name = (told["transaction"] or {}).get("id") or json.loads(source["sequence"])[0]
        value["transaction"] = {"id": name.split(":")[0]}
    return replace(document, value=json.dumps(value))


@pytest.mark.parametrize(
    "case", [one for one in VERSIONS if _is_told_of_documents(one)], ids=lambda one: one.name
)
def test_documents(case: VersionCase) -> None:
    records = [versioned_document(record) for record in case.records]
    found = reference.document_versions(records, CONFIG, case.options, fields=["v"])
    told = [vars(one) | {"row": {"v": json.loads(one.row["v"] or "null")}} for one in found]
    assert case.rows_of(told) == list(case.rows)
    if case.options.keep is not None or case.options != stored(case.options):
        return  # SQL does these
    rows = [row for row in walked(records, case) if row["_cdc_version"]]
    assert case.rows_of([told_of(row) for row in rows]) == [
        row for row, one in zip(case.rows, told, strict=True) if not one["is_deleted"]
    ]


def walked(records: list[KafkaRecord], case: VersionCase) -> list[dict[str, Any]]:
    """Return the table that the product's walk writes in one run."""
    events = []
    for arrival in in_arrival_order([Arrival(record, 0) for record in records]):
        record = arrival.record
        value = json.loads(record.value) if record.value else {}
        name = (value.get("transaction") or {}).get("id")
        at = moment(value["source"]["ts_ms"] * 1000) if value else None
        told = asdict(change_of(record)) | {"timestamp": moment(record.timestamp_ms * 1000)}
        events.append(
            event(record.key or "", "", 0) | {**told, "tx": name, "tx_id": name, "source_at": at}
        )
    options = HistoryOptions(
        case.options.within_transaction == "all", case.options.track, case.options.deleted_rows
    )
    ordered = iter(sorted(events, key=lambda one: one["row_key"]))
    return list(document_versions(ordered, [Field("v", "v", "string")], options))


def told_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a row of the table tells."""
    told = {name: row.get(f"_cdc_{name}") for name in ("key", "version", "began_by", "ended_by")}
    times = {name: micros(row.get(f"_cdc_{name}")) for name in ("valid_from", "valid_to")}
    return told | times | {"row": {"v": row["v"]}, "is_deleted": False}
