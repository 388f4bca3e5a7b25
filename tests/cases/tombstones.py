"""Tombstones. docs/semantics.md, the walk."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log, late
from tests.cases.tables import PG, SQLSERVER, john, plain_table
from tests.support.examples import START_MS, example

FORMS = [
    None,
    "",
    "null",
    '{"schema":null,"payload":null}',
    '{"schema": null, "payload": null}',
    ' {"schema":null,"payload":null}',
    "\n",
    "null\r\n",
    '{\n\t"schema": null,\n\t"payload": null\n}\n',
]
IS_ONE = {"_cdc_op": "tombstone", "_cdc_errors": None}

forms = Log().c(99, 10, "stays")
for number, form in enumerate(FORMS, 1):
    forms.c(number, 10, "a").x(number, form)
Case(
    "a tombstone is one in every form, and deletes its own row",
    forms,
    {99: "stays"},
    ("trap 2",),
    replays=(0, 0),
    staged={2 * number: IS_ONE for number in range(1, len(FORMS) + 1)},
)
Case(
    "the envelope of nulls of old converters deletes",
    [*Log("sqlserver").c(1005, 5, "a").records, *late(example("common_legacy_null_envelope"), 1)],
    {},
    ("trap 2",),
    table=plain_table("sqlserver"),
    after={1: {1005: "a"}},
)
Case(
    "a null in the old form is a null key, too",
    Log().c(1, 10, "a").raw('{"schema":null,"payload":null}', None),
    {1: "a"},
    ("trap 2",),
    staged={1: {**IS_ONE, "_cdc_key": None}},
    no_documents="their ids are never null",
)
Case(
    "a tombstone after its delete says nothing new",
    example(
        "sqlserver_1.9.7_create_with_schema",
        "sqlserver_1.9.7_update_payload_only",
        "sqlserver_1.9.7_delete_payload_only",
        "sqlserver_1.9.7_tombstone",
    ),
    {},
    ("trap 2",),
    table=SQLSERVER,
    column="email",
    replays=(0, 0),
    after={2: {1005: "noreply@example.org"}},
    staged={place: {"_cdc_op": op} for place, op in enumerate(("c", "u", "d", "tombstone"))},
)

# Tombstones whose deletes were compacted away.

Case(
    "a lone tombstone deletes",
    [
        *example("sqlserver_2.1.4_create_with_schema"),
        *late(example("sqlserver_2.1.4_tombstone"), 1),
    ],
    {},
    ("trap 24",),
    table=SQLSERVER,
    after={1: {1005: john(1005, "john.doe@example.org")}},
)
for table, name in ((SQLSERVER, "sqlserver_2.1.4_tombstone"), (PG, "postgres_2.1.4_tombstone")):
    Case(
        f"a tombstone that is all there is makes a dead key: {table.connector}",
        example(name),
        {},
        ("trap 24",),
        table=table,
    )
Case(
    "after a lone tombstone whatever arrives counts",
    Log().c(1, 500, "a").x(1).c(1, 10, "again").c(2, 10, "a").x(2).c(2, 10, "a"),
    {1: "again", 2: "a"},
    ("trap 24",),
    replays=(0, 0),
    after={2: {}, 5: {1: "again"}},
)

# Repeats.

Case(
    "a tombstone with the time of the one before is its repeat",
    Log().c(1, 10, "a").x(1, at=START_MS + 1).c(1, 20, "b").x(1, at=START_MS + 1),
    {1: "b"},
    ("trap 25",),
    replays=(0, 0),
    after={2: {}},
)
Case(
    "no repeat brings an ended row back",
    Log().c(1, 10, "a").d(1, 20).x(1).c(1, 10, "a").d(1, 20).x(1),
    {},
    ("trap 25",),
    replays=(2, 0),
    after={4: {}},
)
# a connector that ended between them reads the delete no more: the tombstone has another time
Case(
    "a repeated tombstone lets no repeat bring its row back",
    Log().c(1, 10, "first").d(1, 20).x(1).x(1, at=START_MS + 600_000).c(1, 10, "first"),
    {},
    ("trap 25",),
    replays=(1, 0),
)
Case(
    "a repeated delete and tombstone of an earlier life hurt no later one",
    Log().c(1, 10, "first").d(1, 20).x(1).c(1, 30, "second").d(1, 20).x(1),
    {1: "second"},
    ("trap 25",),
    replays=(1, 0),
    after={4: {1: "second"}, 5: {1: "second"}},
)

# A row moves between two partitions of its table, each with a topic, and to and fro.
for before, after in ((1, 0), (0, 1)):
    moves = (
        Log()
        .c(1, 10, "old", partition=before, offset=0)
        .d(1, 20, partition=before, offset=1, at=START_MS + 5)
        .x(1, partition=before, offset=2, at=START_MS + 6)
        .c(1, 21, "new", partition=after, offset=0, at=START_MS + 6)
        .d(2, 30, partition=before, offset=3, at=START_MS + 9)
        .x(2, partition=before, offset=4, at=START_MS + 9)
        .c(2, 31, "moved at once", partition=after, offset=1, at=START_MS + 9)
    )
    Case(
        f"a row that moves from {before} to {after} at one moment stays",
        moves,
        {1: "new", 2: "moved at once"},
        ("trap 25",),
        replays=(before, 0),
        landings={"the new ones first": [[0, 3, 6], [1, 2, 4, 5]]},
    )
