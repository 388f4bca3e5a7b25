"""A key that changes, and what the row held under it. docs/semantics.md#unavailable-values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.cases.case import Case
from tests.cases.log import GONE, Log
from tests.cases.tables import PG, SQLSERVER, customer, john, pg_log, plain_table, ss_log
from tests.support.examples import START_MS, compact, example

TRAP = ("trap 36",)
PLAIN = plain_table("postgresql")

# Both halves lie at one position

for connector in ("postgresql", "sqlserver", "oracle", "mysql", "mariadb"):
    Case(
        f"{connector}: a key change ends one row and begins another at one position",
        Log(connector).c(1, 10, "a").d(1, 20, "a").x(1).c(2, 20, "a"),
        {2: "a"},
        ("trap 21",),
        replays=(0, 0),
        after={3: {}},
    )
Case(
    "PostgreSQL: the documented key change",
    # offset 0, as the examples begin at 10 and 40
    [*pg_log().say("c", 1, 5, "a").records, *example("seq_postgres_2.1.4_key_change")],
    {2: customer(2)},
    ("trap 21", "support PostgreSQL: key changes"),
    table=PG,
    replays=(0, 0),
    after={2: {}},
)
Case(
    "SQL Server: the documented key change",
    [*ss_log().say("c", 1005, 5, "a").records, *example("seq_sqlserver_2.1.4_key_change")],
    {1006: john(1006, "john.doe@example.org")},
    ("trap 21", "support SQL Server: key changes"),
    table=SQLSERVER,
    replays=(0, 0),
    after={2: {}},
)
Case(
    # nothing in the log ends it: documented as a limit of such a configuration
    "the old key of a column outside the replica identity stays alive",
    Log().c(1, 10, "a").u(2, 20, "a"),
    {1: "a", 2: "a"},
    ("trap 37",),
)

# Values that the row had under its former key

LONG = {"v": "long", "w": "moved"}
OTHER = {"v": "other", "w": "new"}


class Keys(Log):
    """A log with key changes that leave `v` out."""

    def move(self, number: int, to: int, position: int, headers: bool = True, **last: Any) -> Keys:
        """Add the three records of a key change; `last`: of the last of them."""
        told = {"__debezium.newkey": compact({"id": to})} if headers else {}
        self.d(number, position, "", headers=told).x(number, headers=told)
        return self.moved(number if headers else None, to, position, **last)

    def moved(self, number: Any, to: int, position: int | None, **more: Any) -> Keys:
        """Add the last of them."""
        self.c(to, position, GONE, w="moved", old=number, **more)
        return self


def born(connector: str = "postgresql") -> Keys:
    """Begin with row 1."""
    log = Keys(connector)
    log.c(1, 10, "long")
    return log


for connector in ("postgresql", "sqlserver", "oracle", "mysql"):
    for headers in (True, False):
        Case(
            f"{connector}: a value is found over a chain of keys, {headers=}",
            born(connector).move(1, 2, 20, headers).move(2, 3, 30, headers),
            {3: LONG},
            (*TRAP, "support Oracle: key changes"),
            after={1: {1: {"v": "long", "w": None}}, 3: {}, 4: {2: LONG}},
            landings={
                "the first create before its delete": [[0, 3], ([1, 2], {2: LONG}), [4, 5, 6]]
            },
        )
for headers in (True, False):
    Case(
        f"a key that lives again keeps its own values, {headers=}",
        born().move(1, 2, 20, headers).c(1, 40, "other", w="new"),
        {1: OTHER, 2: LONG},
        TRAP,
    )
    Case(
        f"what the old key said may land later than what the new key shows, {headers=}",
        born().move(1, 2, 20, headers, partition=1, offset=0),
        {2: LONG},
        TRAP,
        landings={"the new key first": [[3], [0, 1, 2]], "its delete last": [[0, 3], [1, 2]]},
    )
for text in (
    "7",
    "\0\0\1",
    "\u0000\u0000\u0000\u0000\u0001\u0002",
    "Struct",
    '{"schema":{"type":"struct"},"payload":7}',
):
    log = born().d(1, 20).x(1)
    Case(
        f"of a header without a struct the place tells the old key: {text!r}",
        log.c(2, 20, GONE, w="moved", old=text),
        {2: LONG},
        TRAP,
    )
SCHEMA = {"type": "struct", "fields": [{"type": "int32", "optional": False, "field": "id"}]}
Case(
    "a header may have its schema",
    born().moved(compact({"schema": SCHEMA, "payload": {"id": 1}}), 2, 20),
    {1: "long", 2: "long"},
    TRAP,
)
Case(
    "rows that swap keys keep their values",
    Keys().c(1, 10, "one").c(2, 11, "two").move(1, 9, 20).move(2, 1, 21).move(9, 2, 22),
    {1: {"v": "two", "w": "moved"}, 2: {"v": "one", "w": "moved"}},
    ("trap 36", "support PostgreSQL: key changes"),
    after={6: {9: {"v": "one", "w": "moved"}}},
)

# Which row a `c` goes on with

Case(
    "only a first c looks for an origin",
    Log().c(1, 10, "a").d(1, 20).u(2, 20, GONE),
    {2: None},
    TRAP,
    unknown={2: {"v"}},
)
Case(
    "an origin that is its own origin is unknown",
    Log().c(1, 10, GONE, old=2).c(2, 10, GONE, old=1),
    {1: None, 2: None},
    TRAP,
    unknown={1: {"v"}, 2: {"v"}},
)
Case(
    "of a known old key without events nothing is known",
    Log().c(2, 5, "under it").c(2, 20, GONE, old=1),
    {2: None},
    TRAP,
    unknown={2: {"v"}},
)
in_shard = Log().c(8, 10, "of another shard").d(8, 20, "")
Case(
    "a delete in the topic of another shard, at the same place, is no origin",
    [
        *born().move(1, 2, 20, headers=False).records,
        *(replace(record, topic="shard.2") for record in in_shard.records),
    ],
    {2: LONG},
    TRAP,
    table=PLAIN,
    keeps_topics=True,
)
in_next = Log().c(2, 20, GONE).u(2, 25, GONE, w="late").u(2, 30, GONE, w="last")
Case(
    "a value is found under a key in the topic before",
    [
        *born().d(1, 20, "").x(1).records,
        *(replace(record, topic="next.2") for record in in_next.records),
    ],
    {2: {"v": "long", "w": "last"}},
    TRAP,
    table=PLAIN,
    keeps_topics=True,
    # one of the new key lands late, so that all of its keys are folded anew
    landings={"one late": [([0, 1, 2, 3, 5], {2: {"v": "long", "w": "last"}}), [4]]},
)

# Log compaction left no delete

Case(
    "without the delete what the old key held before is the origin",
    Log().c(1, 10, "a").x(1).c(1, 30, "b").x(1).c(2, 20, GONE, old=1),
    {2: "a"},
    TRAP,
)
Case(
    "a row that took the old key without an end of the first says nothing of the renamed one",
    born().moved(1, 2, 20).c(1, 40, "other", w="new"),
    {1: OTHER, 2: LONG},
    TRAP,
)
Case(
    "without positions arrival tells what lies before",
    Log().c(1, None, "a").c(2, None, GONE, old=1).u(1, None, "b"),
    {1: "b", 2: "a"},
    TRAP,
)
Case(
    "a read tells the life that was renamed",
    Keys()
    .r(1, 10, "long", snapshot="last", commit=1)
    .x(1)
    .moved(1, 2, 20)
    .c(1, 40, "other", w="new"),
    {1: OTHER, 2: LONG},
    TRAP,
)
Case(
    "a row that took the old key later says nothing of the renamed one",
    Log().c(2, 5, "under it").c(1, 40, "other", w="new").c(2, 20, GONE, w="moved", old=1),
    {1: OTHER, 2: {"v": None, "w": "moved"}},
    TRAP,
    unknown={2: {"v"}},
)
Case(
    "a row that was deleted before says nothing of the renamed one",
    born().d(1, 15, "").c(2, 20, GONE, w="moved", old=1),
    {2: {"v": None, "w": "moved"}},
    TRAP,
    unknown={2: {"v"}},
)

# Records that come once more

Case(
    "a repeated change of the key does not take away what was written since",
    born().move(1, 2, 20).u(2, 30, "new", w="written").again(3).u(2, 40, GONE, w="last"),
    {2: {"v": "new", "w": "last"}},
    TRAP,
    replays=(1, 0),
)
Case(
    "a repeated delete ends no other row that had the key",
    born()
    .move(1, 2, 20)
    .c(1, 40, "other", w="new")
    .r(1, 40, "other", w="new", snapshot="last")
    .again(1)
    .again(2),
    {1: OTHER, 2: LONG},
    TRAP,
)
Case(
    # the tombstone stands for a delete of its own
    "behind a tombstone even a repeat counts",
    born().move(1, 2, 20).c(1, 40, "other", w="new").x(1, at=START_MS + 9).again(1).again(2),
    {2: LONG},
    TRAP,
)
