"""What the ways of mutants through models share: landing them, and the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import yaml
from pyspark.sql import Row

from dbt_debezium_spark.landing.record_line import read_row
from tests.fuzz.mutants import Mutant
from tests.fuzz.readers import RECORD
from tests.support.paths import REPOSITORY

MONGODB = "mongodb"
# Behind every offset of the demo: a mutant arrives after the record that it was.
FIRST_OFFSET = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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


def demo_source(connector: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the configuration of the demo's source of a connector."""
    project = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    for name, block in project["vars"]["debezium_sources"].items():
        if block["connector"] == connector:
            return name, block
    raise ValueError(f"the demo has no source of {connector}")


def damaged_rows(
    connector: str, damaged: Sequence[Mutant], batch: int, report: Report
) -> list[tuple[Any, ...]]:
    """Return the rows of the raw table that the mutants of a connector become.

    Those that landing rejects are counted, and so are truncates, which are left out.
    """
    rows = []
    for number, one in enumerate(damaged):
        if one.connector != connector:
            continue
        read = read_row("file", 0, 0, one.line)
        if read["state"] != RECORD:
            report.became["rejected by landing"] += 1
        elif connector != MONGODB and _TRUNCATE.search(read["value"] or ""):
            report.became["a truncate, left out"] += 1
        else:
            rows.append(_raw(read, FIRST_OFFSET + number, batch))
    return rows


def folded_mutants(staged: Sequence[Row | Mapping[str, Any]], report: Report) -> list[Any]:
    """Return the events among a table's staged records that mutants became; counts the others."""
    ours = [row for row in staged if row["_cdc_offset"] >= FIRST_OFFSET]
    folded = [row for row in ours if not _is_set_aside(row)]
    report.became["quarantined"] += len(ours) - len(folded)
    report.became["folded"] += len(folded)
    return folded


def _is_set_aside(row: Row | Mapping[str, Any]) -> bool:
    return any(error.startswith("record: ") for error in row["_cdc_errors"] or ())


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
