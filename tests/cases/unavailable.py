"""Unavailable values. docs/semantics.md#unavailable-values.

What a renamed row held under its former key: `key_changes.py`.
"""

from __future__ import annotations

import json
from typing import Any

from tests.cases.articles import ARTICLES, BASE64, CODES, FORMS, KNOWN, articles, image
from tests.cases.case import Case
from tests.cases.log import GONE, Log, late
from tests.cases.table import Table
from tests.cases.tables import column, plain_table
from tests.support.examples import example
from tests.traps.listed_cases import lines

TRAP = ("trap 34",)
OTHER = "…not sent…"
FULL = plain_table(
    "postgresql", "placeholder", full=True, options={"unavailable_value_placeholder": OTHER}
)

# The value just before the event

for connector in ("postgresql", "sqlserver", "oracle"):
    Case(
        f"{connector}: a value that is not sent is the one that was said last in the same life",
        Log(connector)
        .c(1, 10, "a", w="1")
        .u(1, 20, GONE, w="2")
        .u(1, 30, GONE, w="3")
        .u(1, 40, "b", w="4")
        .u(1, 50, GONE, w="5"),
        {1: {"v": "b", "w": "5"}},
        TRAP,
        after={2: {1: {"v": "a", "w": "2"}}, 3: {1: {"v": "a", "w": "3"}}},
    )
Case(
    "a repeat says no value",
    Log().c(1, 10, "a").u(1, 20, "b").c(1, 10, "a").u(1, 30, GONE, w="last"),
    {1: {"v": "b", "w": "last"}},
    TRAP,
    replays=(1, 0),
)
Case(
    "a value that nobody said is null and listed",
    Log().u(1, 10, GONE, w=GONE),
    {1: {"v": None, "w": None}},
    TRAP,
    unknown={1: {"v", "w"}},
)
Case(
    "a value that nobody said is listed until it is said",
    Log().u(1, 10, GONE, w=GONE).u(1, 20, "known", w=GONE),
    {1: {"v": "known", "w": None}},
    TRAP,
    unknown={1: {"w"}},
)
Case(
    "no value crosses a delete",
    Log().c(1, 10, "a").d(1, 20).x(1).u(1, 30, GONE, w="other"),
    {1: {"v": None, "w": "other"}},
    TRAP,
    unknown={1: {"v"}},
)
Case(
    "a value that is said in the new life is known in it",
    Log().c(1, 10, "a").d(1, 20).x(1).u(1, 30, GONE).u(1, 40, "b").u(1, 50, GONE),
    {1: "b"},
    TRAP,
    after={4: {1: None}},
)

# The event's own `before`

Case(
    "a complete before tells a value that is not sent, and a placeholder in it tells none",
    Log()
    .u(1, 10, OTHER, w="new", before={"id": 1, "v": "a", "w": "old"})
    .c(2, 11, "a", w="old")
    .u(2, 20, OTHER, w="new", before={"id": 2, "v": OTHER, "w": "old"})
    .u(3, 12, OTHER, w="new", before={"id": 3, "v": OTHER, "w": "old"}),
    {1: {"v": "a", "w": "new"}, 2: {"v": "a", "w": "new"}, 3: {"v": None, "w": "new"}},
    TRAP,
    table=FULL,
    unknown={3: {"v"}},
)
Case(
    "a before that is not complete, or made up, tells no value",
    Log().u(1, 10, GONE, before={"id": 1, "v": "a"}).u(2, 10, GONE, before={"id": 2, "v": ""}),
    {1: None, 2: None},
    ("trap 33",),
    unknown={1: {"v"}, 2: {"v"}},
)
Case(
    # Debezium 3.6 writes the placeholder into `before` of (max) columns
    "SQL Server: a placeholder in before takes nothing from a row",
    Log("sqlserver")
    .c(1, 10, "long")
    .u(1, 20, "longer", before={"id": 1, "v": GONE})
    .d(1, 30, GONE)
    .c(2, 40, "long")
    .u(2, 50, "longer", before={"id": 2, "v": GONE}),
    {2: "longer"},
    ("trap 34", "support SQL Server 2.1: unavailable values"),
)
SINCE = {"replica_identity": [{"is": "index"}, {"is": "full", "from": "2023-11-15T00:00:00Z"}]}
for name, options, note in (
    ("pg_then_full", {"settings": SINCE}, "BIG"),
    # what is wrong when it is declared without its moment
    ("pg_ever_full", {"full": True}, ""),
):
    columns = [column("id", "int32"), column("code"), column("note")]
    Case(
        f"{name}: a before of the time before it was complete is not trusted",
        lines("replica-identity-index-then-full"),
        {1: note},
        ("case replica-identity-index-then-full",),
        table=Table(name, "postgresql", columns, **options),
        column="note",
    )

# What is a placeholder. How bytes and dates are decoded: `test_traps_unavailable.py`.

Case(
    "the configured text is the placeholder, and the default is not",
    Log().c(1, 10, GONE),
    {1: GONE},
    ("trap 35",),
    table=FULL,
)
AS_THEY_ARE = ("body", "doc", "tags", "nums", "bignums", "uuids", "attrs", "hs", "smalls")
known = {name: KNOWN[name] for name in (*AS_THEY_ARE, "old_uuids")}
Case(
    "a placeholder is known in the encoding of its column, and the value before it is kept",
    articles()
    .add("c", {"id": 1}, 10, image(1))
    .add("u", {"id": 1}, 20, image(1, title="2", **FORMS))
    .add("u", {"id": 1}, 30, image(1, title="3", **FORMS | {"body": "new body"}))
    .add("u", {"id": 1}, 40, image(1, title="4", **FORMS)),
    {1: known | {"title": "4", "body": "new body"}},
    ("trap 34", "trap 35"),
    table=ARTICLES,
    after={2: {1: known | {"title": "2"}}},
)
Case(
    "columns of every encoding that nobody said are null and listed",
    articles().add("u", {"id": 1}, 10, image(1, **FORMS)),
    {1: dict.fromkeys(FORMS)},
    ("trap 34", "trap 35"),
    table=ARTICLES,
    unknown={1: set(FORMS)},
)
absent = {name: None for name in ("hs", "blobs", "days", "smalls", "old_uuids")}
kept = {name: KNOWN[name] for name in AS_THEY_ARE[:-2]} | absent
Case(
    "the documented update keeps every value that it does not carry",
    [
        *articles().add("c", {"id": 9}, 10, image(9, **absent)).records,
        *late(example("postgres_3.6_update_unavailable_toast_with_schema"), 1),
    ],
    {9: kept | {"title": "new title"}},
    ("trap 34", "support PostgreSQL: unavailable values"),
    table=ARTICLES,
    after={1: {9: kept | {"title": "title"}}},
)
LOOKALIKES: dict[str, Any] = {
    "title": GONE + " ",
    "body": BASE64,
    "doc": json.dumps(GONE),
    "blob": "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZSA=",
    "tags": [GONE, "x"],
    "nums": CODES[:-1],
    "bignums": [*CODES, 0],
    "uuids": ["b68a35a7-17ad-35b3-af2a-ae46edb4545b"],
    "attrs": {GONE: "x"},
    "hs": '{"a":"' + GONE + '"}',
    "blobs": [BASE64, BASE64],
}
MORE_LOOKALIKES: dict[str, Any] = {
    "title": "x" + GONE,
    "body": None,
    "doc": None,
    "tags": [GONE, GONE],
    "nums": [],
    "attrs": None,
}
ITEMS_OF_OTHERS: dict[str, Any] = {"title": "", "tags": ["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]}
Case(
    "what only looks like a placeholder is a value",
    articles()
    .add("c", {"id": 1}, 10, image(1, **LOOKALIKES))
    .add("c", {"id": 2}, 11, image(2, **MORE_LOOKALIKES))
    .add("c", {"id": 3}, 12, image(3, **ITEMS_OF_OTHERS))
    .add("c", {"id": 4}, 13, image(4, tags=[])),
    {
        1: {name: value for name, value in LOOKALIKES.items() if name not in ("blob", "blobs")},
        2: MORE_LOOKALIKES,
        3: ITEMS_OF_OTHERS,
        4: {"tags": []},
    },
    ("trap 35",),
    table=ARTICLES,
)
