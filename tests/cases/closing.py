"""Rows that a complete snapshot did not see. docs/semantics.md#closing."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log
from tests.cases.table import Table
from tests.cases.tables import NAMES, PG, column, customer
from tests.support.examples import START_MS, example

TRAP = ("trap 31",)
CLOSING = Table(
    "pg_closing",
    "postgresql",
    [column("id", "int32"), column("v"), *NAMES],
    settings={"close_unseen": True},
)

snapshots = example("seq_repeat_snapshot_hides_deletes")
ANN = {"id": 1, "first_name": "Ann", "last_name": "Kretchmar", "email": "annek@noanswer.org"}
BETTY = {name: customer(2)[name] for name in ANN}
Case(
    "a repeated snapshot corrects what it shows and closes nothing",
    snapshots,
    {1: customer(1, first_name="Ann"), 2: customer(2)},
    TRAP,
    table=PG,
)
Case(
    "a complete snapshot closes what it does not show, where that is wanted",
    snapshots,
    {1: ANN},
    TRAP,
    table=CLOSING,
    after={2: {1: ANN | {"first_name": "Anne"}, 2: BETTY}},
)


def three() -> Log:
    """Begin with three rows."""
    return Log().c(1, 10, "a").c(2, 11, "b").c(3, 12, "c")


Case(
    "a snapshot closes nothing before its last read, and a read that lands late opens its row",
    three().r(1, 100, "read", snapshot="first").r(2, 100, "read", snapshot="last"),
    {1: "read", 2: "read"},
    TRAP,
    table=CLOSING,
    after={4: {1: "read", 2: "b", 3: "c"}},
    landings={"the first read last": [[0, 1, 2], ([4], {2: "read"}), [3]]},
)
Case(
    "chunks of an incremental snapshot close nothing",
    three()
    .r(1, 100, "read", snapshot="incremental", commit=None)
    .r(2, 100, "read", snapshot="incremental", commit=None),
    {1: "read", 2: "read", 3: "c"},
    TRAP,
    table=CLOSING,
)
Case(
    "a closed row comes back with its next event",
    three()
    .r(1, 100, "read", snapshot="last")
    .c(3, 200, "new")
    .r(1, 300, "read", snapshot="last_in_data_collection"),
    {1: "read"},
    TRAP,
    table=CLOSING,
    after={4: {1: "read"}, 5: {1: "read", 3: "new"}},
)
Case(
    "in a partition without reads time tells what came before the snapshot",
    Log()
    .c(1, 10, "a")
    .c(2, 11, "b")
    .c(3, 12, "c", partition=1)
    .c(4, 150, "d", partition=1, at=START_MS + 9_200)
    .r(1, 100, "read", snapshot="first", at=START_MS + 9_000)
    .r(2, 100, "read", snapshot="last", at=START_MS + 9_400)
    .c(2, 200, "new", partition=1, at=START_MS + 9_500),
    {1: "read", 2: "new", 4: "d"},
    TRAP,
    table=CLOSING,
    after={4: {1: "a", 2: "b", 3: "c", 4: "d"}},
)
Case(
    "a row of a topic that was created again is not closed by a snapshot before",
    # offsets start again, and no incarnation says so
    Log()
    .c(1, 10, "a", offset=100)
    .c(2, 11, "b", offset=101)
    .c(3, 12, "c", offset=102)
    .r(1, 100, "read", snapshot="first", offset=103)
    .r(2, 100, "read", snapshot="last", offset=104)
    .c(4, 200, "new", offset=0),
    {1: "read", 2: "read", 4: "new"},
    TRAP,
    table=CLOSING,
    after={5: {1: "read", 2: "read"}},
)
