"""`python -m tests.property --histories 10000`: random histories against the reference."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer

CONNECTORS = "postgresql,sqlserver,oracle,mysql,mariadb,mongodb"


@dataclass(frozen=True)
class Round:
    """Histories that one process stages and folds together: `count` of each connector."""

    connectors: tuple[str, ...]
    first: int
    count: int
    alone: bool = False


def main(
    histories: Annotated[int, typer.Option(help="Histories over all connectors.")] = 1200,
    seed: Annotated[int, typer.Option(help="Seed of the first history.")] = 1,
    group: Annotated[
        int, typer.Option(help="Histories of a connector that share a table; 1: each has its own.")
    ] = 100,
    connector: Annotated[str, typer.Option(help="Connectors, separated by commas.")] = CONNECTORS,
    processes: Annotated[int, typer.Option(help="Sparks at the same time.")] = 2,
) -> None:
    """Stage and fold random histories, and count the rows unlike those of the reference.

    Needs no dbt and no table format: the macros' SELECTs run on temporary views. Ends with 1 when
    a row differs; the output names connector, seed, batch and key.
    """
    rounds = list(_rounds(connector.split(","), histories, seed, group))
    started = time.monotonic()
    done = wrong = 0
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(run_round, one): one for one in rounds}
        for finished in as_completed(running):
            one = running[finished]
            differences = finished.result()
            done += one.count * len(one.connectors)
            wrong += len(differences)
            for text in differences[:20]:
                typer.echo(text)
            typer.echo(
                f"{done} of {histories} histories, {wrong} wrong rows,"
                f" {time.monotonic() - started:.0f} s; last: {', '.join(one.connectors)},"
                f" seeds {one.first} to {one.first + one.count - 1}"
            )
    typer.echo(f"{done} histories, {wrong} wrong rows, {time.monotonic() - started:.0f} s")
    if wrong:
        raise typer.Exit(1)


def _rounds(connectors: list[str], histories: int, seed: int, group: int) -> Iterator[Round]:
    """Yield rounds of one group of each connector; after every tenth, a history of its own."""
    left = histories
    for number in itertools.count():
        count = min(group, -(-left // len(connectors)))
        if count <= 0:
            return
        yield Round(tuple(connectors), seed, count)
        left -= count * len(connectors)
        seed += count
        if number % 10 == 9 and left > 0:
            # it may use what binds a whole source
            yield Round((connectors[number // 10 % len(connectors)],), seed, 1, alone=True)
            left, seed = left - 1, seed + 1


def run_round(one: Round) -> list[str]:
    """Return what differs, in a process of its own."""
    from tests.property.documents import run_document_trial
    from tests.property.groups import Group, by_kind, draw
    from tests.property.lab_trial import fold_together
    from tests.support.lab import start_lab

    session = start_lab(Path(tempfile.gettempdir()) / f"debezium-spark-lab-{os.getpid()}")
    relational = [name for name in one.connectors if name != "mongodb"]
    drawn = draw([Group(name, one.first, one.count) for name in relational], alone=one.alone)
    found = []
    for groups in by_kind(drawn):
        found += fold_together(session, groups)
    if "mongodb" in one.connectors:
        found += run_document_trial(session, range(one.first, one.first + one.count))
    return [str(difference) for difference in found]


if __name__ == "__main__":
    typer.run(main)
