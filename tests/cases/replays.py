"""Replays, marks and late births. docs/semantics.md, the walk."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log

Case(
    "a repeat is not applied, and the first delivery counts",
    Log().c(1, 10, "a", w="dropped since").c(1, 10, "a"),
    {1: {"v": "a", "w": "dropped since"}},
    ("trap 22",),
    replays=(1, 0),
    no_documents="what a change says is part of its identity there",
)
Case(
    "a lower position that was never seen before is unexplained",
    Log().u(1, 20, "new").u(1, 10, "old"),
    {1: "new"},
    replays=(1, 1),
    landings={"the old one first": [([1], {1: "old"}), [0]]},
)
