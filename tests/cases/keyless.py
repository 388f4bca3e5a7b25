"""Tables without a key. docs/semantics.md#tables-without-a-key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.cases.case import Case
from tests.cases.log import GONE, Log, again
from tests.cases.table import Table
from tests.cases.tables import column, plain_table
from tests.support.examples import START_MS, example
from tests.traps.listed_cases import lines

FULL = plain_table("postgresql", "keyless", key=False, full=True)
SQLSERVER = plain_table("sqlserver", "keyless", key=False)
APPENDED = plain_table("postgresql", "appended", key=False)
AUDIT = Table(
    "pg_audit",
    "postgresql",
    [column("who"), column("what")],
    key=[],
    mark="who",
    table="public.audit_log",
    full=True,
)


class Rows(Log):
    """Records without a key. All rows have the same `id`, so that they are told by the others."""

    def _change(self, op: str, number: Any, position: Any, v: Any, more: dict[str, Any]) -> Log:
        return super()._change(op, number, position, v, more | {"keyless": True})


def image(v: str, **more: Any) -> dict[str, Any]:
    """Return a row image."""
    return {"id": 1, "v": v, **more}


# Records of nulls

Case(
    "a record of nulls means nothing: the documented delete of a table without a key",
    example("seq_postgres_no_primary_key"),
    {},
    ("trap 26",),
    table=AUDIT,
    column="what",
    after={1: {"login": 1}},
)
Case(
    "a record of nulls alone means nothing",
    Rows().c(1, 5, "x").x(None),
    {"x": 1},
    ("trap 26",),
    table=FULL,
)

# Each distinct event counts once

for table in (FULL, SQLSERVER):
    equal = Rows(table.connector).c(1, 10, "x").c(1, 11, "x").c(1, 12, "x").d(1, 20, "x")
    equal.u(1, 30, "y", before=image("x"))
    equal.records += again(equal.records)
    Case(
        f"{table.connector}: equal rows are counted, and their repeats are not",
        equal,
        {"x": 1, "y": 1},
        ("trap 23",),
        table=table,
        after={7: {"x": 1, "y": 1}},
    )
Case(
    "equal changes of one run are different, and those of two runs are repeats",
    Rows().c(1, 10, "x", run="1").c(1, 10, "x", run="1").c(1, 10, "x", run="2").again(2),
    {"x": 2},
    ("trap 23",),
    table=FULL,
    after={3: {"x": 2}},
)
Case(
    "without a run equal changes at one position count once, and different ones both",
    Rows().c(1, 10, "x").c(1, 10, "x").c(1, 11, "x").c(1, 11, "y"),
    {"x": 2, "y": 1},
    ("trap 23",),
    table=FULL,
)
Case(
    "a change that its record tells apart counts once in one run, too",
    Rows("sqlserver").c(1, 10, "x", run="1").again(0),
    {"x": 1},
    ("trap 23",),
    table=SQLSERVER,
)
Case(
    "reads before Debezium 2.6 all count: nothing tells those of two equal rows apart",
    Rows().r(1, 100, "x").again(0, timestamp_ms=START_MS),
    {"x": 2},
    ("trap 23",),
    table=FULL,
)
for name, rows in (("v", {"x": 2}), ("w", {"1": 1, "2": 1})):
    Case(
        f"an update replaces one row and takes missing values from its before: {name}",
        Rows()
        .c(1, 10, "x", w="1")
        .c(1, 11, "x", w="1")
        .u(1, 20, GONE, w="2", before=image("x", w="1")),
        rows,
        ("trap 34",),
        table=FULL,
        column=name,
    )
lob = lines("keyless-sqlserver-lob-before-3.6")
LOB = Table(
    "ss_keyless_lob",
    "sqlserver",
    [column("a", "int32"), column("note")],
    key=[],
    table="dbo.s_keyless_lob",
    mark="a",
)
for name, counts in (("a", {1: 1, 2: 1}), ("note", {"long text": 2})):
    Case(
        # no record tells the NULL from one of the row: docs/limits.md, and `generate`
        f"a row whose before lacks a value stays: {name}",
        [replace(record, key=None) for record in lob],
        counts,
        ("case keyless-sqlserver-lob-before-3.6",),
        table=LOB,
        column=name,
    )

# Snapshots and truncates

Case(
    "the latest snapshot replaces everything before it, and incremental reads add nothing",
    Rows()
    .c(1, 10, "x")
    .r(1, 20, "old")
    .r(1, 30, "y", snapshot="first")
    .r(1, 30, "y", snapshot="last")
    .c(1, 40, "x")
    .r(1, 50, "z", snapshot="incremental"),
    {"y": 2, "x": 1},
    ("trap 31",),
    table=FULL,
)
Case(
    "a truncate behind the latest snapshot empties a table without a key",
    Rows()
    .r(1, 100, "x", snapshot="first")
    .r(1, 100, "x", snapshot="last")
    .c(1, 500, "x")
    .r(1, 900, "y", snapshot="last")
    .t(1000),
    {},
    ("trap 27", "trap 31"),
    table=FULL,
    after={2: {"x": 2}, 4: {"y": 1}},
)
reads = Rows().r(1, 30, "y", partition=1, at=START_MS + 2000)
reads.r(1, 30, "z", snapshot="first", partition=1, at=START_MS + 1000)
Case(
    "offsets order the reads of a snapshot if the table lies in one partition",
    reads,
    {"z": 1},
    ("trap 31",),
    table=FULL,
)
several = Rows()
several.records += reads.records
Case(
    "record times order them if it lies in several",
    several.c(1, 10, "x", at=START_MS + 500),
    {"y": 1, "z": 1},
    ("trap 31",),
    table=FULL,
)
Case(
    "a truncate empties a table without a key, and holds against what lands late",
    Rows()
    .c(1, 10, "x", partition=1)
    .t(20)
    .c(1, 30, "y", partition=2)
    .c(1, 15, "x", partition=3)
    .d(1, 15, "y"),
    {"y": 1},
    ("trap 27",),
    table=FULL,
    after={3: {"y": 1}},
)

# Without complete before images

Case(
    "without complete before images rows are only added",
    Rows().c(1, 10, "x").c(1, 11, "x").d(1, 20, "").x(None).c(1, 10, "x"),
    {"x": 2},
    ("trap 33",),
    table=APPENDED,
)
