"""What makes, begins and ends a version. docs/history.md."""

from __future__ import annotations

from typing import Any

from reference.versions import Options
from tests.cases.log import GONE
from tests.cases.tables import plain_table
from tests.cases.version_case import Changes, VersionCase, seconds
from tests.support.examples import START_MS

# Options that say nothing of each other's logs share a history: each costs seconds in the lab.
ALL = TRACKED = Options(within_transaction="all", track=("v",))
DELETED = IGNORED = Options(deleted_rows=True, ignore=("w",))
CLOSING = plain_table("postgresql", "closing", settings={"close_unseen": True})
EMPTIED = plain_table("postgresql", "emptied")  # a truncate has the whole table built again

# What makes a version.

VersionCase(
    "each applied change makes a version that ends when the next begins",
    Changes().c(1, 10, "a").u(1, 20, "b").d(1, 30).x(1).c(1, 40, "c"),
    [
        ("a", 10, 20, "insert", "update"),
        ("b", 20, 30, "update", "delete"),
        ("c", 40, None, "insert", None),
    ],
    after={4: [("a", 10, 20, "insert", "update"), ("b", 20, 30, "update", "delete")]},
    more={
        "from_event_id": [0, 1, 4],
        "to_event_id": [1, 2, None],
        "is_current": [False, False, True],
        "life": [1, 1, 2],
        "version": [1, 2, 3],
    },
)
VersionCase(
    "replays and repeats make no version",
    Changes().c(1, 10, "a").u(1, 20, "b").c(1, 10, "a").u(1, 20, "b").u(1, 15, "old"),
    [("a", 10, 20, "insert", "update"), ("b", 20, None, "update", None)],
    landings={"the old one last": [[0, 1, 2, 3], [4]]},
    more={"from_event_id": [0, 1]},
)
AT_ONE_TIME = Changes().c(1, 10, "a").u(1, 20, "b", ms=10_000)
VersionCase(
    "changes of several transactions at one time keep versions of zero length",
    AT_ONE_TIME,
    [("a", 10, 10, "insert", "update"), ("b", 10, None, "update", None)],
)
VersionCase(
    "a read makes a version only of another row",
    Changes().c(1, 10, "a").r(1, 20, "a").r(1, 30, "b"),
    [("a", 10, 30, "insert", "update"), ("b", 30, None, "read", None)],
    after={2: [("a", 10, None, "insert", None)]},
    more={"from_is_exact": [True, False]},
)
UNCHANGED = Changes().c(1, 10, "a").u(1, 20, "a")
VersionCase(
    "an update without a change makes a version",
    UNCHANGED,
    [("a", 10, 20, "insert", "update"), ("a", 20, None, "update", None)],
)
VersionCase(
    "an update without a change of tracked columns makes none",
    UNCHANGED,
    [("a", 10, None, "insert", None)],
    options=TRACKED,
)
NOTED = Changes().c(1, 10, "a", w="1").u(1, 20, "a", w="2").u(1, 30, "b", w="2")
NOTED.u(1, 40, "b", w="3")
DOCUMENT = "the document, which holds all members, is a column of its own"
for name, options, reason in (("ignored", IGNORED, DOCUMENT), ("not tracked", TRACKED, "")):
    VersionCase(
        f"columns that are {name} make no version, but the row stays current",
        NOTED,
        [("a", 10, 30, "insert", "update"), ("b", 30, None, "update", None)],
        more={"w": ["2", "3"], "source_at": [10, 30]},
        options=options,
        no_documents=reason,
    )
VersionCase(
    "they make one of a row that was born again equal",
    Changes().c(1, 10, "a").d(1, 20).c(1, 30, "a"),
    [("a", 10, 20, "insert", "delete"), ("a", 30, None, "insert", None)],
    options=TRACKED,
)
VersionCase(
    "unavailable values come from before and never from later",
    Changes().u(1, 10, GONE).u(1, 20, "b").c(2, 11, "a").u(2, 21, GONE),
    [
        (None, 10, 20, "update", "update"),
        ("b", 20, None, "update", None),
        ("a", 11, 21, "insert", "update"),
        ("a", 21, None, "update", None),
    ],
    more={"unknown": [["v"], [], [], []]},
)

# Instants.

VersionCase(
    "instants never fall when clocks do",
    Changes().c(1, 10, "a").u(1, 20, "b", ms=5_000).d(1, 30, ms=7_000).c(1, 40, "c", ms=6_000),
    [
        ("a", 10, 10, "insert", "update"),
        ("b", 10, 10, "update", "delete"),
        ("c", 10, None, "insert", None),
    ],
    more={"source_at": [10, 5, 6]},
)
VersionCase(
    "without a time at the source the record's timestamp counts",
    Changes().c(1, 10, "a", source={"ts_ms": None}, ms=None, at=START_MS + 4_000),
    [("a", 4, None, "insert", None)],
    more={"source_at": [None]},
)
VersionCase(
    "joins before the first capture find the row that was read",
    Changes().r(1, 10, "a", snapshot="last").u(1, 20, "b").c(2, 11, "x"),
    [
        ("a", 0, 20, "read", "update"),
        ("b", 20, None, "update", None),
        ("x", 11, None, "insert", None),
    ],
    options=Options(first_from=seconds(0)),
)
VersionCase(
    "a far date stands for the open end",
    Changes().c(1, 10, "a").u(1, 20, "b"),
    [("a", 10, 20, "insert", "update"), ("b", 20, 9_000_000, "update", None)],
    options=Options(valid_to_current=seconds(9_000_000)),
)
VersionCase(
    "versions that ended long ago go, and numbers stay",
    Changes().c(1, 10, "a").u(1, 20, "b").c(2, 15, "x").d(2, 16).u(1, 85, "c").u(1, 100, "d"),
    [("b", 20, 85, "update", "update")]
    + [("c", 85, 100, "update", "update"), ("d", 100, None, "update", None)],
    after={
        5: [
            ("a", 10, 20, "insert", "update"),
            ("b", 20, 85, "update", "update"),
            ("c", 85, None, "update", None),
            ("x", 15, 16, "insert", "delete"),
        ],
    },
    more={"version": [2, 3, 4]},
    options=Options(keep=70_000_000),
)

# Transactions.

WITHIN = Changes().c(1, 10, "a").u(1, 20, "b", commit=15).u(1, 21, "c", commit=15, ms=22_000)
VersionCase(
    "changes of one transaction are one version",
    WITHIN,
    [("a", 10, 22, "insert", "update"), ("c", 22, None, "update", None)],
    landings={"in two runs": [[0, 1], [2]]},
    more={"from_event_id": [0, 2], "source_at": [10, 22]},
)
VersionCase(
    "all changes of one transaction are versions if that is asked",
    WITHIN,
    [
        ("a", 10, 22, "insert", "update"),
        ("b", 22, 22, "update", "update"),
        ("c", 22, None, "update", None),
    ],
    landings={"in two runs": [[0, 1], [2]]},
    options=ALL,
)
REBORN = Changes().c(1, 10, "a").d(1, 20, commit=15).x(1)
REBORN.c(1, 21, "b", commit=15).u(1, 22, "c", commit=15)
for name, options in (("", Options()), (", and no gap lies between", DELETED)):
    VersionCase(
        f"a transaction tells how one life began and the one before ended{name}",
        REBORN,
        [("a", 10, 22, "insert", "delete"), ("c", 22, None, "insert", None)],
        more={"life": [1, 2]},
        options=options,
    )
PASSING = Changes().c(1, 10, "a", commit=5).d(1, 11, commit=5).c(1, 20, "b")
VersionCase(
    "a row that lives within one transaction has no version and no number",
    PASSING,
    [("b", 20, None, "insert", None)],
    after={2: []},
    more={"life": [1], "version": [1]},
)
VersionCase(
    "it has both if all changes are asked for",
    PASSING,
    [("a", 11, 11, "insert", "delete"), ("b", 20, None, "insert", None)],
    more={"life": [1, 2]},
    options=ALL,
)
VersionCase(
    "transaction metadata names the transaction",
    Changes().c(1, 10, "a", tx="7:10").u(1, 20, "b", tx="7:20").u(1, 30, "c", tx="8:30"),
    [("b", 20, 30, "insert", "update"), ("c", 30, None, "update", None)],
    more={"tx_id": ["7:20", "8:30"], "to_tx_id": ["8:30", None]},
)
# changes of several rows; those of the second transaction land in two runs
SPLIT = Changes().c(1, 10, "a").c(2, 20, "b").u(1, 30, "a2", commit=25)
SPLIT.u(1, 31, "a3", commit=25).d(2, 32, commit=25).c(2, 33, "b2", commit=25)
SPLIT_LANDING: dict[str, Any] = {"in its midst": [[0, 1, 2], [3, 4], [5]]}
VersionCase(
    "a transaction that lands in several runs is one",
    SPLIT,
    [
        ("a", 10, 31, "insert", "update"),
        ("a3", 31, None, "update", None),
        ("b", 20, 33, "insert", "delete"),
        ("b2", 33, None, "insert", None),
    ],
    landings=SPLIT_LANDING,
)
VersionCase(
    "a transaction that lands in several runs has one instant",
    SPLIT,
    [
        ("a", 10, 31, "insert", "update"),
        ("a2", 31, 31, "update", "update"),
        ("a3", 31, None, "update", None),
        ("b", 20, 33, "insert", "delete"),
        ("b2", 33, None, "insert", None),
    ],
    landings=SPLIT_LANDING,
    options=ALL,
)
VersionCase(
    "a late birth comes behind the delete that it waited for",
    Changes().c(1, 10, "a").d(1, 30, commit=25).c(1, 20, "b", commit=35, ms=36_000),
    [("a", 10, 30, "insert", "delete"), ("b", 36, None, "insert", None)],
)

# What ends a version.

VersionCase(
    "a truncate ends versions below it at its own time",
    Changes().c(1, 10, "a").t(20).c(1, 30, "b"),
    [("a", 10, 20, "insert", "truncate"), ("b", 30, None, "insert", None)],
    table=EMPTIED,
    after={2: [("a", 10, 20, "insert", "truncate")]},
    more={"life": [1, 2]},
)
VersionCase(
    "a truncate does not end a version that the next change ended below it",
    Changes().t(40, partition=1).c(1, 10, "a").u(1, 20, "b").d(1, 30),
    [("a", 10, 20, "insert", "update"), ("b", 20, 30, "update", "delete")],
    table=EMPTIED,
    after={3: [("a", 10, 20, "insert", "update"), ("b", 20, 40, "update", "truncate")]},
)
VersionCase(
    "a truncate and an insert of one transaction",
    Changes().c(1, 10, "a").t(20, commit=15).c(1, 21, "b", commit=15),
    [("a", 10, 21, "insert", "truncate"), ("b", 21, None, "insert", None)],
    table=EMPTIED,
)
AHEAD = Changes().c(1, 10, "a").c(2, 12, "b").d(2, 20).t(30, commit=25).c(1, 40, "c")
AHEAD.u(1, 50, "d").t(60, commit=55).c(2, 70, "e")
VersionCase(
    "a truncate ahead of all ends what is there",
    AHEAD,
    [
        ("a", 10, 30, "insert", "truncate"),
        ("c", 40, 50, "insert", "update"),
        ("d", 50, 60, "update", "truncate"),
        ("b", 12, 20, "insert", "delete"),
        ("e", 70, None, "insert", None),
    ],
    table=EMPTIED,
    landings={"one in each run": [[0, 1, 2], [3, 4], [5, 6, 7]]},
)
VersionCase(
    "a tombstone alone ends a version at the time of its record",
    Changes().c(1, 10, "a").x(1, at=START_MS + 25_000),
    [("a", 10, 25, "insert", "tombstone")],
)
UNSEEN = Changes().c(1, 10, "a").c(2, 11, "b").r(2, 50, "b", snapshot="last").u(1, 60, "c")
VersionCase(
    "a complete snapshot ends a row that it did not see",
    UNSEEN,
    [
        ("a", 10, 50, "insert", "unseen"),
        ("c", 60, None, "update", None),
        ("b", 11, None, "insert", None),
    ],
    table=CLOSING,
    after={3: [("a", 10, 50, "insert", "unseen"), ("b", 11, None, "insert", None)]},
    more={"life": [1, 2, 1]},
)
VersionCase(
    "without `close_unseen` it does not",
    UNSEEN,
    [
        ("a", 10, 60, "insert", "update"),
        ("c", 60, None, "update", None),
        ("b", 11, None, "insert", None),
    ],
    more={"life": [1, 1, 1]},
)
GAPS = Changes().c(1, 10, "a").d(1, 20).c(1, 30, "b").d(1, 40)
VersionCase(
    "deleted rows lie over the gaps",
    GAPS,
    [
        ("a", 10, 20, "insert", "delete"),
        ("a", 20, 30, "delete", "insert"),
        ("b", 30, 40, "insert", "delete"),
        ("b", 40, None, "delete", None),
    ],
    more={
        "version": [1, 1, 2, 2],
        "life": [1, 1, 2, 2],
        "is_deleted": [False, True, False, True],
        "is_current": [False] * 4,
    },
    options=DELETED,
)

# Key changes.

for name, old in (("the header", 1), ("the position", None)):
    VersionCase(
        f"a key change links both rows by {name}",
        Changes().c(1, 10, "a").d(1, 20).x(1).c(2, 20, "a", old=old),
        [("a", 10, 20, "insert", "key_change"), ("a", 20, None, "key_change", None)],
        landings={"in halves": [[0, 1, 2], [3]]},
        more={"next_key": [2, None], "previous_key": [None, 1]},
        no_documents="the key of a document does not change",
    )
VersionCase(
    "a header whose delete did not land leaves the old row",
    Changes().c(1, 10, "a").c(2, 20, "a", old=1),
    [("a", 10, None, "insert", None), ("a", 20, None, "key_change", None)],
    more={"previous_key": [None, 1]},
)
VersionCase(
    "a key change onto a row whose end was lost begins a life",
    Changes().c(1, 10, "a").c(2, 12, "b").d(1, 20).c(2, 20, "a").u(2, 30, "a2"),
    [
        ("a", 10, 20, "insert", "key_change"),
        ("b", 12, 20, "insert", "update"),
        ("a", 20, 30, "key_change", "update"),
        ("a2", 30, None, "update", None),
    ],
    more={"life": [1, 1, 2, 2]},
    no_documents="the key of a document does not change",
)
HALVES = Changes().c(1, 10, "a").c(2, 12, "b").d(1, 20).c(3, 20, "a")
HALVES.d(2, 30, partition=1, offset=0).c(4, 30, "b", old=2)
VersionCase(
    "the halves of a key change may land in two runs",
    HALVES,
    [
        ("a", 10, 20, "insert", "key_change"),
        ("b", 12, 30, "insert", "key_change"),
        ("a", 20, None, "key_change", None),
        ("b", 30, None, "key_change", None),
    ],
    landings={"in halves": [[0, 1, 2], [3, 4], [5]]},
    more={"next_key": [3, 4, None, None], "previous_key": [None, None, 1, 2]},
)
