"""`python -m dev.benchmarks.generate`: what `debezium-spark generate` takes on a large source."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.timed_generate import PARTS, START
from dev.simulator.landing import to_jsonl
from dev.simulator.warehouse import PREFIX, Warehouse

# Each in a process of its own, as a person calls the command.
ROUNDS = {
    "first": (),
    "again": (),
    "--no-build": ("--no-build",),
    "--check": ("--check",),
}


def make_project(folder: Path, warehouse: Warehouse) -> Path:
    """Write the records of a source and a project that reads them; return the project's folder."""
    from dev.live.project import Project

    records = folder / "records"
    records.mkdir()
    (records / "part-1.jsonl").write_text(to_jsonl(warehouse.records), encoding="utf-8")
    project = Project(folder / "project")
    project.add_source(PREFIX, "sqlserver", str(records), {"tables": warehouse.table_options()})
    return project.path


def run_round(project: Path, *arguments: str) -> dict[str, float]:
    """Run the command in a process of its own and return the seconds of its parts."""
    out = project.parent / "seconds.json"
    command = [sys.executable, "-m", "dev.benchmarks.timed_generate", str(out)]
    command += ["--project-dir", str(project), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    result: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {"code": "none"}
    if result["code"] != 0:
        typer.echo(finished.stdout[-3000:] + finished.stderr[-3000:])
        raise SystemExit(f"generate {' '.join(arguments)} ended with {result['code']}")
    typer.echo(finished.stdout.strip().splitlines()[-1])
    return dict(result["seconds"])


def seconds_table(rounds: dict[str, dict[str, float]], title: str) -> Table:
    """Return the seconds by part and round."""
    table = frame.table(title, "seconds", *rounds)
    for part in PARTS:
        table.add_row(part, *(f"{seconds[part]:.1f}" for seconds in rounds.values()))
    totals = [sum(seconds.values()) for seconds in rounds.values()]
    table.add_section()
    table.add_row("all", *(f"{total:.1f}" for total in totals))
    after = [total - seconds[START] for total, seconds in zip(totals, rounds.values(), strict=True)]
    table.add_row("[bold]all but the session's start", *(f"{one:.1f}" for one in after))
    return table


def main(
    tables: Annotated[int, typer.Option(help="Tables of the source, from 31 on.")] = 100,
    target: frame.Target = "iceberg",
    keep: Annotated[bool, typer.Option(help="Keep the project and say where it is.")] = False,
) -> None:
    """Measure `generate`: on a new project, again, with --no-build and with --check."""
    warehouse = Warehouse(tables)
    os.environ["DEBEZIUM_SPARK_TARGET"] = target
    with frame.new_folder("generate", keep=keep, memory=None) as folder:
        project = make_project(folder, warehouse)
        rounds = {name: run_round(project, *arguments) for name, arguments in ROUNDS.items()}
    columns = sum(len(plan.columns) for plan in warehouse.plans)
    title = f"{tables} tables, {columns:,} columns, {len(warehouse.records):,} records"
    frame.show(seconds_table(rounds, title))


if __name__ == "__main__":
    typer.run(main)
