"""The key of a record, which names its row. docs/semantics.md#columns-of-the-key."""

from __future__ import annotations

from tests.cases.case import Case
from tests.cases.log import Log
from tests.cases.tables import PG_PAIRS

TRAP = ("trap 10",)

Case(
    "a key is the same in every form, and a tombstone with a bare key meets its row",
    Log()
    .c(1, 10, "a")
    .c(2, 10, "a")
    .c(3, 10, "a")
    .add("u", 1, 20, {"id": 1, "v": "scalar"})
    .add("u", {"schema": {"type": "int32"}, "payload": 2}, 20, {"id": 2, "v": "with schema"})
    .add(
        "u",
        {"schema": {"type": "struct", "fields": []}, "payload": {"id": 3}},
        20,
        {"id": 3, "v": "struct"},
    )
    .raw("1", None),
    {2: "with schema", 3: "struct"},
    TRAP,
    after={6: {1: "scalar", 2: "with schema", 3: "struct"}},
)
Case(
    "a text key keeps its quotes out",
    Log().add("c", {"pk": "2"}, 10, {"pk": "2", "aa": "a"}),
    {"2": {"pk": "2", "aa": "a"}},
    TRAP,
    table=PG_PAIRS,
)
Case(
    "a row that lacks the columns of the key has those of its record",
    Log()
    .add("c", {"id": 1}, 10, {"v": "one"})
    .add("c", {"id": 2}, 11, {"v": "two"})
    .add("u", {"id": 1}, 20, {"v": "uno"})
    .add("d", {"id": 2}, 30, before={"v": None})
    .x(2),
    {1: "uno"},
    TRAP,
    after={2: {1: "one", 2: "two"}},
    no_documents="a document has its key",
)
