"""The order of arrival. docs/semantics.md#arrival."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log
from tests.cases.tables import plain_table

CREATED = "2030-01-01T00:00:00Z"
CREATED_MS = 1_893_456_000_000
RECREATED = plain_table("postgresql", "recreated", options={"incarnations": [CREATED]})

Case(
    "a key in several partitions is ordered by record time",
    Log()
    .u(1, 10, "a", partition=0, offset=7)
    .r(1, None, "b", snapshot="incremental", partition=1, offset=0),
    {1: "b"},
    landings={"the read first": [[1], ([0], {1: "b"})]},
)
# by their offsets alone the read and the update would come first, and their rows be older
Case(
    "a topic that was created anew arrives after the one before",
    Log()
    .c(1, 10, "before", offset=5)
    .r(1, 10, "after", snapshot="last", offset=0, at=CREATED_MS)
    .c(2, 10, "before", offset=6, at=CREATED_MS - 1)
    .u(2, 20, "after", offset=1, at=CREATED_MS + 1)
    .u(2, 30, "last", offset=6, at=CREATED_MS + 2),
    {1: "after", 2: "last"},
    table=RECREATED,
    replays=(0, 0),
    landings={
        "each by itself": [[0], ([1], {1: "after"}), [2], ([3], {1: "after", 2: "after"}), [4]]
    },
)
Case(
    "undeclared, its offsets are compared with those of the topic before",
    Log().c(1, 10, "before", offset=5).u(1, 20, "after", offset=0),
    {1: "after"},
    replays=(1, 1),
)
