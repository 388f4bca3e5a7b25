"""A case whose second and third runs each call for one way to fold what they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from reference import KafkaRecord
from tests.cases.case import Case, Rows
from tests.cases.log import Log

RUNS = 3

# How a run folds: see `macros/state/profile.sql`.
NOTHING, IN_ORDER, WALK, ANEW = "nothing new", "in order", "a walk", "a walk over everything"


@dataclass(frozen=True)
class Planned:
    """A case of which each run takes a plan: what lands with each."""

    name: str
    case: Case
    batches: Sequence[Sequence[int]]
    plans: Sequence[str]

    def records(self, runs: int) -> list[KafkaRecord]:
        """Return what had landed after so many runs."""
        records = self.case.records
        return [
            replace(records[place], topic=self.topic)
            for batch in self.batches[:runs]
            for place in batch
        ]

    @property
    def topic(self) -> str:
        """Its topic."""
        return f"plans.public.{self.name}"


PLANNED: dict[str, Planned] = {}


def planned(
    name: str,
    rule: str,
    log: Log,
    cuts: tuple[int, int],
    plans: Sequence[str],
    rows: Rows,
    *,
    replays: tuple[int, int] = (0, 0),
    after: Sequence[Rows | None] = (),
    **more: Any,
) -> None:
    """List a case that lands in three runs.

    Args:
        name: a short one, for the plan.
        rule: the name of the case.
        log: its records.
        cuts: where the first two batches end.
        plans: of the second and third run.
        rows: at the end.
        replays: all, and the unexplained among them.
        after: rows after each run, where they are told.
        more: arguments of the case.
    """
    places = range(len(log.records))
    batches = [places[: cuts[0]], places[cuts[0] : cuts[1]], places[cuts[1] :]]
    told = [*after, *[None] * RUNS][:RUNS]
    landing = [
        list(batch) if rows is None else (list(batch), rows)
        for batch, rows in zip(batches, told, strict=True)
    ]
    case = Case(rule, log, rows, replays=replays, landings={"for its plans": landing}, **more)
    PLANNED[name] = Planned(name, case, batches, plans)


def start() -> Log:
    """Begin with three rows."""
    return Log().c(1, 10, "a").c(2, 11, "b").c(3, 12, "c")
