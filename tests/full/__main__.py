"""`make test-all`: every part of the proof, one after another, and what each took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tests.support.paths import REPOSITORY

ARTIFACTS = REPOSITORY / "artifacts"


@dataclass(frozen=True)
class Part:
    """One part: how it is run, in the clone, and what it shows.

    `make` names a target, `module` a Python module with its arguments, `tests` arguments of pytest.
    """

    shows: str
    make: str = ""
    module: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    processes: int = 1

    def command(self, name: str) -> list[str]:
        """Return the command line."""
        if self.make:
            return ["make", self.make]
        python = [sys.executable, "-m"]
        if self.module:
            return [*python, *self.module]
        several = [f"--numprocesses={self.processes}", "--dist=loadscope", "--no-loadscope-reorder"]
        return [
            *(*python, "pytest", *self.tests, "--durations=25"),
            *(several if self.processes > 1 else []),
            f"--junitxml={ARTIFACTS / f'junit-{name}.xml'}",
        ]


def _folder(name: str, shows: str, processes: int = 1) -> Part:
    return Part(shows, tests=(f"tests/full/{name}",), processes=processes)


PARTS = {
    "test": Part("`make test`", make="test"),
    "recording": _folder("recording", "a fresh recording of a real PostgreSQL, and its truth"),
    "live": _folder(
        "live", "PostgreSQL and MariaDB through Kafka Connect and Kafka, while they change"
    ),
    "kafka": _folder("kafka", "landing from Kafka; Avro of real converters", 2),
    "variants": Part(
        "on Delta, or of all connectors, what `make test` shows on Iceberg, or of one",
        tests=(
            *(f"tests/{one}" for one in ("unit", "spark", "dbt", "property", "lab")),
            "-m",
            "full",
        ),
        processes=2,
    ),
    "feed": _folder("feed", "a model on a change feed, batch by batch"),
    "servers": _folder("servers", "Spark Connect and thrift servers"),
    "runs": _folder("runs", "overlapping and killed runs"),
    "maintenance": _folder("maintenance", "compaction and expiry"),
    "large": _folder("large", "100 tables; 1,000 columns; names that are hard to write"),
    "names": _folder("names", "names, labels and comments as strangers might choose them"),
    "sources": _folder("sources", "every bundled source, built and compared; MongoDB's way"),
    "environments": _folder(
        "environments", "pip resolves this distribution beside dbt-databricks, dbt-glue and others"
    ),
    "histories": Part(
        "10,000 random histories",
        module=("tests.property", "--histories", "10000", "--seed", "400000"),
    ),
    "versions": Part(
        "the versions of 10,000 random histories",
        module=("tests.property", "--versions", "--histories", "10000", "--seed", "600000"),
    ),
    "lint": Part("`make lint`", make="lint"),
}


def main(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Parts, by default all: {', '.join(PARTS)}.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Say what the parts are, and end.")] = False,
) -> None:
    """Run parts of the proof, each by itself, and print a table of them and their seconds.

    A part that fails stops no other. Ends with 1 when one failed. What each printed lies in
    artifacts/<part>.log, its junit file beside it.
    """
    unknown = [name for name in parts or [] if name not in PARTS]
    if unknown:
        raise typer.BadParameter(f"unknown: {', '.join(unknown)}. Parts: {', '.join(PARTS)}.")
    if show:
        for name, part in PARTS.items():
            typer.echo(f"{name:12}  {part.shows}")
        return
    ARTIFACTS.mkdir(exist_ok=True)
    table: list[tuple[str, float, str]] = []
    for name in parts or PARTS:
        typer.echo(f"{name}: {PARTS[name].shows} ...")
        started = time.monotonic()
        code, last = _run(PARTS[name].command(name), ARTIFACTS / f"{name}.log")
        table.append((name, time.monotonic() - started, last if code == 0 else f"FAILED: {last}"))
        typer.echo(f"{name}: {table[-1][1]:.0f} s, {table[-1][2]}")
    typer.echo("\npart          seconds  result")
    for name, seconds, result in table:
        typer.echo(f"{name:12}  {seconds:7.0f}  {result}")
    typer.echo(f"{'all':12}  {sum(seconds for _, seconds, _ in table):7.0f}")
    if any(result.startswith("FAILED") for _, _, result in table):
        raise typer.Exit(1)


def _run(command: list[str], log: Path) -> tuple[int, str]:
    """Run a command into a log, and return its exit code and its last line."""
    with log.open("w", encoding="utf-8") as output:
        code = subprocess.run(
            command,
            cwd=REPOSITORY,
            stdout=output,
            stderr=subprocess.STDOUT,
            # a server that is missing is an error here, not a test skipped
            env={**os.environ, "PYTHONUNBUFFERED": "1", "CI": "true"},
            check=False,
        ).returncode
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    return code, lines[-1].strip("= ") if lines else "printed nothing"


if __name__ == "__main__":
    typer.run(main)
