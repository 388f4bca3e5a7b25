"""Logs whose second and third runs call for one way to fold them. Each is an ordinary case, too.

`tests/lab/test_fold_plans.py` says which plan a run takes, and `tests/lab/test_versions.py` how the
history of such a log is brought up to date.
"""

from __future__ import annotations

from tests.cases.log import GONE, Log
from tests.cases.planned import IN_ORDER, NOTHING, WALK, planned, start
from tests.cases.tables import plain_table
from tests.support.examples import START_MS

BOUNDARY, BOUNDARY_MS = "2030-01-01T00:00:00Z", 1_893_456_000_000
RECREATED = plain_table("postgresql", "recreated", options={"incarnations": [BOUNDARY]})

planned(
    "plain",
    "changes ahead of all",
    start().u(1, 20, "a2").c(4, 21, "d").d(1, 30).u(2, 31, "b2"),
    (3, 5),
    [IN_ORDER, IN_ORDER],
    {2: "b2", 3: "c", 4: "d"},
)
planned(
    "quiet",
    "a run without news",
    start().u(1, 20, "a2"),
    (3, 4),
    [IN_ORDER, NOTHING],
    {1: "a2", 2: "b", 3: "c"},
)
planned(
    "late",
    "changes that are late in their partition",
    Log()
    .c(1, 10, "a", offset=0)
    .u(1, 40, "a4", offset=3)
    .u(1, 20, "a2", offset=1)
    .u(1, 30, "a3", offset=2)
    .u(1, 50, "a5", offset=4),
    (2, 3),
    [WALK, WALK],
    {1: "a5"},
)
planned(
    "late_high",
    "a change that is late in its partition, and of a higher position than all before",
    Log()
    .c(1, 10, "a", offset=0)
    .u(1, 40, "a4", offset=3)
    .u(1, 60, "a6", offset=1)
    .u(1, 70, "a7", offset=4),
    (2, 3),
    [WALK, IN_ORDER],
    {1: "a7"},
    replays=(1, 1),
)
planned(
    "moved",
    "a row that moves to another partition",
    start()
    .u(3, 20, "c2", partition=1, offset=0)
    .u(2, 21, "b2", offset=3)
    .u(3, 30, "c3", partition=1, offset=1),
    (3, 4),
    [WALK, WALK],
    {1: "a", 2: "b2", 3: "c3"},
)
planned(
    "torn",
    "changes of a row that land from two partitions, the later ones first",
    Log()
    .c(1, 10, "a", at=START_MS)
    .u(1, 30, "a3", at=START_MS + 100)
    .u(1, 20, "a2", partition=1, offset=7, at=START_MS + 50)
    .u(1, 40, "a4", at=START_MS + 200)
    .u(1, 35, "a3.5", partition=1, offset=8, at=START_MS + 150)
    .u(1, 50, "a5", at=START_MS + 300),
    (2, 4),
    [WALK, WALK],
    {1: "a5"},
)
planned(
    "former",
    "a value under the former key, written after the key change landed",
    Log()
    .c(1, 10, "a", w="kept", partition=1, offset=0)
    .c(7, 20, "a", w=GONE, old=1, offset=0)
    .u(1, 15, "a", w="written", partition=1, offset=1)
    .d(1, 20, partition=1, offset=2)
    .c(2, 30, "b", offset=1),
    (2, 4),
    [WALK, IN_ORDER],
    {2: "b", 7: {"v": "a", "w": "written"}},
)
planned(
    "recreated",
    "a topic that was created again",
    start()
    .u(1, 20, "a2", offset=5)
    .u(1, 30, "a3", offset=0, at=BOUNDARY_MS)
    .u(1, 40, "a4", offset=1, at=BOUNDARY_MS + 1),
    (5, 6),
    [IN_ORDER, NOTHING],
    {1: "a4", 2: "b", 3: "c"},
    table=RECREATED,
)
planned(
    "partial",
    "an unavailable value of a row whose key changed",
    Log()
    .c(1, 10, "a", w="kept")
    .c(2, 11, "b", w="other")
    .u(1, 20, "a2", w=GONE)
    .d(1, 30)
    .c(7, 30, "a2", w=GONE, old=1),
    (2, 3),
    [IN_ORDER, WALK],
    {2: {"v": "b", "w": "other"}, 7: {"v": "a2", "w": "kept"}},
)
planned(
    "truncated",
    "a truncate, and late rows below it",
    start()
    .c(8, 25, "spared")
    .t(20, partition=1, offset=0)
    .c(4, 30, "new")
    .c(5, 15, "late", partition=1, offset=1)
    .c(6, 35, "on"),
    (4, 6),
    [IN_ORDER, WALK],
    {4: "new", 6: "on", 8: "spared"},
)
planned(
    "truncated_late",
    "a truncate, and with it a change that is not ahead of all",
    start()
    .c(8, 25, "spared")
    .t(20, partition=1, offset=0)
    .c(4, 15, "late", partition=1, offset=1)
    .c(6, 35, "on"),
    (4, 6),
    [WALK, IN_ORDER],
    {6: "on", 8: "spared"},
)
