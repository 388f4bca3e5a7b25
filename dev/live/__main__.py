"""`python -m dev.live`: real databases, Kafka and Debezium, landed by dbt while they work."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dev.live.play import SIZES
from dev.live.project import ProjectError
from dev.live.run import Report, live
from dev.servers import ServerError


def main(
    seed: Annotated[int, typer.Option(help="Decides the statements.")] = 1,
    size: Annotated[str, typer.Option(help=f"One of {', '.join(SIZES)}.")] = "small",
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
    flattened: Annotated[
        bool, typer.Option(help="The connectors flatten records with ExtractNewRecordState.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder to keep: dbt project, its tables, the truth.")
    ] = None,
) -> None:
    """Land real databases while they work; ends with 0 when every table equals its database's."""
    if size not in SIZES:
        raise typer.BadParameter(f"unknown size {size}")
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise typer.BadParameter(f"{out} is not an empty folder. Remove it or name another.")
    # As an exception, so that everything is stopped on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("live: terminated."))
    console = Console(width=int(os.environ.get("COLUMNS", "110")), highlight=False)
    started = time.monotonic()

    def say(text: str) -> None:
        console.print(f"[dim]{time.monotonic() - started:6.1f} s[/]  {text}")

    folder = (out or Path(tempfile.mkdtemp(prefix="live-project-"))).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        report = live(folder, seed=seed, size=size, target=target, say=say, flattened=flattened)
    except (ServerError, ProjectError, KeyboardInterrupt) as error:
        console.print(str(error) or "live: interrupted.", style="red", markup=False)
        console.print(f"Project and logs are kept in {folder}", markup=False)
        raise typer.Exit(1 if str(error) else 130) from error
    show(console, report)
    if report.rows_different:
        raise typer.Exit(1)
    if out is None:
        shutil.rmtree(folder, ignore_errors=True)


def show(console: Console, report: Report) -> None:
    """Print what was delivered, landed and compared."""
    table = Table("source", "records", "changes", "redelivered", "landed", "in batches")
    for source, delivered in report.delivered.items():
        landed = report.landed[source]
        table.add_row(
            source,
            *(str(n) for n in (delivered.records, delivered.changes, delivered.redelivered)),
            *(str(n) for n in (landed.records, landed.batches)),
        )
    console.print(table)
    table = Table("table", "rows", "different")
    for one in report.comparisons:
        table.add_row(one.table, str(one.rows), str(one.different))
    console.print(table)
    table = Table("verified", "here", "there", "equal", "changed meanwhile", "different")
    for verified in report.verified:
        found = verified.found
        numbers = [found[name] for name in ("here", "there", "equal")]
        numbers += [found["not_compared"]["changed"], found["differing"]]
        table.add_row(verified.table, *map(str, numbers))
    console.print(table)
    for one in report.comparisons:
        for kind, rows in (("missing", one.missing), ("unexpected", one.unexpected)):
            for row in rows[:5]:
                console.print(f"{one.table}: {kind} {row[:500]}", style="red", markup=False)
    console.print(
        f"[bold]{report.rows_compared} rows compared with the databases' own,"
        f" {report.rows_different} rows differ"
    )


if __name__ == "__main__":
    typer.run(main)
