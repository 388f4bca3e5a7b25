"""Damaged records through catalog, models, staging and fold: what becomes of the other rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pyspark.sql import SparkSession

from tests.fuzz.landed import Report, damaged_rows, demo_source, folded_mutants
from tests.fuzz.mutants import Mutant, originals
from tests.support.lab_source import LabSource
from tests.support.raw import kafka_record
from tests.support.table_columns import is_of_table

CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
_OF_A_ROW = ("c", "u", "d", "r", "tombstone")


def fuzz_tables(
    session: SparkSession,
    connector: str,
    damaged: Sequence[Mutant],
) -> Report:
    """Build a demo source, land its mutants as a batch of their own, and compare every table.

    Neither a model nor `generate` may fail, before or after. A mutant that staging reads as an
    event may change the rows of its keys, and a truncate all rows; nothing else may change.

    Args:
        session: of a lab.
        connector: whose demo records; one of a relational database.
        damaged: mutants; those of other connectors are left out.
    """
    source = _source(session, connector)
    source.land(kafka_record(json.loads(line)) for name, line in originals() if name == connector)
    source.build()
    before = {table: _rows(source, table) for table in _tables(source)}

    report = Report()
    rows = damaged_rows(connector, damaged, source.batch + 1, report)
    source.land_rows(rows)
    source.run()
    for table in _tables(source):
        _compare(table, source, before[table], report)
    staged = report.became["folded"] + report.became["quarantined"]
    report.became["in no table"] = len(rows) - staged
    source.build()
    return report


def _source(session: SparkSession, connector: str) -> LabSource:
    name, block = demo_source(connector)
    # closing what a snapshot did not see would take rows that no record names
    tables = {
        table: {key: value for key, value in options.items() if key != "close_unseen"}
        for table, options in block.get("tables", {}).items()
    }
    return LabSource(session, name, {**block, "tables": tables})


def _tables(source: LabSource) -> list[str]:
    return sorted(one["table"] for one in source.models.values())


def _rows(source: LabSource, table: str) -> dict[str, tuple[Any, ...]]:
    """Return the live rows of a state by their key; without one, how often each is there."""
    found: dict[str, tuple[Any, ...]] = {}
    for row in source.state(table):
        if row["_cdc_is_deleted"]:
            continue
        # a NaN is unlike any other
        values = tuple(repr(row[name]) for name in row.asDict() if is_of_table(name))
        found[row["_cdc_key"]] = (*values, row.asDict().get("_cdc_count"))
    return found


def _compare(
    table: str, source: LabSource, before: dict[str, tuple[Any, ...]], report: Report
) -> None:
    folded = folded_mutants(source.staged(table), report)
    if any(row["_cdc_op"] not in _OF_A_ROW for row in folded):
        report.became["of an op that is of no row"] += 1
        return
    after = _rows(source, table)
    differing = {key for key in {*before, *after} if before.get(key) != after.get(key)}
    if source.has_key(table):
        known = {row[name] for row in folded for name in ("_cdc_key", "_cdc_old_key")}
        report.compared += len(before.keys() - known)
        report.wrong += [
            f"{table} {key}: {before.get(key)} became {after.get(key)}"
            for key in sorted(differing - known)
        ]
    elif len(differing) > 2 * len(folded):
        # each event without a key takes at most one row away and brings at most one
        report.wrong.append(f"{table}: {len(differing)} rows differ, {len(folded)} were folded")
