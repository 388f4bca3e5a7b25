"""`python -m dev.benchmarks.retention`: whether a long life with a retention stays as it was.

A source of two tables, whose rows change day by day: the records of each day land and are folded,
then those go whose retention has ended, and every ten days the tables are maintained. All commands
run in one process. Every ten days it says what each took, and what the tables hold on disk. At the
end the rows are compared with those that the records were made of.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from copy import deepcopy
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.records import PREFIX
from dev.benchmarks.retention_records import COLUMNS, Life
from dev.benchmarks.retention_sizes import Size, size_of
from dev.live.project import Project

TABLES = ("customers", "orders")
NAMES = [str(column["name"]) for column in COLUMNS]
LAND, FOLD, RUN = "landing", "staging, state", "dbt run"
RETAIN, MAINTAIN = "retain", "maintain"
WORKS = (LAND, FOLD, RUN, RETAIN, MAINTAIN)
LAYERS = {"raw": ("raw_bench",)} | {
    name: tuple(f"{name}_bench__{table}" for table in TABLES) for name in ("stg", "state")
}
EVERY = 10
# Delta keeps the files of a week unless a project says that no reader needs them
DELTA_KEEPS_FILES = "spark.databricks.delta.retentionDurationCheck.enabled"


class Trial:
    """A project that lives through days."""

    def __init__(self, folder: Path, target: str, keys: int, keep: int | None) -> None:
        """Make the project; `keep`: the days that its records are kept, None for ever."""
        self.target = target
        self.lives = [Life(table, keys) for table in TABLES]
        self.input = folder / "records"
        self.input.mkdir()
        self.project = Project(folder / "project", {"DEBEZIUM_SPARK_TARGET": target})
        options: dict[str, Any] = {
            "tables": {
                f"public.{table}": {"key": ["id"], "columns": deepcopy(COLUMNS)} for table in TABLES
            }
        }
        if keep is not None:
            options["retention"] = {layer: f"{keep} days" for layer in ("raw", "staging")}
        self.retains = keep is not None
        self.project.add_source(PREFIX, "postgresql", str(self.input), options)
        profile = self.project.path / "profiles.yml"
        text = profile.read_text(encoding="utf-8")
        setting = "debezium_spark.format: delta"
        assert setting in text, text
        profile.write_text(
            text.replace(setting, f'{setting}\n        {DELTA_KEEPS_FILES}: "false"'),
            encoding="utf-8",
        )

    def start(self, events: int) -> None:
        """Generate and load the models, from the records of a first day."""
        self.land(0, events)
        self.project.debezium_spark("generate")
        self.run()

    def land(self, day: int, events: int) -> None:
        """Write the file of a day."""
        lines = [
            json.dumps(record) + "\n"
            for life in self.lives
            for record in life.records(day, events // len(self.lives))
        ]
        (self.input / f"day-{day:04}.jsonl").write_text("".join(lines), encoding="utf-8")

    def run(self) -> dict[str, float]:
        """Run the models, and return the seconds of each work in it."""
        seconds = {RUN: self._seconds("run")}
        results = json.loads((self.project.path / "target" / "run_results.json").read_text())
        for one in results["results"]:
            layer = one["unique_id"].rpartition(".")[2].partition("_")[0]
            work = {"raw": LAND, "stg": FOLD, "state": FOLD}.get(layer)
            if work:
                seconds[work] = seconds.get(work, 0) + one["execution_time"]
        return seconds

    def retain(self) -> float:
        """Let records go; return the seconds of it."""
        return self._seconds("run-operation", "debezium_retain")

    def maintain(self) -> float:
        """Compact the tables, and remove what only older states need; return the seconds of it."""
        return self._seconds("run-operation", "debezium_maintain", "--args", "{older_than_days: 0}")

    def _seconds(self, *command: str) -> float:
        started = time.perf_counter()
        self.project.run_dbt("--quiet", *command)
        return time.perf_counter() - started

    def sizes(self) -> dict[str, Size]:
        """Return what the tables of each layer hold, by layer."""
        spark, state = self.project.spark(), self.project.path / ".lakehouse"
        return {
            layer: sum((size_of(spark, state, name, self.target) for name in names), Size())
            for layer, names in LAYERS.items()
        }

    def compare(self) -> str:
        """Compare the rows with those at the source, and say how many there are.

        Raises:
            AssertionError: some differ.
        """
        spark, count = self.project.spark(), 0
        for life in self.lives:
            frame = spark.table(f"cur_{PREFIX}__{life.table}").select(*NAMES)
            found = {row["id"]: row.asDict() for row in frame.collect()}
            wrong = {
                key
                for key in found.keys() | life.rows.keys()
                if found.get(key) != life.rows.get(key)
            }
            if wrong:
                key = min(wrong)
                raise AssertionError(
                    f"{len(wrong)} rows of {life.table} differ, such as {key}:"
                    f" {found.get(key)} in place of {life.rows.get(key)}"
                )
            count += len(found)
        return f"{count:,} rows are those of the source"


def live(trial: Trial, batches: int, events: int) -> tuple[Table, list[Table]]:
    """Live through the days, and return tables of seconds and of bytes."""
    seconds = frame.table(f"seconds (median of {EVERY} batches), {trial.target}", "batch", *WORKS)
    headings = ("rows", "files", "live", "folder: data", "before maintain", "metadata")
    layers = {layer: frame.table(f"{layer}: KiB", "batch", *headings) for layer in LAYERS}
    taken: dict[str, list[float]] = defaultdict(list)
    for batch in range(1, batches + 1):
        trial.land(batch, events)
        for work, value in trial.run().items():
            taken[work].append(value)
        if trial.retains:
            taken[RETAIN].append(trial.retain())
        typer.echo(f"  {batch}: " + ", ".join(f"{one} {taken[one][-1]:.1f}" for one in taken))
        if batch % EVERY:
            continue
        before = trial.sizes()
        taken[MAINTAIN].append(trial.maintain())
        cells = [f"{median(taken[work]):.1f}" if work in taken else "" for work in WORKS]
        seconds.add_row(str(batch), *cells)
        for layer, size in trial.sizes().items():
            cells = size.cells(before[layer].data)
            layers[layer].add_row(str(batch), *cells)
            typer.echo(f"    {layer}: {' '.join(cells)}")
        taken.clear()
    return seconds, list(layers.values())


def main(
    batches: Annotated[int, typer.Option(help="Days, each a batch.")] = 100,
    events: Annotated[int, typer.Option(help="Events of a batch, over two tables.")] = 5_000,
    keys: Annotated[int, typer.Option(help="Keys of each table.")] = 2_000,
    keep_batches: Annotated[int, typer.Option(help="Days that records are kept.")] = 10,
    without: Annotated[bool, typer.Option("--without", help="Keep all records.")] = False,
    keep: Annotated[bool, typer.Option(help="Keep the project and say where it is.")] = False,
    target: frame.Target = "iceberg",
) -> None:
    """Measure the days of a project, with a retention or without."""
    with frame.new_folder("retention", keep=keep, memory="2g") as folder:
        trial = Trial(folder, target, keys, None if without else keep_batches)
        trial.start(events)
        seconds, layers = live(trial, batches, events)
        frame.show(seconds, *layers)
        typer.echo(trial.compare())


if __name__ == "__main__":
    typer.run(main)
