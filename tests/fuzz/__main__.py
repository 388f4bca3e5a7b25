"""`python -m tests.fuzz --mutants 20000 --seed 1`: damaged lines through landing's readers."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from tests.fuzz.mutants import DAMAGES, Mutant, mutants
from tests.fuzz.readers import outcome

SHOWN = 20


def main(
    count: Annotated[int, typer.Option("--mutants", help="How many damaged lines.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Another seed, other mutants.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write them: DIR/<connector>/mutants.jsonl."),
    ] = None,
) -> None:
    """Read each mutant; ends with 1 when an exception left a reader or a row is none.

    Needs no Java. The output tells, for each kind of damage, what became of its lines.
    """
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


def _write(out: Path, one: Mutant) -> None:
    folder = out / one.connector
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "mutants.jsonl").open("ab") as file:
        file.write(one.line + b"\n")


if __name__ == "__main__":
    typer.run(main)
