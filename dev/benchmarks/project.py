"""`python -m dev.benchmarks.project`: whole commands, ours against a project written by hand.

The same files, the same Spark, one after the other: a first load, a batch in few tables, nothing
new. Each command is a process of its own, as a scheduler starts it. At the end the rows of both are
compared: the records are such that a project without any guard gets them right.

The first load is also compared with the same statements without dbt, one after another in one Spark
session. With `--all` every other command of a team's day is measured: `generate`, `dbt parse`,
`dbt build` and `sqlfluff lint`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.by_hand import write_project
from dev.benchmarks.frame import OURS, Seconds
from dev.benchmarks.records import COLUMNS, PREFIX
from dev.live.project import Project

BY_HAND = "by hand"
SCHEMAS = {OURS: "ours", BY_HAND: "by_hand"}
LOAD, BATCH, NOTHING = "first load", "batch", "nothing new"
BARE_JOBS = "first load, by statements in one Spark session"
BUILD = ("build",)
# What dbt writes into its log for each statement that ended.
STATEMENT = "SQL status: "
_BIN = Path(sys.executable).parent


class Trial(Seconds):
    """Two projects over one folder of records."""

    def __init__(self, folder: Path, tables: Sequence[str], target: str) -> None:
        """Write the projects; nothing is landed yet."""
        super().__init__()
        self.folder = folder
        self.tables = tables
        self.target = target
        self.records = folder / "records"
        self.records.mkdir()
        self.projects = {side: folder / schema for side, schema in SCHEMAS.items()}
        about = {"key": ["id"], "columns": COLUMNS}
        options = {"tables": {f"public.{table}": deepcopy(about) for table in tables}}
        ours = Project(self.projects[OURS])
        ours.add_source(PREFIX, "postgresql", str(self.records), options)
        write_project(self.projects[BY_HAND], self.records, tables, target)

    def call(self, side: str, command: str, *arguments: str) -> float:
        """Run a command in a process of its own, and return its seconds."""
        environment = {
            **os.environ,
            "DEBEZIUM_SPARK_SCHEMA": SCHEMAS[side],
            "DEBEZIUM_SPARK_TARGET": self.target,
        }
        profiles = ("--profiles-dir", str(self.projects[OURS])) if command == "dbt" else ()
        started = time.perf_counter()
        finished = subprocess.run(
            [str(_BIN / command), *arguments, *profiles],
            cwd=self.projects[side],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if finished.returncode:
            typer.echo(finished.stdout[-3000:] + finished.stderr[-3000:])
            raise SystemExit(f"{side}: {command} {' '.join(arguments)} failed")
        return time.perf_counter() - started

    def measure(self, work: str, side: str, command: str, *arguments: str) -> None:
        """Run a command and note what it took."""
        log = self.projects[side] / "logs" / "dbt.log"
        log.unlink(missing_ok=True)
        how = " ".join((command, *arguments))
        self.keep(work, side, self.call(side, command, *arguments), f"{how}: ")
        if command == "dbt" and arguments[0] != "parse":
            statements = log.read_text(encoding="utf-8").count(STATEMENT)
            typer.echo(
                f"    {statements} statements, {statements / len(self.tables):.1f} per table"
            )

    def load_bare(self, events: int) -> None:
        """Note what the first load takes without dbt."""
        said = _in_a_process(self, "bare", ",".join(self.tables), events)
        self.keep(BARE_JOBS, BY_HAND, float(said.split()[-1]), "Spark: ")
        self.keep(BARE_JOBS, OURS, self.median(LOAD, OURS))

    def measure_all(self) -> None:
        """Measure the commands that a run does not need."""
        self.measure("dbt build, nothing new", OURS, "dbt", *BUILD)
        for arguments in ((), ("--no-build",), ("--check",)):
            name = " ".join(("generate again", *arguments))
            self.measure(name, OURS, "debezium-spark", "generate", *arguments)
        self.measure("dbt parse, warm", OURS, "dbt", "parse")
        shutil.rmtree(self.projects[OURS] / "target")
        self.measure("dbt parse, cold", OURS, "dbt", "parse")
        self.measure("lint", OURS, "sqlfluff", "lint", "--processes", "2", "models")

    def land(self, name: str, tables: Sequence[str], first: int, count: int, keys: int) -> None:
        """Write records of some tables into a file of the folder that both projects read."""
        _in_a_process(self, "land", name, ",".join(tables), first, count, keys)

    def table(self) -> Table:
        """Return the seconds of both sides, and their ratio."""
        title = f"seconds of whole commands, {len(self.tables)} tables, {self.target}"
        table = frame.table(title, "work", BY_HAND, OURS, "ratio")
        for work in dict.fromkeys(work for work, _ in self.taken):
            if (work, BY_HAND) in self.taken:
                table.add_row(work, *self.sides(work, sides=(BY_HAND, OURS)))
            else:
                table.add_row(work, "", f"{self.median(work, OURS):.1f}", "")
        return table


def _in_a_process(trial: Trial, *arguments: object) -> str:
    """Run `benchmarks.project_spark`, whose Spark ends with it."""
    command, *others = map(str, arguments)
    program = [sys.executable, "-m", "dev.benchmarks.project_spark", command]
    finished = subprocess.run(
        [*program, str(trial.folder), trial.target, *others],
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
    target: frame.Target = "iceberg",
    every: Annotated[
        bool, typer.Option("--all", help="Measure generate, parse, build and lint, too.")
    ] = False,
    keep: Annotated[bool, typer.Option(help="Keep the projects and say where they are.")] = False,
) -> None:
    """Measure a first load, a batch in two tables and nothing new, and compare the rows."""
    names = [f"table_{number:03}" for number in range(tables)]
    with frame.new_folder("project", keep=keep, memory=None) as folder:
        trial = Trial(folder, names, target)
        per_table = events // tables

        trial.land("load", names, 0, per_table, keys)
        trial.measure("generate", OURS, "debezium-spark", "generate")
        for side in (BY_HAND, OURS):
            trial.measure(LOAD, side, "dbt", "run")
        trial.load_bare(per_table)
        for side in (OURS, BY_HAND):
            trial.measure(NOTHING, side, "dbt", "run")
        trial.land("batch", names[:2], per_table, batch // 2, keys)
        for side in (BY_HAND, OURS):
            trial.measure(BATCH, side, "dbt", "run")
        if every:
            # the first one tests all tables, the second those with new records
            trial.measure("dbt build, all tables", OURS, "dbt", *BUILD)
            trial.land("another", names[:2], per_table + batch // 2, batch // 2, keys)
            trial.measure("dbt build, batch", OURS, "dbt", *BUILD)
            trial.measure("another batch", BY_HAND, "dbt", "run")
            trial.measure_all()

        frame.show(trial.table())
        typer.echo(_in_a_process(trial, "compare", ",".join(names)).strip().splitlines()[-1])


if __name__ == "__main__":
    typer.run(main)
