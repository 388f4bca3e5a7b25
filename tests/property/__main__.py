"""`python -m tests.property --histories 10000`: random histories against the reference."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Annotated

import typer

from tests.property.round import Round, run_round
from tests.property.whole_sources import WITH_ENDS
from tests.support.transforms import TRANSFORMS

WHOLE = 4  # topics or tables of a whole source
SINGLES = 3  # histories behind each round that are folded one by one
CONNECTORS = "postgresql,sqlserver,oracle,mysql,mariadb,mongodb"


def main(
    histories: Annotated[int, typer.Option(help="Histories over all connectors.")] = 1200,
    seed: Annotated[int, typer.Option(help="Seed of the first history.")] = 1,
    group: Annotated[
        int, typer.Option(help="Histories of a connector that share a table; 1: each has its own.")
    ] = 100,
    connector: Annotated[str, typer.Option(help="Connectors, separated by commas.")] = CONNECTORS,
    versions: Annotated[bool, typer.Option(help="Keep versions instead of the state.")] = False,
    processes: Annotated[int, typer.Option(help="Sparks at the same time.")] = 2,
) -> None:
    """Stage and fold random histories, and count the rows unlike those of the reference.

    Most histories have a transform of their records (`tests/support/transforms.py`); the output
    ends with how many have each. Needs no dbt and no table format: the macros' SELECTs run on
    temporary views. Ends with 1 when a row differs; the output names connector, seed, batch and
    key.
    """
    connectors = connector.split(",")
    if versions:
        rounds = list(_version_rounds(connectors, histories, seed, group))
    else:
        rounds = list(_rounds(connectors, histories, seed, group))
    started = time.monotonic()
    done = wrong = 0
    transforms: Counter[str] = Counter()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(run_round, one): one for one in rounds}
        for finished in as_completed(running):
            one = running[finished]
            outcome = finished.result()
            transforms += outcome.transforms
            done += one.count * len(one.connectors)
            wrong += len(outcome.differences)
            for text in outcome.differences[:20]:
                typer.echo(text)
            typer.echo(
                f"{done} of {histories} histories, {wrong} wrong rows,"
                f" {time.monotonic() - started:.0f} s; last: {', '.join(one.connectors)},"
                f" seeds {one.first} to {one.first + one.count - 1}"
            )
    for name in TRANSFORMS:
        typer.echo(f"{transforms[name]} histories with transform: {name}")
    typer.echo(f"{done} histories, {wrong} wrong rows, {time.monotonic() - started:.0f} s")
    if wrong:
        raise typer.Exit(1)


def _rounds(connectors: list[str], histories: int, seed: int, group: int) -> Iterator[Round]:
    """Yield rounds of one group of each connector, and between them some of another kind.

    After every tenth a history has a source of its own. After each there are single histories, of
    the connectors in turn: the plan of histories that are folded together is that of all their
    events, and can hide what the plan of one lacks. Behind them comes a whole source.
    """
    left = histories
    kinds = [("routed", one) for one in connectors]
    kinds += [("ended", one) for one in connectors if one in WITH_ENDS]
    # documents have no plan to hide
    relational = itertools.cycle([one for one in connectors if one != "mongodb"])
    for number in itertools.count():
        count = min(group, -(-left // len(connectors)))
        if count <= 0:
            return
        yield Round(tuple(connectors), seed, count, both_plans=number % 4 == 0)
        left -= count * len(connectors)
        seed += count
        singles = min(SINGLES, max(left, 0)) if group > 1 else 0
        for connector in itertools.islice(relational, singles):
            yield Round((connector,), seed, 1)
            left, seed = left - 1, seed + 1
        if number % 10 == 9 and left > 0:
            # it may use what binds a whole source
            yield Round((connectors[number // 10 % len(connectors)],), seed, 1, alone=True)
            left, seed = left - 1, seed + 1
        if kinds and left > 0:
            whole, connector = kinds[number % len(kinds)]
            yield Round((connector,), seed, min(WHOLE, left), whole=whole)
            left, seed = left - WHOLE, seed + WHOLE


def _version_rounds(
    connectors: list[str], histories: int, seed: int, group: int
) -> Iterator[Round]:
    """Yield rounds of one group of each connector, and after each a single history."""
    left = histories
    # documents have no plan to hide
    singles = itertools.cycle([one for one in connectors if one != "mongodb"] or connectors)
    while left > 0:
        count = min(group, -(-left // len(connectors)))
        yield Round(tuple(connectors), seed, count, versions=True)
        left, seed = left - count * len(connectors), seed + count
        if left > 0:
            yield Round((next(singles),), seed, 1, alone=True, versions=True)
            left, seed = left - 1, seed + 1


if __name__ == "__main__":
    typer.run(main)
