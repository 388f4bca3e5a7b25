"""Truncates. docs/semantics.md#truncates."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log, late
from tests.cases.tables import PG_TRUNCATED, pg_log
from tests.support.examples import START_MS, example

TRAP = ("trap 27",)

Case(
    "a truncate removes what lies below it, wherever it lies",
    Log().t(20, commit=15, partition=1).c(1, 10, "a", commit=5).c(2, 30, "b", commit=25),
    {2: "b"},
    TRAP,
    landings={
        "the rows first": [([1, 2], {1: "a", 2: "b"}), [0]],
        "the lower row last": [([0, 2], {2: "b"}), ([1], {2: "b"})],
    },
)
Case(
    "truncates and changes are ordered by the commits before them",
    Log().t(20, commit=15).c(1, 10, "a", commit=25).c(2, 30, "b", commit=None),
    {1: "a", 2: "b"},
    TRAP,
)
Case(
    "truncates and incremental reads of other partitions are ordered by commits",
    Log()
    .t(20, commit=15, partition=1)
    .r(1, 10, "a", snapshot="incremental", commit=25)
    .r(2, 30, "b", snapshot="incremental", commit=None),
    {1: "a"},
    TRAP,
)
Case(
    "a truncate says nothing about a row that a full read showed later",
    Log().t(500, commit=400).r(1, 10, "a").u(1, 20, "b", commit=15).r(2, 10, "c"),
    {1: "b", 2: "c"},
    TRAP,
    after={2: {1: "a"}},
)
Case(
    "a truncate behind a full read removes its row",
    Log().r(1, 10, "a").t(500, commit=400),
    {},
    TRAP,
    after={1: {1: "a"}},
)
for at, rows in ((-100, {1: "a"}), (100, {})):
    Case(
        f"a truncate {at} ms from a full read in another partition: record times tell",
        Log().r(1, 10, "a").t(500, commit=400, partition=1, at=START_MS + at),
        rows,
        TRAP,
    )
Case(
    "a row of a later epoch survives an earlier truncate",
    Log().t(500, commit=400).c(1, 10, "a"),
    {1: "a"},
    TRAP,
    epochs=({"offsets": {0: 1}},),
)
Case(
    "without the epoch it does not",
    Log().t(500, commit=400).c(1, 10, "a"),
    {},
    TRAP,
)
Case(
    "an incremental read obeys truncates of its partition by offset",
    Log()
    .t(90, commit=80)
    .r(1, 70, "above", snapshot="incremental", commit=60)
    .r(2, 190, "below", snapshot="incremental", commit=180)
    .t(170, commit=160),
    {},
    TRAP,
    after={3: {1: "above", 2: "below"}},
)
for lsn, rows in ((70, {1: "a"}), (110, {})):
    Case(
        f"an incremental read at 90 obeys a truncate of another partition at {lsn} by position",
        Log().r(1, 90, "a", snapshot="incremental", commit=80).t(lsn, commit=lsn - 10, partition=1),
        rows,
        TRAP,
    )
for at, rows in ((500, {}), (-500, {1: "a"})):
    Case(
        f"without positions record times decide: {at} ms",
        Log().c(1, None, "a", commit=None).t(70, partition=1, at=START_MS + at),
        rows,
        TRAP,
    )
Case(
    "a truncate leaves marks and identities alone",
    Log().c(1, 10, "a").t(20, commit=15).c(1, 10, "a"),
    {},
    TRAP,
    replays=(1, 0),
)
Case(
    "a repeat of a truncate removes no row that was read since",
    Log().c(1, 10, "a").t(20).r(1, 30, "read", snapshot="incremental").t(20),
    {1: "read"},
    TRAP,
    after={3: {1: "read"}},
)
Case(
    "a truncate that tells another commit the next time is the same",
    Log().c(1, 10, "old").t(20, commit=15).c(1, 30, "new", commit=15).t(20, commit=17),
    {1: "new"},
    TRAP,
    after={1: {1: "old"}, 3: {1: "new"}},
)
Case(
    "a full read behind a truncate protects its row, and one before it does not",
    Log().r(1, 90, "before", partition=1, snapshot="last").t(200).r(2, 5, "read").u(2, 10, "back"),
    {2: "back"},
    TRAP,
    after={1: {1: "before"}},
)

# The specification's example: rows in two partitions, and a truncate in the first.
PERSON = {"first_name": "Anne", "last_name": "Kretchmar", "email": "annek@noanswer.org"}
truncated = example("seq_postgres_truncate_multi_partition")
first = [place for place, record in enumerate(truncated) if record.partition == 0]
second = [place for place, record in enumerate(truncated) if record.partition == 1]
Case(
    "the documented truncate removes rows of every partition by position",
    truncated,
    {3: PERSON},
    ("trap 27", "support PostgreSQL: truncates"),
    table=PG_TRUNCATED,
    landings={
        "its partition first": [(second, {}), first],
        "its partition last": [(first, {1: PERSON, 3: PERSON}), second],
        "alone": [([2], {}), [0, 1, *range(3, len(truncated))]],
    },
)
Case(
    "a row inserted after the documented truncate lives",
    [
        *example("postgres_2.1.4_create_with_schema", "postgres_2.1.4_truncate_null_key"),
        *late(pg_log().say("c", 1, 46523200, "reborn", commit=46523190).records, 2),
    ],
    {1: "reborn"},
    TRAP,
    table=PG_TRUNCATED,
    column="email",
    after={2: {}},
)
