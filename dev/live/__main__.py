"""`python -m dev.live`: real databases, Kafka and Debezium, landed by dbt while they work."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.table import Table

from dev.live.play import SIZES
from dev.live.project import ProjectError
from dev.live.run import Report, live
from dev.servers.errors import ServerError


def _terminate(_number: int, _frame: FrameType | None) -> None:
    # As an exception, so that everything is stopped on the way out.
    raise SystemExit("live: terminated.")


def main() -> int:
    """Run it; returns the exit code: 0 when every table equals its database's."""
    parser = argparse.ArgumentParser(prog="python -m dev.live", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides the statements (default 1)")
    parser.add_argument("--size", choices=sorted(SIZES), default="small")
    parser.add_argument("--target", choices=("iceberg", "delta"), default="iceberg")
    parser.add_argument(
        "--flattened",
        action="store_true",
        help="the connectors flatten their records with ExtractNewRecordState",
    )
    parser.add_argument(
        "--out", type=Path, help="folder to keep: dbt project with its tables, and the truth"
    )
    arguments = parser.parse_args()
    out: Path | None = arguments.out
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        parser.error(f"{out} is not an empty folder. Remove it or name another.")
    signal.signal(signal.SIGTERM, _terminate)

    console = Console(width=int(os.environ.get("COLUMNS", "110")), highlight=False)
    started = time.monotonic()

    def say(text: str) -> None:
        console.print(f"[dim]{time.monotonic() - started:6.1f} s[/]  {text}")

    folder = (out or Path(tempfile.mkdtemp(prefix="live-project-"))).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    failed = True
    try:
        report = live(
            folder,
            seed=arguments.seed,
            size=arguments.size,
            target=arguments.target,
            say=say,
            flattened=arguments.flattened,
        )
        failed = bool(report.rows_different)
    except (ServerError, ProjectError) as error:
        console.print(str(error), style="red", markup=False)
        console.print(f"Project and logs are kept in {folder}", markup=False)
        return 1
    except KeyboardInterrupt:
        console.print(f"live: interrupted. Project and logs are kept in {folder}", markup=False)
        return 130
    finally:
        if out is None and not failed:
            shutil.rmtree(folder, ignore_errors=True)
    show(console, report)
    return 1 if failed else 0


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
    for one in report.comparisons:
        for kind, rows in (("missing", one.missing), ("unexpected", one.unexpected)):
            for row in rows[:5]:
                console.print(f"{one.table}: {kind} {row[:500]}", style="red", markup=False)
    console.print(
        f"[bold]{report.rows_compared} rows compared with the databases' own,"
        f" {report.rows_different} rows differ"
    )


if __name__ == "__main__":
    sys.exit(main())
