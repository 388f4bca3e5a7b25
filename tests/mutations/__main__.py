"""`python -m tests.mutations`: change rules of the product one at a time; each must be noticed."""

from __future__ import annotations

import queue
import shutil
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated

import typer

from tests.mutations.copied_tree import CopiedTree
from tests.mutations.listed import AREAS, Mutation, read_list, selected, write_killers
from tests.mutations.pytest_run import Outcome, stop_all
from tests.mutations.report import listing, progress_line, table
from tests.mutations.verdict import Status, Verdict, judge, run_unchanged


def main(
    only: Annotated[
        list[str] | None,
        typer.Option(help="Name of a mutation, or a pattern like 'a-repeat-*'; may be repeated."),
    ] = None,
    area: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(AREAS)}; may be repeated.")
    ] = None,
    under: Annotated[
        str | None,
        typer.Option(help="Only mutations all of whose tests lie here, like tests/unit."),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Write into the list which test noticed.")
    ] = False,
    processes: Annotated[int, typer.Option(min=1, help="Mutations at the same time.")] = 2,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds for the tests of one mutation.")
    ] = 300,
    show: Annotated[bool, typer.Option("--list", help="Show the mutations, and run none.")] = False,
) -> None:
    """Change one rule of the product at a time, and run the tests that should notice.

    The changes stand in tests/mutations/mutations.yml. Each is made in a copy of the clone, which
    itself stays as it is. First all these tests run once without any change: they must pass.

    A mutation is killed when a test fails, or when the tests take longer than the time while
    without it they do not. One that survives shows that a test is missing. A broken one is a
    mistake of the list: its text is not there, no test ran, or what it left was no code.

    Ends with 1 when a mutation survived or is broken, with 2 when tests fail without any.
    """
    chosen = selected(read_list(), only or (), area or (), under)
    if not chosen:
        typer.echo("no mutation is like that; `--list` shows all", err=True)
        raise typer.Exit(2)
    if show:
        typer.echo("\n".join(listing(chosen)))
        return
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-mutations-"))
    verdicts: list[Verdict] = []
    try:
        trees = [CopiedTree(folder / str(number)) for number in range(min(processes, len(chosen)))]
        _check_unchanged(chosen, trees[0])
        _judge_all(chosen, trees, timeout, verdicts)
    finally:
        stop_all()
        shutil.rmtree(folder, ignore_errors=True)
        if update and verdicts:
            write_killers({one.mutation.name: _killer(one) for one in verdicts})
    typer.echo("\n".join(["", *table(verdicts)]))
    if any(one.status is not Status.KILLED for one in verdicts):
        raise typer.Exit(1)


def _check_unchanged(mutations: Sequence[Mutation], tree: CopiedTree) -> None:
    typer.echo("without a change: running the tests of all mutations")
    started = time.monotonic()
    for run in run_unchanged(mutations, tree):
        if run.outcome is not Outcome.PASSED:
            typer.echo(f"{run.outcome}: {run.test or ''}\n{run.message}", err=True)
            raise typer.Exit(2)
    typer.echo(f"without a change: passed, {time.monotonic() - started:.0f} s")


def _judge_all(
    mutations: Sequence[Mutation],
    trees: Sequence[CopiedTree],
    timeout: float,
    verdicts: list[Verdict],
) -> None:
    """Judge mutations, each in a copy that is free; verdicts are added as they come."""
    free: queue.Queue[CopiedTree] = queue.Queue()
    for tree in trees:
        free.put(tree)

    def judge_one(mutation: Mutation) -> Verdict:
        tree = free.get()
        try:
            return judge(mutation, tree, timeout)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as workers:
        try:
            for done in as_completed([workers.submit(judge_one, one) for one in mutations]):
                verdicts.append(done.result())
                typer.echo(progress_line(verdicts[-1], len(verdicts), len(mutations)))
        except BaseException:
            stop_all()
            workers.shutdown(cancel_futures=True)
            raise


def _killer(verdict: Verdict) -> str | None:
    """Return the test without its parameters, which come and go with the cases of a test."""
    if verdict.status is not Status.KILLED or verdict.test is None:
        return None
    return verdict.test.split("[")[0]


if __name__ == "__main__":
    typer.run(main)
