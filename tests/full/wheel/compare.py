"""Compare the tables of a project with the truths of the demo, and print the result as JSON.

It runs in the environment of a wheel: `python -m tests.full.wheel.compare PROJECT` in the clone.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from dbt_debezium_spark import spark_session
from dev.demo.__main__ import SOURCES
from dev.demo.truth import compare
from tests.full.wheel.demo_inputs import TABLES
from tests.support.paths import DEMO

HISTORIES = {"postgresql": "public.customers", "mongodb": "articles"}


def main(project: str) -> None:
    """Print what was found of each connector."""
    spark = spark_session(project, project)
    found: dict[str, Any] = {}
    for source in SOURCES:
        connector = source.folder
        raw = spark.table(f"raw_{source.name}")
        rejected = spark.table(f"raw_{source.name}__rejected")
        found[connector] = {
            "landed": raw.count(),
            "rejected": [row.reason for row in rejected.collect()],
            "tables": [
                compared(connector, table, spark.table(f"cur_{source.name}__{model_of(table)}"))
                for table in TABLES[connector]
            ],
        }
        if connector in HISTORIES:
            table = HISTORIES[connector]
            history = spark.table(f"hist_{source.name}__{model_of(table)}")
            found[connector]["versions"] = history.count()
            current = history.where("_cdc_is_current")
            found[connector]["tables"].append(compared(connector, table, current))
    print(json.dumps(found))


def model_of(table: str) -> str:
    """Return the last part of the names of a table's models."""
    return table.rpartition(".")[2].lower()


def compared(connector: str, table: str, rows: DataFrame) -> dict[str, Any]:
    """Return how rows compare with the truth of a table."""
    truth = DEMO / connector / "truth"
    described = json.loads((truth / "_columns.json").read_text(encoding="utf-8"))[table]
    types = {column["name"]: column["type"] for column in described["columns"]}
    return asdict(compare(table, rows, truth / f"{table}.jsonl", types))


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
