"""`python -m benchmarks.project`: whole commands, ours against a project written by hand.

The same files, the same Spark, one after the other: a first load, a batch in few tables, nothing
new. Each command is a process of its own, as a scheduler starts it. At the end the rows of both are
compared: the records are such that a project without any guard gets them right.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from ruamel.yaml import YAML

from benchmarks.by_hand import write_project
from benchmarks.records import COLUMNS, PREFIX

SOURCE = "bench"
OURS, BY_HAND = "ours", "by hand"
SCHEMAS = {OURS: "ours", BY_HAND: "by_hand"}
LOAD, BATCH, NOTHING = "first load", "batch", "nothing new"
_BIN = Path(sys.executable).parent


class Trial:
    """Two projects over one folder of records."""

    def __init__(self, folder: Path, tables: Sequence[str], target: str) -> None:
        """Write the projects; nothing is landed yet."""
        self.folder = folder
        self.tables = tables
        self.target = target
        self.records = folder / "records"
        self.records.mkdir()
        self.projects = {side: folder / schema for side, schema in SCHEMAS.items()}
        self.seconds: dict[str, dict[str, float]] = {}
        self._init_ours()
        write_project(self.projects[BY_HAND], self.records, tables, target)

    def _init_ours(self) -> None:
        project = self.projects[OURS]
        self.call(OURS, "debezium-spark", "init", project, *("--source", SOURCE, "--input"),
                  self.records, *("--connector", "postgresql", "--topic-prefix", PREFIX),
                  in_project=False)  # fmt: skip
        yaml, file = YAML(), project / "dbt_project.yml"
        settings = yaml.load(file.read_text(encoding="utf-8"))
        settings["vars"]["debezium_sources"][SOURCE]["tables"] = {
            f"public.{table}": {
                "key": ["id"],
                "columns": [dict(column) for column in COLUMNS],
            }
            for table in self.tables
        }
        with file.open("w", encoding="utf-8") as stream:
            yaml.dump(settings, stream)

    def call(self, side: str, command: str, *arguments: object, in_project: bool = True) -> float:
        """Run a command in a process of its own, and return its seconds."""
        environment = {
            **os.environ,
            "DEBEZIUM_SPARK_STATE": str(self.folder / "lake"),
            "DEBEZIUM_SPARK_SCHEMA": SCHEMAS[side],
            "DEBEZIUM_SPARK_TARGET": self.target,
        }
        profiles = ("--profiles-dir", str(self.projects[OURS])) if command == "dbt" else ()
        started = time.perf_counter()
        finished = subprocess.run(
            [str(_BIN / command), *map(str, arguments), *profiles],
            cwd=self.projects[side] if in_project else self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if finished.returncode:
            typer.echo(finished.stdout[-3000:] + finished.stderr[-3000:])
            raise SystemExit(f"{side}: {command} {' '.join(map(str, arguments))} failed")
        return time.perf_counter() - started

    def measure(self, work: str, side: str, command: str, *arguments: str) -> None:
        """Run a command and note what it took."""
        seconds = self.call(side, command, *arguments)
        typer.echo(f"  {work}, {side}: {command} {' '.join(arguments)}: {seconds:.0f} s")
        self.seconds.setdefault(work, {}).setdefault(side, 0.0)
        self.seconds[work][side] += seconds

    def land(self, name: str, tables: Sequence[str], first: int, count: int, keys: int) -> None:
        """Write records of some tables into a file of the folder that both projects read."""
        _in_a_process(self, "land", name, ",".join(tables), first, count, keys)

    def table(self) -> Table:
        """Return the seconds of both sides, and their ratio."""
        table = Table(title=f"seconds of whole commands, {len(self.tables)} tables, {self.target}")
        for heading in ("work", BY_HAND, OURS, "ratio"):
            table.add_column(heading, justify="left" if heading == "work" else "right")
        for work, seconds in self.seconds.items():
            sides = [f"{seconds[side]:.0f}" if side in seconds else "" for side in (BY_HAND, OURS)]
            ratio = (
                f"{seconds[OURS] / seconds[BY_HAND]:.2f}" if len(seconds) == len(SCHEMAS) else ""
            )
            table.add_row(work, *sides, ratio)
        return table


def _in_a_process(trial: Trial, *arguments: object) -> str:
    """Run `benchmarks.project_spark`, whose Spark ends with it."""
    command, *others = map(str, arguments)
    finished = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.project_spark",
            command,
            str(trial.folder),
            trial.target,
            *others,
        ],  # fmt: skip
        env={**os.environ, "DEBEZIUM_SPARK_STATE": str(trial.folder / "lake")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return finished.stdout


def main(
    tables: Annotated[int, typer.Option(help="How many tables.")] = 20,
    events: Annotated[
        int, typer.Option(help="Events of the first load, over all tables.")
    ] = 400_000,
    keys: Annotated[int, typer.Option(help="Keys of each table.")] = 2_000,
    batch: Annotated[int, typer.Option(help="Events of the batch, over two tables.")] = 1_000,
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
    keep: Annotated[bool, typer.Option(help="Keep the projects and say where they are.")] = False,
) -> None:
    """Measure a first load, a batch in two tables and nothing new, and compare the rows."""
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-project-"))
    names = [f"table_{number:03}" for number in range(tables)]
    trial = Trial(folder, names, target)
    per_table = events // tables

    trial.land("load", names, 0, per_table, keys)
    trial.measure("generate", OURS, "debezium-spark", "generate")
    for side in (BY_HAND, OURS):
        trial.measure(LOAD, side, "dbt", "run")
    for side in (OURS, BY_HAND):
        trial.measure(NOTHING, side, "dbt", "run")
    trial.land("batch", names[:2], per_table, batch // 2, keys)
    for side in (BY_HAND, OURS):
        trial.measure(BATCH, side, "dbt", "run")

    Console(width=100).print(trial.table())
    typer.echo(_in_a_process(trial, "compare", ",".join(names)).strip().splitlines()[-1])
    if keep:
        typer.echo(str(folder))
    else:
        shutil.rmtree(folder)


if __name__ == "__main__":
    typer.run(main)
