"""Positions that start again. docs/semantics.md#words: epoch."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log
from tests.cases.recorded import ORACLE
from tests.cases.replays import COMPRESSED, compressed
from tests.cases.tables import plain_table
from tests.traps.listed_cases import lines

TRAP = ("trap 20",)
FROM = "2030-01-01T00:00:00Z"
FROM_MS = 1_893_456_000_000
RESTORED = plain_table("postgresql", "restored", options={"epochs": [{"from": FROM}]})


def restored(connector: str = "postgresql") -> Log:
    """Return a log whose positions start again with the second record."""
    return Log(connector).u(1, 500, "old").u(1, 10, "new").u(1, 20, "newer")


for connector in ("postgresql", "sqlserver"):
    Case(
        f"positions that start again undeclared are unexplained: {connector}",
        restored(connector),
        {1: "old"},
        TRAP,
        replays=(2, 2),
    )
    Case(
        f"a declared epoch lets lower positions count: {connector}",
        restored(connector),
        {1: "newer"},
        TRAP,
        replays=(0, 0),
        epochs=({"offsets": {0: 1}},),
    )
for ms, value in ((0, "new"), (-1, "old")):
    Case(
        f"an epoch begins at its time: a record {ms} ms from it",
        Log().u(1, 500, "old").u(1, 10, "new", at=FROM_MS + ms),
        {1: value},
        TRAP,
        table=RESTORED,
        replays=(int(ms < 0), int(ms < 0)),
    )
for what, entry in (
    ("another partition", {"offsets": {1: 1}}),
    ("another topic", {"topic": "other", "offsets": {0: 1}}),
    ("a later offset", {"offsets": {0: 2}}),
):
    Case(
        f"an epoch of {what} lets no lower position count",
        Log().u(1, 500, "old").u(1, 10, "new"),
        {1: "old"},
        TRAP,
        replays=(1, 1),
        epochs=(entry,),
    )
Case(
    "a full snapshot after a restore is an epoch by itself",
    Log().u(1, 500, "old").r(1, 5, "read", snapshot="last").u(1, 10, "new"),
    {1: "new"},
    TRAP,
    replays=(0, 0),
)
for name, newest, table, column in (
    ("oracle-xstream-to-logminer", "logminer", ORACLE, "V"),
    ("mysql-binlog-over-4gib", "after wrap", plain_table("mysql"), "v"),
):
    Case(
        f"an epoch tells that positions start anew: {name}",
        lines(name),
        {1: newest},
        ("case oracle-xstream-to-logminer", "case mysql-binlog-over-4gib"),
        table=table,
        column=column,
        replays=(0, 0),
        epochs=({"offsets": {0: 1}},),
    )
# What a change of a compressed transaction says is what repeats it: `replays.py`.
Case(
    "an epoch makes equal changes new",
    compressed(("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b")),
    {1: "b"},
    TRAP,
    table=COMPRESSED,
    replays=(0, 0),
    epochs=({"offsets": {0: 2}},),
)
