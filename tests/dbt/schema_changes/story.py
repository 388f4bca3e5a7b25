"""What happens to each table: before its layout changes, and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal as D
from typing import Any

from tests.dbt.schema_changes.altered_table import AlteredTable, decimal_field
from tests.support.embedded_records import field

ID = field("id", optional=False)
REGION = field("region", optional=False)
BORN = field("born", name="io.debezium.time.Date")
NAME = field("name", "string")
Step = Callable[[AlteredTable], None]


@dataclass(frozen=True)
class Change:
    """One table: its log, and what `cur_` shows, by the names of its columns.

    Attributes:
        table: as it is at first.
        before: what happens in the first delivery.
        after: what happens in the second, an ALTER first.
        early: rows after the second delivery, with the models of the first.
        late: rows when the models were generated again.
        is_compatible: the second models are taken in without the operator's word.
        options: what the operator configures before generating again.
        first_options: what is configured from the beginning.
    """

    table: AlteredTable
    before: Sequence[Step]
    after: Sequence[Step]
    early: list[dict[str, Any]]
    late: list[dict[str, Any]]
    is_compatible: bool = True
    options: dict[str, Any] | None = None
    first_options: dict[str, Any] | None = None


def alter(*fields: dict[str, Any], key: tuple[str, ...] | None = None) -> Step:
    """Give the table another layout."""
    return lambda table: table.alter(list(fields), key)


def create(**row: Any) -> Step:
    """Insert a row."""
    return lambda table: table.create(**row)


def update(**row: Any) -> Step:
    """Update a row."""
    return lambda table: table.update(**row)


def delete(**key: Any) -> Step:
    """Delete a row."""
    return lambda table: table.delete(**key)


def changes() -> dict[str, Change]:
    """Return the changes by what they are called."""
    return {
        "column added": Change(
            AlteredTable("added", [ID, NAME]),
            [create(id=1, name="a"), create(id=2, name="b")],
            [
                alter(ID, NAME, BORN),
                update(id=1, name="a2", born=19_000),
                create(id=3, name="c", born=-1),
            ],
            [{"id": 1, "name": "a2"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}],
            [
                {"id": 1, "name": "a2", "born": date(2022, 1, 8)},
                {"id": 2, "name": "b", "born": None},
                {"id": 3, "name": "c", "born": date(1969, 12, 31)},
            ],
        ),
        "column added with a default": Change(
            AlteredTable("filled", [ID]),
            [create(id=1), create(id=2), create(id=3), delete(id=3)],
            [
                alter(ID, field("level", default=7, optional=False), decimal_field("fee", 6, 2)),
                update(id=1, level=8, fee=None),
            ],
            [{"id": 1}, {"id": 2}],
            [{"id": 1, "level": 8, "fee": None}, {"id": 2, "level": 7, "fee": D("1.50")}],
            options={"added_defaults": {"level": 7, "fee": "1.50"}},
        ),
        "column dropped": Change(
            AlteredTable("dropped", [ID, NAME, field("legacy", "string")]),
            [create(id=1, name="a", legacy="x"), create(id=2, name="b", legacy="y")],
            [alter(ID, NAME), update(id=1, name="a2")],
            [{"id": 1, "name": "a2", "legacy": None}, {"id": 2, "name": "b", "legacy": "y"}],
            [{"id": 1, "name": "a2"}, {"id": 2, "name": "b"}],
        ),
        "column dropped and added again": Change(
            AlteredTable("added_again", [ID, NAME]),
            [create(id=1, name="old"), create(id=2, name="old")],
            [
                alter(ID),
                create(id=3),
                alter(ID, NAME),
                create(id=4, name=None),
                update(id=2, name="new"),
            ],
            [{"id": at, "name": one} for at, one in enumerate(("old", "new", None, None), 1)],
            [{"id": at, "name": one} for at, one in enumerate((None, "new", None, None), 1)],
        ),
        "column renamed": Change(
            AlteredTable("renamed", [ID, field("mail", "string")]),
            [create(id=1, mail="a@x"), create(id=2, mail="b@x")],
            [
                alter(ID, field("email", "string")),
                update(id=1, email="a@y"),
                alter(ID, field("e-mail", "string")),
                create(id=3, **{"e-mail": "c@y"}),
            ],
            [{"id": 1, "mail": None}, {"id": 2, "mail": "b@x"}, {"id": 3, "mail": None}],
            [{"id": 1, "e-mail": "a@y"}, {"id": 2, "e-mail": "b@x"}, {"id": 3, "e-mail": "c@y"}],
            options={"renames": {"e-mail": ["email", "mail"]}},
        ),
        "columns widened": _widened(),
        "scale changed": Change(
            AlteredTable("rescaled", [ID, decimal_field("d", 6, 2)]),
            [create(id=1, d=D("1.25")), create(id=2, d=D("2.25"))],
            [alter(ID, decimal_field("d", 12, 4)), update(id=1, d=D("1.2345"))],
            [{"id": 1, "d": None}, {"id": 2, "d": D("2.25")}],
            [{"id": 1, "d": D("1.2345")}, {"id": 2, "d": D("2.2500")}],
            is_compatible=False,
        ),
        "int made text": Change(
            AlteredTable("made_text", [ID, field("n")]),
            [create(id=1, n=1), create(id=2, n=2)],
            [alter(ID, field("n", "string")), update(id=1, n="one"), create(id=3, n="3")],
            [{"id": 1, "n": None}, {"id": 2, "n": 2}, {"id": 3, "n": 3}],
            [{"id": 1, "n": "one"}, {"id": 2, "n": "2"}, {"id": 3, "n": "3"}],
            is_compatible=False,
        ),
        "key changed": _rekeyed(),
        "table dropped and created anew": Change(
            AlteredTable("recreated", [ID, NAME]),
            [create(id=1, name="a"), create(id=2, name="b")],
            [
                alter(ID, field("title", "string"), decimal_field("price", 6, 2)),
                create(id=1, title="t", price=D("9.99")),
            ],
            # PostgreSQL reports no DROP: rows of the first life stay (docs/schema-changes.md)
            [{"id": 1, "name": None}, {"id": 2, "name": "b"}],
            [{"id": 1, "title": "t", "price": D("9.99")}, {"id": 2, "title": None, "price": None}],
        ),
        "names swapped, one": _swapped("swapped_a", "x", "y"),
        "names swapped, other": _swapped("swapped_b", "y", "x"),
        "column added without a key": Change(
            AlteredTable("keyless", [NAME], key=()),
            [create(name="a"), create(name="a"), create(name="b")],
            [
                alter(NAME, field("n")),
                update(before={"name": "a", "n": None}, name="a", n=1),
                delete(before={"name": "b", "n": None}, tombstone=False),
            ],
            [{"name": "a"}, {"name": "a"}],
            [{"name": "a", "n": 1}, {"name": "a", "n": None}],
            first_options={"replica_identity": "full"},
        ),
    }


def _widened() -> Change:
    first = {"id": 1, "n": 5_000_000_000, "d": D("1234567890.12"), "f": 0.1, "s": "much longer"}
    two = {"id": 2, "n": 2, "d": D("2.25"), "f": 0.5, "s": "short"}
    last = {"id": 5_000_000_001, "n": None, "d": None, "f": None, "s": None}
    text = field("s", "string")
    return Change(
        AlteredTable(
            "widened", [ID, field("n"), decimal_field("d", 6, 2), field("f", "float"), text]
        ),
        [create(id=1, n=1, d=D("1.25"), f=0.5, s="short"), create(**two)],
        [
            alter(
                field("id", "int64", optional=False),
                field("n", "int64"),
                decimal_field("d", 12, 2),
                field("f", "double"),
                text,
            ),
            update(**first),
            create(**last),
        ],
        # what the old types do not hold is quarantined until they are generated again; where
        # that is the key, the whole record
        [{"id": 1, "n": None, "d": None, "f": None, "s": "much longer"}, two],
        [first, two, last],
    )


def _rekeyed() -> Change:
    late = [
        {"id": 1, "region": 1, "name": "updated"},
        {"id": 1, "region": 2, "name": "same id"},
        {"id": 4, "region": 7, "name": "again"},
    ]
    return Change(
        AlteredTable("rekeyed", [ID, REGION, NAME]),
        [
            *(create(id=one, region=one % 2, name=f"row {one}") for one in (1, 2, 3, 4)),
            delete(id=3),
            delete(id=4),
            create(**late[2]),
        ],
        [
            alter(ID, REGION, NAME, key=("region", "id")),
            update(**late[0]),
            create(**late[1]),
            delete(id=2, region=0),
        ],
        # rows under the old key are not known to be the same as those under the new one
        [
            *late,
            {"id": 1, "region": 1, "name": "row 1"},
            {"id": 2, "region": 0, "name": "row 2"},
        ],
        late,
        is_compatible=False,
    )


def _swapped(name: str, old: str, new: str) -> Change:
    kinds = {"x": "int32", "y": "string"}
    values = {"x": 5, "y": "text"}
    return Change(
        AlteredTable(name, [ID, field(old, kinds[old])]),
        [create(id=1, **{old: values[old]}), create(id=2, **{old: values[old]})],
        [alter(ID, field(new, kinds[new])), update(id=1, **{new: values[new]})],
        [{"id": 1, old: None}, {"id": 2, old: values[old]}],
        [{"id": 1, new: values[new]}, {"id": 2, new: None}],
    )
