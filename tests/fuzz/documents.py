"""Damaged records of MongoDB through catalog, staging and fold: what becomes of other documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pyspark.sql import SparkSession

from tests.fuzz.landed import MONGODB, Report, damaged_rows, demo_source, folded_mutants
from tests.fuzz.mutants import Mutant, originals
from tests.support.documents import LabDocuments
from tests.support.lab import Lab
from tests.support.lab_source import LabSource
from tests.support.raw import kafka_record, raw_row


def fuzz_documents(session: SparkSession, damaged: Sequence[Mutant]) -> Report:
    """Build the demo's collections, land mutants as a batch of their own, and compare documents.

    No model and no reading of the catalog may fail. A mutant that staging reads as an event may
    change the document of its own `_id`; nothing else may change.

    Args:
        session: of a lab.
        damaged: mutants; those of other connectors are left out.
    """
    name, block = demo_source(MONGODB)
    report = Report()
    clean = [
        raw_row(kafka_record(json.loads(line)), 1)
        for connector, line in originals()
        if connector == MONGODB
    ]
    rows = damaged_rows(MONGODB, damaged, 2, report)
    source = LabSource(session, name, block)
    for topic in sorted({row[0] for row in clean}):
        tables = _collection(session, block, topic)
        _land(tables, clean)
        before = _documents(tables)
        _land(tables, rows)
        _compare(topic, tables, before, report)
    source.land_rows(clean)
    source.land_rows(rows)
    staged = report.became["folded"] + report.became["quarantined"]
    report.became["in no table"] = len(rows) - staged
    return report


def _collection(session: SparkSession, block: dict[str, Any], topic: str) -> LabDocuments:
    prefix, database, collection = topic.split(".")
    table = f"{database}.{collection}"
    typed = block.get("tables", {}).get(table, {}).get("fields", {})
    return LabDocuments(
        Lab(session),
        topics=[topic],
        fields=[
            {"name": path.replace(".", "_"), "path": path, "type": kind}
            for path, kind in typed.items()
        ],
        collection=table,
        origins=[{"name": prefix, "db": database, "collection": collection}],
    )


def _land(tables: LabDocuments, rows: Sequence[tuple[Any, ...]]) -> None:
    tables.land_rows(rows)
    tables.run()


def _documents(tables: LabDocuments) -> dict[str, tuple[Any, ...]]:
    return {row["_id"]: tuple(map(repr, row.values())) for row in tables.rows("cur")}


def _compare(
    topic: str, tables: LabDocuments, before: dict[str, tuple[Any, ...]], report: Report
) -> None:
    folded = folded_mutants(tables.rows("stg"), report)
    after = _documents(tables)
    known = {row["_cdc_key"] for row in folded}
    report.compared += len(before.keys() - known)
    report.wrong += [
        f"{topic} {key}: {before.get(key)} became {after.get(key)}"
        for key in sorted({*before, *after} - known)
        if before.get(key) != after.get(key)
    ]
