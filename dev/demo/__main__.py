"""Build the bundled sources with dbt, show their tables, count the rows unlike the truth.

At the end stand five commands that show more of them.

`python -m dev.demo` takes all of them, `python -m dev.demo shop content` those.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dbt.cli.main import dbtRunner
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

from dbt_debezium_spark import spark_session
from dev.demo import tour
from dev.demo.life import life_of_one_row
from dev.demo.truth import Comparison, compare

REPOSITORY = Path(__file__).resolve().parents[2]
HISTORIES = REPOSITORY / "models" / "history"
SHOWN_ROWS = 5
SHOWN_COLUMNS = 6


@dataclass(frozen=True)
class Source:
    """A bundled source: its name in the configuration, its folder below dev/demo/data, a title."""

    name: str
    folder: str
    title: str


SOURCES = (
    Source("shop", "postgresql", "PostgreSQL 15, recorded through Debezium 3.6"),
    Source("store", "sqlserver", "SQL Server, simulated"),
    Source("billing", "oracle", "Oracle, simulated"),
    Source("inventory", "mysql", "MySQL, simulated"),
    Source("web", "mariadb", "MariaDB, simulated"),
    Source("content", "mongodb", "MongoDB, simulated"),
)


def main(names: Sequence[str] = ()) -> int:
    """Run the demo; returns the exit code: 0 when every table equals its truth.

    Args:
        names: sources; all of them by default.
    """
    console = Console(width=int(os.environ.get("COLUMNS", "110")))
    unknown = sorted(set(names) - {source.name for source in SOURCES})
    if unknown:
        known = ", ".join(source.name for source in SOURCES)
        console.print(f"[red]no such source: {', '.join(unknown)}. Known: {known}.")
        return 2
    os.environ.setdefault("DEBEZIUM_SPARK_STATE", ".lakehouse")
    arguments = ["--project-dir", str(REPOSITORY), "--profiles-dir", str(REPOSITORY / "profiles")]
    selected = ["--select", *(f"tag:{name}" for name in names)] if names else []
    built = dbtRunner().invoke(["build", *selected, *arguments])
    if not built.success:
        console.print("[red]dbt build failed; what is wrong stands above")
        return 1

    spark = spark_session(REPOSITORY, REPOSITORY / "profiles")
    different = compared = 0
    for source in [one for one in SOURCES if not names or one.name in names]:
        console.rule(f"{source.title}: source `{source.name}`")
        for comparison, frame in compare_source(spark, source):
            show(console, comparison.table, frame)
            judge(console, comparison, "rows")
            different += comparison.different
            compared += comparison.rows
        for comparison, history in compare_source(spark, source, layer="hist"):
            console.print(life_of_one_row(comparison.table, history))
            judge(console, comparison, "current versions")
            different += comparison.different
    console.print(f"[bold]{compared} rows compared with the truth, {different} rows differ\n")
    if not names:
        tour.show(console, REPOSITORY)
    return 1 if different else 0


def judge(console: Console, comparison: Comparison, what: str) -> None:
    """Print how a table compares with its truth."""
    verdict = "equal to the truth" if not comparison.different else "[red]differs from the truth"
    console.print(f"{comparison.rows} {what}, {comparison.different} different: {verdict}\n")
    for row in (*comparison.missing, *comparison.unexpected)[:10]:
        console.print(f"  [red]{row[:500]}", highlight=False)


def compare_source(
    spark: SparkSession, source: Source, folder: Path | None = None, layer: str = "cur"
) -> list[tuple[Comparison, DataFrame]]:
    """Return how the current table of every table of the truth compares, and that table.

    With the layer `hist`, the current versions compare, of the tables that have a history.
    """
    truth = (folder or REPOSITORY / "dev" / "demo" / "data" / source.folder) / "truth"
    described = json.loads((truth / "_columns.json").read_text(encoding="utf-8"))
    plain_names = [name.rpartition(".")[2].lower() for name in described]
    results = []
    for name, table in described.items():
        schema, _, plain = name.rpartition(".")
        # tables of one name in several schemas carry the schema in their model's name
        ambiguous = plain_names.count(plain.lower()) > 1
        model = f"{schema}_{plain}".lower() if ambiguous else plain.lower()
        shown = f"{layer}_{source.name}__{model}"
        if layer == "hist" and not (HISTORIES / source.name / f"{shown}.sql").is_file():
            continue
        frame = spark.table(shown)
        current = frame.where("_cdc_is_current") if layer == "hist" else frame
        types = {column["name"]: column["type"] for column in table["columns"]}
        results.append((compare(name, current, truth / f"{name}.jsonl", types), frame))
    return results


def show(console: Console, name: str, frame: DataFrame) -> None:
    """Print the first rows of a table, cut to the console."""
    columns = [name for name in frame.columns if not name.startswith("_cdc_")][:SHOWN_COLUMNS]
    table = Table(title=f"{name}", title_justify="left")
    for column in columns:
        table.add_column(column, overflow="ellipsis", no_wrap=True, max_width=24)
    quoted = [f"`{column}`" for column in columns]
    for row in frame.select(*quoted).orderBy(quoted[0]).limit(SHOWN_ROWS).collect():
        table.add_row(*("" if value is None else _shown(value) for value in row))
    console.print(table)


def _shown(value: object) -> str:
    return bytes(value).hex() if isinstance(value, bytearray | bytes) else str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
