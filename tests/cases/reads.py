"""What a read of a snapshot says. docs/semantics.md#words, and the walk."""

from __future__ import annotations

from dev.simulator.history import CONNECTORS
from tests.cases.case import Case
from tests.cases.log import ABSENT, Log, late
from tests.cases.tables import PG, PG_PAIRS, SQLSERVER, customer
from tests.support.examples import example

FULL_MARKERS = [
    "true",
    True,
    "first",
    "first_in_data_collection",
    "last_in_data_collection",
    "last",
]
NO_MARKERS = ["false", False, None, ABSENT, "", "initial"]

reads = Log()
for number, marker in enumerate([*FULL_MARKERS, "incremental"]):
    reads.u(number, 500, "before").r(number, 9, "read", snapshot=marker).u(number, 10, "after")
Case(
    "every marker of a full snapshot resets the mark, and an incremental read leaves it alone",
    reads,
    {**dict.fromkeys(range(len(FULL_MARKERS)), "after"), len(FULL_MARKERS): "read"},
    ("trap 4",),
    replays=(1, 1),
    landings={
        "the later changes last": [
            (
                [place for place in range(len(reads.records)) if place % 3 < 2],
                dict.fromkeys(range(len(FULL_MARKERS) + 1), "read"),
            ),
            range(2, len(reads.records), 3),
        ]
    },
    staged={
        3 * number + 1: {
            "_cdc_op": "r",
            "_cdc_snapshot": "true" if marker is True else marker,
        }
        for number, marker in enumerate([*FULL_MARKERS, "incremental"])
    },
)
changes = Log()
for number, marker in enumerate(NO_MARKERS):
    changes.c(number, 10, "new", snapshot=marker).u(number, 5, "old", snapshot=marker)
Case(
    "what is no marker makes no read",
    changes,
    dict.fromkeys(range(len(NO_MARKERS)), "new"),
    ("trap 4",),
    replays=(len(NO_MARKERS), len(NO_MARKERS)),
    staged={place: {"_cdc_snapshot": "false"} for place in range(8)},
)
Case(
    "a null marker makes no read: the documented record",
    example(
        "sqlserver_2.1.4_create_with_schema",
        "sqlserver_2.1.4_update_payload_only",
        "common_snapshot_null_when_defaults_off",
    ),
    {1005: "z@x.org"},
    ("trap 4",),
    table=SQLSERVER,
    column="email",
    staged={2: {"_cdc_snapshot": "false"}},
)
SALLY = {"first_name": "Sally", "last_name": "Thomas", "email": "sally.thomas@acme.com"}
Case(
    "a read of a snapshot is the row",
    example("postgres_2.1.4_snapshot_read"),
    {1: customer(1)},
    ("trap 4",),
    table=PG,
    staged={0: {"_cdc_op": "r", "_cdc_snapshot": "first"}},
)
Case(
    "a read of a snapshot is the row: SQL Server",
    example("sqlserver_2.1.4_snapshot_read"),
    {1001: {"id": 1001, **SALLY}},
    ("trap 4", "support SQL Server: incremental snapshots"),
    table=SQLSERVER,
    staged={0: {"_cdc_op": "r", "_cdc_snapshot": "first"}},
)
for connector in CONNECTORS:
    Case(
        f"a row that is read again is newer than what was streamed before: {connector}",
        Log(connector)
        .u(1, 500, "streamed")
        .u(2, 500, "streamed")
        .r(1, 400, "read", snapshot="last")
        .r(2, 400, "read", snapshot="incremental"),
        {1: "read", 2: "read"},
        ("trap 30",),
        replays=(0, 0),
        after={2: {1: "streamed", 2: "streamed"}},
    )
Case(
    "the documented incremental read is newer than what was streamed before",
    [
        *Log().add("u", {"pk": "1"}, 9, {"pk": "1", "aa": "x", "value": "streamed"}).records,
        *late(example("postgres_2.1.4_incremental_read"), 1),
    ],
    {"1": {"pk": "1", "aa": None, "value": "New data"}},
    ("trap 30",),
    table=PG_PAIRS,
)
Case(
    "a row both read and created is one row",
    Log().r(1, 100, "a", snapshot="last").c(1, 90, "a"),
    {1: "a"},
    ("trap 32",),
)
