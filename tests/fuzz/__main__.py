"""`python -m tests.fuzz --mutants 20000 --seed 1`: damaged lines through landing's readers.

With `--tables` those that land go on, through catalog, generated models, staging and fold.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tests.fuzz.documents import fuzz_documents
from tests.fuzz.landed import MONGODB, Report
from tests.fuzz.mutants import DAMAGES, Mutant, mutants
from tests.fuzz.readers import outcome
from tests.fuzz.tables import CONNECTORS, fuzz_tables
from tests.support.lab_spark import start_lab

SHOWN = 20
# Of one connector, in one batch: so few that most rows are of none of them, and are compared.
TOGETHER = 100


def main(
    count: Annotated[int, typer.Option("--mutants", help="How many damaged lines.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Another seed, other mutants.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write them: DIR/<connector>/mutants.jsonl."),
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Stage and fold them, and compare the other rows.")
    ] = False,
) -> None:
    """Read each mutant; ends with 1 when an exception left a reader or a row is none.

    Needs Java only with `--tables`, which ends with 1 also when a model failed, or a row changed
    that no mutant was of. The output tells, for each kind of damage, what became of its lines.
    """
    if tables:
        _fuzz_tables(list(mutants(seed, count)))
        return
    started = time.monotonic()
    became: dict[str, Counter[str]] = {damage: Counter() for damage in DAMAGES}
    wrong = 0
    for number, one in enumerate(mutants(seed, count)):
        if out is not None:
            _write(out, one)
        try:
            became[one.damage][outcome(one.line)] += 1
        except Exception as error:  # counted, shown, and told by the exit code
            wrong += 1
            if wrong <= SHOWN:
                typer.echo(
                    f"seed {seed}, mutant {number} ({one.connector}, {one.damage}):"
                    f" {type(error).__name__}: {str(error)[:200]!r}"
                )
    for damage, counts in became.items():
        typer.echo(f"{damage}: {', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}")
    typer.echo(f"{count} mutants, {wrong} wrong, {time.monotonic() - started:.0f} s")
    if wrong:
        raise typer.Exit(1)


def _fuzz_tables(made: Sequence[Mutant]) -> None:
    session = start_lab(Path(tempfile.mkdtemp()))
    started = time.monotonic()
    whole = Report()
    for connector in (*CONNECTORS, MONGODB):
        own = [one for one in made if one.connector == connector]
        for start in range(0, len(own), TOGETHER):
            some = own[start : start + TOGETHER]
            if connector == MONGODB:
                report = fuzz_documents(session, some)
            else:
                report = fuzz_tables(session, connector, some)
            for text in report.wrong[:SHOWN]:
                typer.echo(f"{connector}, mutants {start} to {start + TOGETHER}: {text[:500]}")
            whole += report
            typer.echo(f"{connector}: {min(start + TOGETHER, len(own))} of {len(own)}")
    typer.echo(
        f"{', '.join(f'{n} {what}' for what, n in sorted(whole.became.items()))};"
        f" {whole.compared} rows compared, {len(whole.wrong)} wrong,"
        f" {time.monotonic() - started:.0f} s"
    )
    if whole.wrong:
        raise typer.Exit(1)


def _write(out: Path, one: Mutant) -> None:
    folder = out / one.connector
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "mutants.jsonl").open("ab") as file:
        file.write(one.line + b"\n")


if __name__ == "__main__":
    typer.run(main)
