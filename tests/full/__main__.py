"""`make test-all`: every part of the proof, two at a time, and what each took."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tests.full.parts import ARTIFACTS, PARTS
from tests.support.paths import REPOSITORY

CORES = 2  # processes at the same time, of all parts together


@dataclass(frozen=True)
class Result:
    """What a part took and said."""

    name: str
    seconds: float
    code: int
    last: str

    @property
    def text(self) -> str:
        """Its last line, and whether it failed."""
        return f"FAILED: {self.last}" if self.code else self.last


def main(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Parts, by default all: {', '.join(PARTS)}.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Say what the parts are, and end.")] = False,
) -> None:
    """Run parts of the proof, those of one process two at a time, and print a table of them.

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
    started = time.monotonic()
    results = []
    for result in run_parts(parts or PARTS):
        typer.echo(f"{result.name}: {result.seconds:.0f} s, {result.text}")
        results.append(result)
    typer.echo("\npart          seconds  result")
    for result in results:
        typer.echo(f"{result.name:12}  {result.seconds:7.0f}  {result.text}")
    typer.echo(f"{'all':12}  {time.monotonic() - started:7.0f}")
    if any(result.code for result in results):
        raise typer.Exit(1)


def run_parts(names: Iterable[str]) -> Iterator[Result]:
    """Yield the results of parts as they end; each begins when it has its processes' cores."""
    busy: dict[Future[Result], int] = {}
    with ThreadPoolExecutor(CORES) as pool:
        for name in names:
            needed = min(PARTS[name].processes, CORES)
            while sum(busy.values()) + needed > CORES:
                yield from _ended(busy)
            typer.echo(f"{name}: {PARTS[name].shows} ...")
            busy[pool.submit(_run, name)] = needed
        while busy:
            yield from _ended(busy)


def _ended(busy: dict[Future[Result], int]) -> Iterator[Result]:
    done, _ = wait(busy, return_when=FIRST_COMPLETED)
    for one in done:
        del busy[one]
        yield one.result()


def _run(name: str) -> Result:
    """Run a part, and keep what it prints in its log."""
    log: Path = ARTIFACTS / f"{name}.log"
    started = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        code = subprocess.run(
            PARTS[name].command(name),
            cwd=REPOSITORY,
            stdout=output,
            stderr=subprocess.STDOUT,
            # a server that is missing is an error here, not a test skipped
            env={**os.environ, "PYTHONUNBUFFERED": "1", "CI": "true"},
            check=False,
        ).returncode
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    last = lines[-1].strip("= ") if lines else "printed nothing"
    return Result(name, time.monotonic() - started, code, last)


if __name__ == "__main__":
    typer.run(main)
