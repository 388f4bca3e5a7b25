"""Repeats that look like changes, and changes that look like repeats: records that went wrong.

docs/semantics.md, the walk, and tables without a key.
"""

from __future__ import annotations

from dataclasses import replace

from reference import KafkaRecord
from tests.cases.case import Case
from tests.cases.table import Table
from tests.cases.tables import column, plain_table
from tests.traps.listed_cases import ID, A, V, lines

PG, MYSQL = plain_table("postgresql"), plain_table("mysql")
SQLSERVER = Table(
    "ss_repeats", "sqlserver", [ID, column("code", "int32"), V], table="dbo.s_repeats"
)
ORACLE = Table(
    "ora_repeats",
    "oracle",
    [column("ID", "int32"), column("V")],
    key=["ID"],
    table="APP.O_REPEATS",
    mark="ID",
)
NAME = column("name")
FOREIGN = Table("my_foreign", "mysql", [ID, NAME], table="shop.items")
FOREIGN_KEYLESS = Table("my_foreign_keyless", "mysql", [ID, NAME], key=[], table="shop.items")
PG_KEYLESS = Table("pg_repeats_keyless", "postgresql", [A, V], key=[], mark="a", full=True)
SQLSERVER_KEYLESS = Table(
    "ss_repeats_keyless", "sqlserver", [A, V], key=[], table="dbo.s_keyless", mark="a"
)
MYSQL_KEYLESS = Table("my_repeats_keyless", "mysql", [A, V], key=[], table="shop.m_kl", mark="a")

Case(
    "sqlserver-direct-mode-deferred-update",
    lines("sqlserver-direct-mode-deferred-update"),
    {1: {"id": 1, "code": 16, "v": "a"}, 2: {"id": 2, "code": 26, "v": "b"}},
    ("case sqlserver-direct-mode-deferred-update",),
    table=SQLSERVER,
    replays=(0, 0),
)
Case(
    "sqlserver-direct-mode-bulk-key-change",
    lines("sqlserver-direct-mode-bulk-key-change"),
    {2: {"id": 2, "code": 1, "v": "a"}, 3: {"id": 3, "code": 2, "v": "b"}},
    ("case sqlserver-direct-mode-bulk-key-change",),
    table=SQLSERVER,
    replays=(0, 0),
)
Case(
    "sqlserver-3.7-same-serial",
    lines("sqlserver-3.7-same-serial"),
    {1: {"id": 1, "code": 16, "v": "a"}},
    ("case sqlserver-3.7-same-serial",),
    table=SQLSERVER,
    replays=(0, 0),
)
Case(
    "postgres-insert-below-delete",
    lines("postgres-insert-below-delete"),
    {1: "reborn", 2: "other"},
    ("case postgres-insert-below-delete",),
    table=PG,
    replays=(0, 0),
)
Case(
    "oracle-insert-below-delete",
    lines("oracle-insert-below-delete"),
    {1: "reborn"},
    ("case oracle-insert-below-delete",),
    table=ORACLE,
    column="V",
    replays=(0, 0),
)
for which, rows in (("t_dupincr", {1: "v2"}), ("t_dupincr_d", {})):
    Case(
        f"incremental-read-repeated-verbatim: {which}",
        lines("incremental-read-repeated-verbatim", which),
        rows,
        ("case incremental-read-repeated-verbatim",),
        table=PG,
        replays=(2, 0),
    )
for which, replays in (("t_blockreplay", 1), ("t_blockreplay_d", 2)):
    Case(
        f"replay-after-blocking-snapshot: {which}",
        lines("replay-after-blocking-snapshot", which),
        {1: "v2"},
        ("case replay-after-blocking-snapshot",),
        table=PG,
        replays=(replays, 0),
    )
Case(
    "wal2json-one-lsn-per-transaction",
    lines("wal2json-one-lsn-per-transaction"),
    {1: "second"},
    ("case wal2json-one-lsn-per-transaction",),
    table=PG,
    replays=(0, 0),
)
# The two that follow need an epoch (`epochs.py`); without one a person is told.
Case(
    "oracle-xstream-to-logminer: told",
    lines("oracle-xstream-to-logminer"),
    {1: "xstream"},
    ("case oracle-xstream-to-logminer",),
    table=ORACLE,
    column="V",
    replays=(1, 1),
)
Case(
    "mysql-binlog-over-4gib: told",
    lines("mysql-binlog-over-4gib"),
    {1: "before wrap"},
    ("case mysql-binlog-over-4gib",),
    table=MYSQL,
    replays=(1, 1),
)
Case(
    "two-topics-of-one-table",
    lines("two-topics-of-one-table"),
    {
        **{number: {"id": number, "code": 0, "v": "old"} for number in (0, 4)},
        **{number: {"id": number, "code": 9, "v": "new"} for number in (1, 2)},
    },
    ("case two-topics-of-one-table",),
    table=SQLSERVER,
    replays=(0, 0),
    keeps_topics=True,
)
Case(
    "two-topics-of-one-table-postgres",
    lines("two-topics-of-one-table-postgres"),
    {number: "new" if number > 2 else "old" for number in range(5)},
    ("case two-topics-of-one-table-postgres",),
    table=PG,
    replays=(0, 0),
    keeps_topics=True,
)
Case(
    "truncate-in-the-second-topic",
    lines("truncate-in-the-second-topic"),
    {2: "after"},
    ("case truncate-in-the-second-topic",),
    table=PG,
    replays=(0, 0),
    keeps_topics=True,
)
Case(
    "position-that-never-moves",
    lines("position-that-never-moves"),
    {1: "eins", 3: "three again"},
    ("case position-that-never-moves",),
    table=FOREIGN,
    column="name",
    replays=(0, 0),
)
Case(
    "envelope-time-as-text",
    lines("envelope-time-as-text"),
    {
        1: "ts_ms is text",
        2: "no before, no transaction",
        3: "added members",
        4: "no source",
    },
    ("case envelope-time-as-text",),
    table=PG,
    replays=(0, 0),
)
Case(
    "read-to-insert-transform",
    lines("read-to-insert-transform"),
    {1: "open transaction, committed behind the snapshot"},
    ("case read-to-insert-transform",),
    table=PG,
    replays=(0, 0),
)


def keyless(name: str) -> list[KafkaRecord]:
    """Return the records of a case as those of a table without a key."""
    return [replace(record, key=None) for record in lines(name)]


Case(
    "position-that-never-moves: keyless",
    keyless("position-that-never-moves"),
    {(1, "eins"): 1, (3, "three again"): 1},
    ("case position-that-never-moves",),
    table=FOREIGN_KEYLESS,
    column=("id", "name"),
)
for name, table in (
    ("keyless-two-snapshots-at-one-position", SQLSERVER_KEYLESS),
    ("keyless-two-snapshots-mysql-2.1", MYSQL_KEYLESS),
    ("keyless-snapshot-batch-repeated-verbatim", PG_KEYLESS),
):
    Case(
        name,
        keyless(name),
        {(1, "x"): 1, (2, "y"): 1},
        (
            "case keyless-two-snapshots-at-one-position",
            "case keyless-two-snapshots-mysql-2.1",
            "case keyless-snapshot-batch-repeated-verbatim",
        ),
        table=table,
        column=("a", "v"),
    )
# No record tells that the snapshot saw the change: docs/limits.md.
Case(
    "keyless-blocking-snapshot-overlap: not told",
    keyless("keyless-blocking-snapshot-overlap"),
    {(1, "x"): 1, (2, "y"): 2},
    ("case keyless-blocking-snapshot-overlap",),
    table=PG_KEYLESS,
    column=("a", "v"),
)
