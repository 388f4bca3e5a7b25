"""Logs with repeats, epochs, tombstones and reads, for which runs find a plan: see `fold_plans`."""

from __future__ import annotations

from typing import Any

from tests.cases.log import Log
from tests.cases.planned import ANEW, IN_ORDER, WALK, planned, start
from tests.support.examples import START_MS

NO_COMMITS = "collections have no commits"
FROM_FOUR: dict[str, Any] = {"epochs": ({"offsets": {0: 4}},)}

planned(
    "replayed",
    "changes that are delivered again",
    start().u(1, 20, "a2").c(1, 10, "a").u(1, 20, "a2").u(1, 30, "a3"),
    (4, 6),
    [WALK, IN_ORDER],
    {1: "a3", 2: "b", 3: "c"},
    replays=(2, 0),
)
planned(
    "unexplained",
    "lower positions that were never seen, one in each run",
    start().u(1, 20, "a2").u(1, 15, "old").u(1, 16, "older"),
    (4, 5),
    [WALK, WALK],
    {1: "a2", 2: "b", 3: "c"},
    replays=(2, 2),
)
# of a position that an earlier epoch had, too; the third run finds no record of row 3
RESTORED = start().u(1, 20, "a2").u(1, 5, "restored").u(3, 6, "restored").u(2, 21, "b2")
RESTORED.u(1, 20, "written anew")
planned(
    "restored",
    "a restored database writes lower positions anew",
    RESTORED,
    (4, 6),
    [WALK, ANEW],
    {1: "written anew", 2: "b2", 3: "restored"},
    **FROM_FOUR,
)
# so that the events are not in order: identities are compared
RESTORED_TWICE = Log()
RESTORED_TWICE.records.extend(RESTORED.records)
planned(
    "restored_twice",
    "a restored database writes lower positions anew, and one is delivered again",
    RESTORED_TWICE.again(7),
    (4, 6),
    [WALK, ANEW],
    {1: "written anew", 2: "b2", 3: "restored"},
    replays=(1, 0),
    **FROM_FOUR,
)
planned(
    "higher_half",
    "a connector that resumes takes another commit for the last one before",
    start()
    .u(1, 20, "a2")
    .u(1, 30, "a3")
    .u(1, 20, "a2", commit=25)
    .u(1, 40, "a4")
    .u(1, 50, "a5")
    .u(1, 40, "a4", commit=45),
    (5, 6),
    [WALK, WALK],
    {1: "a5", 2: "b", 3: "c"},
    replays=(2, 0),
    after=[None, {1: "a3", 2: "b", 3: "c"}],
)
LOWER_HALF = start().u(1, 20, "a2", commit=15).u(1, 25, "old", commit=5).u(1, 30, "a3", commit=28)
planned(
    "lower_half",
    "above all identities, and yet below the mark",
    LOWER_HALF,
    (4, 5),
    [WALK, IN_ORDER],
    {1: "a3", 2: "b", 3: "c"},
    replays=(1, 1),
    after=[None, {1: "a2", 2: "b", 3: "c"}],
    no_documents=NO_COMMITS,
)
LOWER_NOW = Log()
LOWER_NOW.records.extend(LOWER_HALF.records)
planned(
    "lower_now",
    "above all identities and below the mark within one batch",
    LOWER_NOW.u(2, 31, "b2", commit=30),
    (5, 6),
    [IN_ORDER, IN_ORDER],
    {1: "a3", 2: "b2", 3: "c"},
    replays=(1, 1),
    after=[{1: "a2", 2: "b", 3: "c"}],
    no_documents=NO_COMMITS,
)
planned(
    "twice",
    "a change that is delivered again in the same batch",
    start().u(1, 40, "a4").u(1, 50, "a5").again(3).u(1, 60, "a6"),
    (3, 6),
    [WALK, IN_ORDER],
    {1: "a6", 2: "b", 3: "c"},
    replays=(1, 0),
)
planned(
    "doubled",
    "a change that is delivered again at once, no lower than the one before it",
    start().u(1, 40, "a4").again(3).u(2, 50, "b2"),
    (3, 5),
    [WALK, IN_ORDER],
    {1: "a4", 2: "b2", 3: "c"},
    replays=(1, 0),
)
planned(
    "gone",
    "an insert that comes again behind its delete, whose tombstone has no identity",
    start().c(9, 25, "b", commit=20).d(9, 30, commit=None).x(9).again(3).u(1, 40, "a4"),
    (3, 7),
    [WALK, IN_ORDER],
    {1: "a4", 2: "b", 3: "c"},
    replays=(1, 0),
)
for name, when, cuts, plans in (
    ("emptied", "of the run before", (2, 3), [WALK, IN_ORDER]),
    ("emptied_now", "of the same run", (1, 3), [WALK, IN_ORDER]),
):
    planned(
        name,
        f"behind a tombstone {when} that empties, what was delivered before counts again",
        Log().c(1, 10, "a").x(1).again(0).u(1, 20, "a2"),
        cuts,
        plans,
        {1: "a2"},
    )
planned(
    "emptied_long",
    "an insert behind that tombstone, and then what was delivered before",
    Log().c(1, 10, "a").x(1).c(1, 20, "b").again(0),
    (2, 3),
    [IN_ORDER, WALK],
    {1: "b"},
    replays=(1, 1),
)
planned(
    "emptied_slowly",
    "the same, with a batch between them that is not in order",
    Log().c(1, 10, "a").x(1).u(2, 15, "x").c(1, 20, "b").again(2).again(0),
    (3, 5),
    [WALK, WALK],
    {1: "b", 2: "x"},
    replays=(2, 1),
)
# a tombstone that the producer sent again, as the timestamp tells, is not new
AT = {"at": START_MS + 9}
for name, when, cuts, plans in (
    ("sent_again", "at once", (4, 5), [WALK, WALK]),
    ("sent_later", "behind a batch that says nothing of tombstones", (3, 4), [IN_ORDER, WALK]),
):
    planned(
        name,
        f"a producer sends a batch again that begins with a tombstone, {when}",
        Log().c(1, 10, "a").d(1, 20).x(1, **AT).c(1, 30, "b", **AT).x(1, **AT).again(3),
        cuts,
        plans,
        {1: "b"},
        replays=(1, 0),
    )
planned(
    "parted",
    "a delete in one batch and its tombstone in the next",
    start().d(1, 20).x(1).u(2, 30, "b2").d(2, 40).x(2).c(2, 50, "b3").d(3, 60).x(3),
    (4, 6),
    [WALK, IN_ORDER],
    {2: "b3"},
)
planned(
    "parted_again",
    "a delete's tombstone with other rows, sent again behind the next insert",
    Log()
    .c(1, 10, "a")
    .c(2, 11, "b")
    .d(1, 20)
    .x(1, **AT)
    .u(2, 30, "b2")
    .c(1, 40, "c", **AT)
    .x(1, **AT),
    (3, 5),
    [WALK, WALK],
    {1: "c", 2: "b2"},
)
planned(
    "scattered",
    "a read that arrived behind a change in another partition, with a lower offset",
    Log()
    .r(1, 10, "read", offset=0, at=START_MS + 100)
    .u(1, 20, "before", partition=1, offset=5, at=START_MS + 50)
    .u(1, 30, "a3", partition=1, offset=6, at=START_MS + 200)
    .u(1, 40, "a4", partition=1, offset=7, at=START_MS + 300),
    (2, 3),
    [WALK, WALK],
    {1: "a4"},
    after=[{1: "read"}],
)
planned(
    "snapshot",
    "a snapshot that lands over several runs, and a change behind it",
    Log()
    .r(1, 10, "a")
    .r(2, 10, "b")
    .r(3, 10, "c")
    .u(3, 20, "c2")
    .u(1, 30, "a2")
    .r(4, 10, "d")
    .u(4, 31, "d2"),
    (2, 4),
    [IN_ORDER, IN_ORDER],
    {1: "a2", 2: "b", 3: "c2", 4: "d2"},
)
planned(
    "reread",
    "repeated reads, one with another time at its source, and one without",
    Log()
    .r(1, 10, "a")
    .r(2, 10, "b", source={"ts_ms": START_MS - 1000})
    .r(3, 10, "c", source={"ts_ms": None})
    .u(1, 20, "a2")
    .u(2, 21, "b2")
    .u(3, 22, "c2")
    .again(0)
    .again(1)
    .again(2)
    .u(1, 15, "never seen"),
    (6, 9),
    [WALK, WALK],
    {1: "a2", 2: "b2", 3: "c2"},
    replays=(4, 1),
)
planned(
    "reread_first",
    "a repeated read, and behind it a change of the same row that is ahead of all",
    Log().r(1, 10, "a").u(1, 20, "a2").again(0).u(1, 30, "a3").u(1, 40, "a4"),
    (2, 4),
    [WALK, IN_ORDER],
    {1: "a4"},
    replays=(1, 0),
)
for name, cuts in (("below", (4, 5)), ("below_cut", (3, 5))):
    planned(
        name,
        f"a full read lets lower positions count, and no repeat takes that back ({name})",
        Log()
        .c(1, 10, "a")
        .u(1, 30, "a3")
        .r(1, 40, "read")
        .again(1)
        .u(1, 20, "counts")
        .u(1, 25, "counts, too"),
        cuts,
        [WALK, WALK],
        {1: "counts, too"},
        replays=(1, 0),
    )

# births behind a delete of the first transaction of a slot, which tells no commit before it
UNTOLD: dict[str, Any] = {"commit": None}
births = Log()
for number in range(1, 7):
    births.c(number, 9 + number, "first")
births.d(1, 30, **UNTOLD).d(3, 30, **UNTOLD).d(5, 30, **UNTOLD).x(3).d(2, 30, commit=28)
births.c(1, 25, "late", commit=20).c(2, 20, "old", commit=5).c(3, 25, "late", commit=20)
births.d(4, 30, **UNTOLD).x(4).c(4, 25, "late", commit=20).again(4)
births.c(9, 16, "first").d(9, 30, **UNTOLD).x(9)
births.d(6, 30, **UNTOLD).again(5).c(6, 25, "late", commit=20)
births.c(5, 25, "late", commit=20).u(1, 37, "on", commit=36).c(9, 25, "late", commit=20)
# behind a delete that is set aside nothing is born
births.u(7, 60, "stays", commit=59).d(7, 30, **UNTOLD).c(7, 25, "old", **UNTOLD)
# nothing tells where an insert of the first transaction of a slot lies among commits
births.c(8, 15, "first").d(8, 50, commit=48).c(8, 25, "late", **UNTOLD)
# a create below an update is no birth
births.u(4, 40, "on", **UNTOLD).c(4, 24, "old", commit=20)
planned(
    "births",
    "late births behind deletes of the first transaction of a slot",
    births,
    (11, 24),
    [WALK, WALK],
    {1: "on", 3: "late", 4: "on", 5: "late", 6: "late", 7: "stays", 8: "late", 9: "late"},
    replays=(6, 4),
    no_documents=NO_COMMITS,
)
