"""`python -m tests.mutations`: break rules of the pages one at a time; each must be noticed."""

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

from tests.mutations.list_of_rules import RULES
from tests.mutations.worker import Status, Verdict, Worker


def main(
    only: Annotated[
        list[str] | None,
        typer.Option(help="A part of a rule's page, section, text or name; may be repeated."),
    ] = None,
    under: Annotated[
        str | None, typer.Option(help="Only rules all of whose tests lie here, like tests/unit.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Rules at the same time.")] = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for the tests of one.")] = 300,
    unchanged: Annotated[
        bool, typer.Option(help="First run the tests with no rule broken: they must pass.")
    ] = True,
    show: Annotated[bool, typer.Option("--list", help="Show the rules, and run none.")] = False,
) -> None:
    """Break one rule of the pages at a time, and run the tests that should notice.

    The rules stand in tests/mutations/of_*.py. A broken rule is killed when a test fails. One
    that survives shows that a test is missing. One that could not be broken is a mistake of the
    list: no test came by its name, what it left was no code, or its tests took too long.

    Ends with 1 when a rule survived or could not be broken, with 2 when tests fail without that.
    """
    chosen = [
        number
        for number, rule in enumerate(RULES)
        if (not only or any(part in f"{rule.where} {rule.text} {rule.name}" for part in only))
        and (under is None or all(test.startswith(under) for test in rule.tests))
    ]
    chosen.sort(key=lambda number: RULES[number].kind)  # functions first: see `worker`
    if not chosen:
        typer.echo("no rule is like that; `--list` shows all", err=True)
        raise typer.Exit(2)
    if show:
        for number in chosen:
            rule = RULES[number]
            typer.echo(f"{rule.where}: {rule.text}  ({rule.kind} {rule.name})")
        return
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-mutations-"))
    workers = [Worker(folder / str(number)) for number in range(min(processes, len(chosen)))]
    try:
        if unchanged:
            _check_unchanged(chosen, Worker(folder / "unchanged"))
        verdicts = _break_all(chosen, workers, timeout)
    finally:
        for worker in workers:
            worker.close()
        shutil.rmtree(folder, ignore_errors=True)
    counts = {status: sum(one.status is status for one in verdicts) for status in Status}
    told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    typer.echo(f"{len(verdicts)} rules: {told}")
    if counts[Status.KILLED] != len(verdicts):
        raise typer.Exit(1)


def _check_unchanged(chosen: Sequence[int], worker: Worker) -> None:
    tests = dict.fromkeys(test for number in chosen for test in RULES[number].tests)
    try:
        verdict = worker.run(None, list(tests), None)
    finally:
        worker.close()  # it has a Spark, and functions are changed in forks
    typer.echo(f"with no rule broken: {len(tests)} tests, {verdict.seconds:.0f} s")
    if verdict.status is not Status.SURVIVED:
        typer.echo(f"{verdict.test} fails: {verdict.reason}", err=True)
        raise typer.Exit(2)


def _break_all(chosen: Sequence[int], workers: Sequence[Worker], timeout: float) -> list[Verdict]:
    """Break rules, each in a process that is free."""
    free: queue.Queue[Worker] = queue.Queue()
    for worker in workers:
        free.put(worker)

    def break_one(number: int) -> tuple[int, Verdict]:
        worker = free.get()
        try:
            verdict = worker.run(number, RULES[number].tests, timeout)
            if verdict.status is Status.LOST:
                verdict = worker.run(number, RULES[number].tests, timeout)
            return number, verdict
        finally:
            free.put(worker)

    started = time.monotonic()
    verdicts = []
    with ThreadPoolExecutor(len(workers)) as threads:
        try:
            for done in as_completed([threads.submit(break_one, number) for number in chosen]):
                number, verdict = done.result()
                verdicts.append(verdict)
                rule, minutes = RULES[number], (time.monotonic() - started) / 60
                told = verdict.test if verdict.status is Status.KILLED else verdict.reason
                typer.echo(
                    f"{len(verdicts)}/{len(chosen)} {minutes:.1f} min  {verdict.status} "
                    f"{verdict.seconds:.1f} s  {rule.where}: {rule.text}  ({told})"
                )
        except BaseException:
            for worker in workers:
                worker.close()
            threads.shutdown(cancel_futures=True)
            raise
    return verdicts


if __name__ == "__main__":
    typer.run(main)
