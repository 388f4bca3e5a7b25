"""Damaged records through catalog, models, staging and fold: what becomes of the other rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import yaml
from pyspark.sql import Row, SparkSession

from dbt_debezium_spark.landing.record_line import read_row
from tests.fuzz.mutants import Mutant, originals
from tests.fuzz.readers import RECORD
from tests.support.lab_source import LabSource
from tests.support.paths import REPOSITORY
from tests.support.raw import kafka_record
from tests.support.table_columns import is_of_table

CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
# Behind every offset of the demo: a mutant arrives after the record that it was.
FIRST_OFFSET = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OF_A_ROW = ("c", "u", "d", "r", "tombstone")
# one would leave no row to compare
_TRUNCATE = re.compile(r'"op"\s*:\s*"t"')


@dataclass
class Report:
    """What became of the mutants of a connector.

    Attributes:
        became: how many mutants were rejected by landing, quarantined by staging, folded, …
        wrong: rows that differ from those without mutants, and belong to no mutant that was folded.
        compared: rows that no mutant was of, and that were compared.
    """

    became: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    compared: int = 0

    def __add__(self, other: Report) -> Report:
        """Return the sum of two."""
        return Report(
            self.became + other.became, self.wrong + other.wrong, self.compared + other.compared
        )


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
    rows = []
    for number, one in enumerate(damaged):
        if one.connector != connector:
            continue
        read = read_row("file", 0, 0, one.line)
        if read["state"] != RECORD:
            report.became["rejected by landing"] += 1
        elif _TRUNCATE.search(read["value"] or ""):
            report.became["a truncate, left out"] += 1
        else:
            rows.append(_raw(read, FIRST_OFFSET + number, source.batch + 1))
    source.land_rows(rows)
    source.run()
    for table in _tables(source):
        _compare(table, source, before[table], report)
    staged = report.became["folded"] + report.became["quarantined"]
    report.became["in no table"] = len(rows) - staged
    source.build()
    return report


def _source(session: SparkSession, connector: str) -> LabSource:
    project = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    for name, block in project["vars"]["debezium_sources"].items():
        if block["connector"] == connector:
            # closing what a snapshot did not see would take rows that no record names
            tables = {
                table: {key: value for key, value in options.items() if key != "close_unseen"}
                for table, options in block.get("tables", {}).items()
            }
            return LabSource(session, name, {**block, "tables": tables})
    raise ValueError(f"the demo has no source of {connector}")


def _tables(source: LabSource) -> list[str]:
    return sorted(one["table"] for one in source.models.values())


def _raw(read: dict[str, Any], offset: int, batch: int) -> tuple[Any, ...]:
    """Return the row of the raw table, at an offset that no other record has."""
    try:
        moment = _EPOCH + timedelta(microseconds=read["timestamp_us"] or 0)
    except OverflowError:
        moment = _EPOCH
    headers = [(one["key"], one["value"]) for one in read["headers"] or ()] or None
    return (
        read["topic"], read["partition"], offset, moment, 0,
        read["key"], read["value"], headers, batch, moment,
    )  # fmt: skip


def _rows(source: LabSource, table: str) -> dict[str, tuple[Any, ...]]:
    """Return the live rows of a state by their key; without one, how often each is there."""
    found: dict[str, tuple[Any, ...]] = {}
    for row in source.state(table):
        if row["_cdc_is_deleted"]:
            continue
        values = tuple(row[name] for name in row.asDict() if is_of_table(name))
        found[row["_cdc_key"]] = (*values, row.asDict().get("_cdc_count"))
    return found


def _compare(
    table: str, source: LabSource, before: dict[str, tuple[Any, ...]], report: Report
) -> None:
    staged = [row for row in source.staged(table) if row["_cdc_offset"] >= FIRST_OFFSET]
    folded = [row for row in staged if not _is_set_aside(row)]
    report.became["quarantined"] += len(staged) - len(folded)
    report.became["folded"] += len(folded)
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


def _is_set_aside(row: Row) -> bool:
    return any(error.startswith("record: ") for error in row["_cdc_errors"] or ())
