"""Replays, and changes without a position that look like them. docs/semantics.md, the walk."""

from __future__ import annotations

from dev.simulator.history import CONNECTORS
from tests.cases.case import Case
from tests.cases.log import Log
from tests.cases.tables import SQLSERVER, john, plain_table
from tests.support.examples import START_MS, example

COMPRESSED = plain_table("mysql", "compressed", options={"binlog_transaction_compression": True})


def compressed(*changes: tuple[str | None, str, str, str]) -> Log:
    """Return changes of one row: (run, gtid, old value, new value), all at one position."""
    log = Log("mysql")
    for run, gtid, old, new in changes:
        log.u(1, 9, new, run=run, before={"id": 1, "v": old}, source={"gtid": gtid})
    return log


replayed = example("seq_sqlserver_2.1.4_replay_after_restart")
ROWS = [{1005: john(1005, f"{letter}@x.org")} for letter in "bccc"]
for count, replays in ((3, 1), (4, 2)):
    Case(
        f"the documented replay, cut anywhere, never shows an older row: {count} records",
        replayed[:count],
        ROWS[-1],
        ("trap 11", "trap 12", "support PostgreSQL, SQL Server: repeats"),
        table=SQLSERVER,
        replays=(replays, 0),
        after={end: ROWS[end - 1] for end in range(1, count)},
        landings={"late files": [range(2, count), (range(2), ROWS[-1])]},
    )
Case(
    "records without a replay count none",
    replayed[:2],
    ROWS[1],
    ("trap 11",),
    table=SQLSERVER,
    replays=(0, 0),
)
for connector in CONNECTORS:
    Case(
        f"no time decides: {connector}",
        Log(connector)
        .u(1, 10, "old", ms=1_000, at=START_MS + 50_000)
        .u(1, 20, "new", ms=0, at=START_MS)
        .u(2, 10, "old", ms=0, at=START_MS)
        .u(2, 20, "new", ms=0, at=START_MS),
        {1: "new", 2: "new"},
        ("trap 12",),
        replays=(0, 0),
    )
    Case(
        f"a lower position that was never seen before is unexplained: {connector}",
        Log(connector).u(1, 200, "new", ms=0).u(1, 100, "old", ms=0).u(1, 150, "late", ms=9_000),
        {1: "new"},
        ("trap 12", "trap 22"),
        replays=(2, 2),
        landings={"the old ones first": [([1], {1: "old"}), ([2], {1: "late"}), [0]]},
    )
    Case(
        f"a repeat is known although its envelope has another time: {connector}",
        Log(connector).c(1, 10, "a").u(1, 20, "b").c(1, 10, "a").u(1, 20, "b"),
        {1: "b"},
        ("trap 22",),
        replays=(2, 0),
        after={2: {1: "b"}, 3: {1: "b"}},
    )
# a connector that resumes may take another commit for the last one before (spec 5.2)
Case(
    "a repeat is known although it tells another commit",
    Log().c(1, 10, "a").u(1, 20, "b").u(1, 30, "c").u(1, 20, "b", commit=25),
    {1: "c"},
    ("trap 22",),
    replays=(1, 0),
    after={3: {1: "c"}},
)
Case(
    "a repeat is not applied, and the first delivery counts",
    Log().c(1, 10, "a", w="dropped since").c(1, 10, "a"),
    {1: {"v": "a", "w": "dropped since"}},
    ("trap 22",),
    replays=(1, 0),
    no_documents="what a change says is part of its identity there",
)
for rule, value, replays, changes in (
    (
        "of one run are different changes",
        "b",
        0,
        [("x", "s:1", "a", "b"), ("x", "s:1", "b", "a"), ("x", "s:1", "a", "b")],
    ),
    (
        "of two runs are repeats",
        "c",
        1,
        [("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b")],
    ),
    (
        "of two runs are repeats behind new ones",
        "c",
        1,
        [("x", "s:1", "a", "b"), ("y", "s:1", "b", "c"), ("y", "s:1", "a", "b")],
    ),
    (
        "without runs count once",
        "a",
        1,
        [(None, "s:1", "a", "b"), (None, "s:1", "b", "a"), (None, "s:1", "a", "b")],
    ),
    (
        "of other transactions are different changes",
        "b",
        0,
        [("x", "s:1", "a", "b"), ("x", "s:2", "b", "a"), ("y", "s:3", "a", "b")],
    ),
):
    Case(
        f"without a position, equal changes {rule}",
        compressed(*changes),
        {1: value},
        ("trap 22",),
        table=COMPRESSED,
        replays=(replays, 0),
    )
