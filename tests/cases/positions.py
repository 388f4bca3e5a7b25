"""Positions: what orders the changes of a row. docs/semantics.md#words, and the walk."""

from __future__ import annotations

from typing import Any

from tests.cases.case import Case
from tests.cases.log import Log, again, late
from tests.cases.tables import MARIADB, MYSQL, PG, customer
from tests.support.examples import example
from tests.traps.oracle_tables import CUSTOMERS

Source = dict[str, Any]

# PostgreSQL: (commit before the transaction, LSN)

Case(
    "commits interleave and no row is lost",
    example("seq_postgres_interleaved_transactions"),
    {1: customer(1), 2: customer(2)},
    ("trap 13",),
    table=PG,
    replays=(0, 0),
)
Case(
    "the order of the stream is not that of the LSN",
    Log().u(1, 1100, "first", commit=900).u(1, 1000, "second", commit=1200),
    {1: "second"},
    ("trap 13",),
    replays=(0, 0),
    no_documents="they have no commits",
)
Case(
    "the LSN stands for a commit that is not told",
    Log()
    .u(1, 900, "a", commit=800)
    .u(1, 950, "b", commit=None)
    .u(1, 960, "c", source={"sequence": None})
    .u(1, 955, "d", commit=970)
    .u(2, 970, "new", commit=None)
    .u(2, 960, "old", source={"sequence": None}),
    {1: "d", 2: "new"},
    ("trap 13",),
    replays=(1, 1),
    no_documents="they have no commits",
)
Case(
    "a later commit wins over an incremental read with a higher LSN",
    example("seq_postgres_incremental_vs_inflight"),
    {1: customer(1, first_name="New")},
    ("trap 14", "support PostgreSQL: incremental snapshots"),
    table=PG,
    after={1: {1: customer(1, first_name="Old")}},
    staged={0: {"_cdc_op": "r", "_cdc_pos": None}},
)
for version, rows in (("3.6.3.Final", {1: "a"}), ("1.9.7.Final", {1: "b"})):
    Case(
        f"before 2.0 changes of PostgreSQL with one LSN are known by their values: {version}",
        Log().u(1, 5, "a", source={"version": version}).u(1, 5, "b", source={"version": version}),
        rows,
        replays=(int(rows == {1: "a"}), 0),
        no_documents="what a change says is part of its identity there",
    )

# SQL Server: the commit


def in_commit(change: str, serial: int) -> Source:
    """Return what a change of one commit tells of its place."""
    return {"commit_lsn": "27:758:5", "change_lsn": change, "event_serial_no": serial}


Case(
    "within a commit of SQL Server nothing orders a row, and all tells changes apart",
    Log("sqlserver")
    .u(1, None, "a", source=in_commit("27:758:5", 1))
    .u(1, None, "b", source=in_commit("27:758:4", 1))
    .u(1, None, "c", source=in_commit("27:758:4", 2))
    .u(1, None, "b", source=in_commit("27:758:4", 1)),
    {1: "c"},
    replays=(1, 0),
    after={2: {1: "b"}},
)
Case(
    "an update at the commit that a read saw, and one behind it",
    Log("sqlserver")
    .r(1, 16, "read")
    .u(1, 17, "changed")
    .u(2, 16, "same commit", serial=99)
    .r(2, 16, "read", snapshot="first"),
    {1: "changed", 2: "read"},
    ("trap 18",),
    replays=(0, 0),
)

# MySQL and MariaDB: (number of the file, place, row)

rolled = example("seq_mysql_binlog_rollover")
for table in (MYSQL, MARIADB):
    for records, replays in ((rolled, 0), ([*rolled, *again(rolled)], 3)):
        Case(
            f"the millionth binlog file comes after the one before: {table.connector}, {replays}",
            records,
            {1: "v2", 2: "v1"},
            ("trap 17", "support MySQL, MariaDB: repeats"),
            table=table,
            column="first_name",
            replays=(replays, 0),
            after={2: {1: "v1", 2: "v1"}},
        )
AT_154 = "00000000000000000003/00000000000000000154/0000000000"
row_1001 = Log("mysql").u(1001, 154, {"id": 1001, "email": "at the place of the snapshot"})
Case(
    "a read of server 0 begins the stream of its position",
    [
        *example("mysql_3.6_snapshot_read"),
        *late(row_1001.u(1001, 484, {"id": 1001, "email": "later"}).records, 1),
    ],
    {1001: "later"},
    ("trap 18",),
    table=MYSQL,
    column="email",
    staged={
        0: {"_cdc_snapshot": "first", "_cdc_stream_pos": AT_154},
        1: {"_cdc_stream_pos": AT_154},
    },
)

# Oracle: (SCN, redo record, statement)

DIGITS = [999, 1000, 9_999_999_999, 10_000_000_000, 2**63, 10**20, 10**37]
grown = Log("oracle")
for place, scn in enumerate(DIGITS):
    grown.u(1, scn, f"scn {place}")
for place in range(len(DIGITS)):
    grown.again(place)
Case(
    "an SCN is a number of any length",
    grown,
    {1: f"scn {len(DIGITS) - 1}"},
    ("trap 15",),
    replays=(len(DIGITS), 0),
    after={len(DIGITS): {1: f"scn {len(DIGITS) - 1}"}},
)
Case(
    "a row of a transaction is read from its own topic",
    example("seq_oracle_2.1.4_transaction", topic="server1.DEBEZIUM.CUSTOMER"),
    {2: {"ID": 2}},
    ("trap 16",),
    table=CUSTOMERS,
    staged={0: {"_cdc_tx_id": "5.6.641"}},
)
# transaction A writes first and commits last; all but the last change of each show the commit
# of the transaction before
Case(
    "no commit SCN decides",
    Log("oracle")
    .c(1, 900, "by B", commit=890)
    .u(2, 906, "by B", commit=910)
    .c(3, 899, "by A", commit=910)
    .u(1, 920, "by A", commit=930)
    .u(4, 945, "first", commit=960)
    .u(4, 950, "second", commit=940),
    {1: "by A", 2: "by B", 3: "by A", 4: "second"},
    ("trap 16",),
    replays=(0, 0),
)
Case(
    "an incremental read of Oracle has no position of its row",
    Log("oracle").r(1, 1000, "read", snapshot="incremental").u(1, 990, "committed later"),
    {1: "committed later"},
    ("trap 14", "support Oracle: incremental snapshots"),
    replays=(0, 0),
    staged={0: {"_cdc_op": "r", "_cdc_pos": None}},
)
RECORD = " 0x0000AF.00000f85.0010"
Case(
    "case and blanks around the id of a redo record mean nothing",
    Log("oracle")
    .u(1, 5, "a", source={"rs_id": RECORD})
    .u(1, 5, "b", source={"rs_id": RECORD.lower().strip() + " "}),
    {1: "a"},
    replays=(1, 0),
)

for connector, lsn in (("postgresql", 90), ("oracle", 90)):
    Case(
        f"a transaction open at the snapshot wins over the read: {connector}",
        Log(connector).r(1, 100, "read", snapshot="last").u(1, lsn, "committed later", commit=None),
        {1: "committed later"},
        ("trap 18",),
        replays=(0, 0),
    )

# What of a log comes behind what: each change behind the one before it, which arrives again later.


def lsn(number: int, commit: int) -> Source:
    """Return a place of PostgreSQL."""
    return {"lsn": number, "sequence": f'["{commit}","{number}"]'}


def binlog(file: str, place: int, row: int | None = 0) -> Source:
    """Return a place of MySQL."""
    return {"file": file, "pos": place, "row": row}


def redo(scn: int, rs_id: str = "0x00000f.00000f85.0010", ssn: int = 0, lcr: Any = None) -> Source:
    """Return a place of Oracle."""
    return {"scn": str(scn), "rs_id": rs_id, "ssn": ssn, "lcr_position": lcr}


def commit(first: str) -> Source:
    """Return a place of SQL Server."""
    return {"commit_lsn": first, "change_lsn": "00000027:00000758:0003"}


for name, connector, sorted_places in (
    ("postgresql", "postgresql", [lsn(999, 1), lsn(1000, 1), lsn(24023128, 1), lsn(9, 2)]),
    ("sqlserver", "sqlserver", [commit("27:758:0005"), commit("27:758:0010"), commit("28:1:1")]),
    (
        "mysql",
        "mysql",
        [
            binlog("mysql-bin.999999", 900),
            binlog("mysql-bin.999999", 900, 2),
            binlog("mysql-bin.999999", 900, 10),
            binlog("mysql-bin.999999", 1000),
            binlog("mysql-bin.1000000", 235),
        ],
    ),
    ("mariadb", "mariadb", [binlog("my.host.000009", 4), binlog("my.host.000010", 4, None)]),
    (
        "LogMiner",
        "oracle",
        [
            redo(999),
            redo(1000, ssn=9),
            redo(1000, ssn=10),
            redo(1000, "0x000010.00000000.0000"),
            redo(2**64),
            redo(10**38 - 1),
        ],
    ),
    ("XStream", "oracle", [redo(9, lcr="0000AF"), redo(8, lcr="0000b0"), redo(7, lcr="01000000")]),
):
    pairs = list(zip(sorted_places, sorted_places[1:], strict=False))
    log = Log(connector)
    for number, (lower, higher) in enumerate(pairs):
        log.u(number, None, "new", source=higher).u(number, None, "old", source=lower)
    Case(
        f"positions sort as the log does: {name}",
        log,
        dict.fromkeys(range(len(pairs)), "new"),
        replays=(len(pairs), len(pairs)),
        no_documents="its times are made of the LSN",
    )

# What another writer calls a position is none: the whole record is the change.

NONE = {
    "postgresql": [
        {"lsn": None},
        {"lsn": 0},
        {"lsn": "none", "sequence": "none"},
        {"lsn": 5, "sequence": '["4","5"]', "connector": "yugabytedb"},
    ],
    "sqlserver": [
        {"commit_lsn": None, "change_lsn": "1:1:1"},
        {"commit_lsn": "00000000:00000000:0000", "change_lsn": "1:1:1"},
        {"commit_lsn": "1:1:1", "change_lsn": None},
        {"commit_lsn": "NULL", "change_lsn": "1:1:1"},
        {"commit_lsn": "1:1:1", "change_lsn": "1:1:1", "connector": "db2"},
    ],
    "oracle": [
        {"scn": None, "rs_id": "1", "ssn": 0},
        {"scn": "0", "rs_id": "1", "ssn": 0},
        {"scn": "5", "rs_id": "1", "ssn": 0, "connector": "openlogreplicator"},
    ],
    "mysql": [
        {"file": None, "pos": None},
        {"file": "", "pos": 0},
        {"file": "tidb", "pos": 4},
        {"file": "bin.000001", "pos": 4, "connector": "TiCDC"},
    ],
    "mariadb": [{"file": "bin.000001", "pos": 0}],
}
SOME = {
    "postgresql": {"lsn": 5, "sequence": None, "connector": "postgresql"},
    "sqlserver": {"commit_lsn": "1:1:1", "change_lsn": "1:1:1", "connector": ""},
    "oracle": {"scn": "5", "rs_id": "1", "ssn": 0, "connector": "oracle"},
    "mysql": {"file": "bin.000001", "pos": 4, "connector": "mariadb"},
    "mariadb": {"file": "bin.000001", "pos": 4, "connector": "MySQL"},
}
for connector, places in NONE.items():
    log = Log(connector)
    for number, source in enumerate(places):
        place = len(log.records)
        log.u(number, None, "first", source=source).u(number, None, "second", source=source)
        log.again(place)
    Case(
        f"what another writer calls a position is none: {connector}",
        log,
        dict.fromkeys(range(len(places)), "second"),
        ("case position-that-never-moves",),
        replays=(len(places), 0),
        staged={
            place: {"_cdc_pos": None, "_cdc_stream_pos": None} for place in range(len(log.records))
        },
        no_documents="its times are made of the LSN",
    )
    Case(
        f"the connector itself has positions, whatever the case of its name: {connector}",
        Log(connector)
        .u(1, None, "first", source=SOME[connector])
        .u(1, None, "second", source=SOME[connector]),
        {1: "first"},
        replays=(1, 0),
        no_documents="what a change says is part of its identity there",
    )
