"""What a run of mutations shows: a line for each, and a table by area."""

from __future__ import annotations

from collections.abc import Sequence

from tests.mutations.listed import AREAS, Mutation
from tests.mutations.verdict import Status, Verdict


def progress_line(verdict: Verdict, number: int, total: int) -> str:
    """Return the line of a mutation that was run."""
    told = verdict.test if verdict.status is Status.KILLED else verdict.reason
    width = len(str(total))
    return (
        f"{number:{width}}/{total} {verdict.status:8} {verdict.seconds:6.1f} s "
        f" {verdict.mutation.area}: {verdict.mutation.name}{f'  ({told})' if told else ''}"
    )


def listing(mutations: Sequence[Mutation]) -> list[str]:
    """Return the lines that show the mutations without running them."""
    lines = []
    for one in mutations:
        lines.append(f"{one.area}: {one.name}  ({one.file})")
        lines.append(f"    {one.shows}")
        lines.append(f"    {'killed by ' + one.killed_by if one.killed_by else 'not run yet'}")
    return lines


def table(verdicts: Sequence[Verdict]) -> list[str]:
    """Return how many mutations of each area were noticed, as lines of a table."""
    rows: list[tuple[str, ...]] = [("area", "mutations", "killed", "survived", "broken")]
    for area in AREAS:
        own = [one for one in verdicts if one.mutation.area == area]
        if own:
            rows.append(_row(area, own))
    rows.append(_row("all", verdicts))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _row(name: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    counts = [sum(one.status is status for one in verdicts) for status in Status]
    return (name, str(len(verdicts)), *map(str, counts))
