"""What happens to each table: before its layout changes, and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal as D
from typing import Any

from tests.dbt.schema_changes.altered_table import AlteredTable, decimal_field
from tests.support.embedded_records import field

ID = field("id", optional=False)
REGION = field("region", optional=False)
BORN = field("born", name="io.debezium.time.Date")


@dataclass(frozen=True)
class Change:
    """One table: its log, and what `cur_` shows, by the names of its columns.

    Attributes:
        before: writes the first delivery.
        after: alters the table and writes the second.
        early: rows after the second delivery, with the models of the first.
        late: rows when the models were generated again.
        is_compatible: the second models are taken in without the operator's word.
        options: what the operator configures before generating again.
    """

    table: AlteredTable
    before: Callable[[AlteredTable], None]
    after: Callable[[AlteredTable], None]
    early: list[dict[str, Any]]
    late: list[dict[str, Any]]
    is_compatible: bool = True
    options: dict[str, Any] | None = None
    first_options: dict[str, Any] | None = None


def changes() -> dict[str, Change]:
    """Return the changes by what they are called."""
    return {
        "column added": _added(),
        "column added with a default": _added_with_default(),
        "column dropped": _dropped(),
        "column dropped and added again": _added_again(),
        "column renamed": _renamed(),
        "columns widened": _widened(),
        "scale changed": _rescaled(),
        "int made text": _made_text(),
        "key changed": _rekeyed(),
        "table dropped and created anew": _recreated(),
        "names swapped, one": _swapped("swapped_a", "x", "y"),
        "names swapped, other": _swapped("swapped_b", "y", "x"),
        "column added without a key": _keyless(),
    }


def _added() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, name="a")
        log.create(id=2, name="b")

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("name", "string"), BORN])
        log.update(id=1, name="a2", born=19_000)
        log.create(id=3, name="c", born=-1)

    return Change(
        AlteredTable("added", [ID, field("name", "string")]),
        before,
        after,
        [{"id": 1, "name": "a2"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}],
        [
            {"id": 1, "name": "a2", "born": date(2022, 1, 8)},
            {"id": 2, "name": "b", "born": None},
            {"id": 3, "name": "c", "born": date(1969, 12, 31)},
        ],
    )


def _added_with_default() -> Change:
    def before(log: AlteredTable) -> None:
        for number in (1, 2, 3):
            log.create(id=number)
        log.delete(id=3)

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("level", default=7, optional=False), decimal_field("fee", 6, 2)])
        log.update(id=1, level=8, fee=None)

    return Change(
        AlteredTable("filled", [ID]),
        before,
        after,
        [{"id": 1}, {"id": 2}],
        [{"id": 1, "level": 8, "fee": None}, {"id": 2, "level": 7, "fee": D("1.50")}],
        options={"added_defaults": {"level": 7, "fee": "1.50"}},
    )


def _dropped() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, name="a", legacy="x")
        log.create(id=2, name="b", legacy="y")

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("name", "string")])
        log.update(id=1, name="a2")

    return Change(
        AlteredTable("dropped", [ID, field("name", "string"), field("legacy", "string")]),
        before,
        after,
        [{"id": 1, "name": "a2", "legacy": None}, {"id": 2, "name": "b", "legacy": "y"}],
        [{"id": 1, "name": "a2"}, {"id": 2, "name": "b"}],
    )


def _added_again() -> Change:
    columns = [ID, field("v", "string")]

    def before(log: AlteredTable) -> None:
        log.create(id=1, v="old")
        log.create(id=2, v="old")

    def after(log: AlteredTable) -> None:
        log.alter([ID])
        log.create(id=3)
        log.alter(columns)
        log.create(id=4, v=None)
        log.update(id=2, v="new")

    return Change(
        AlteredTable("added_again", columns),
        before,
        after,
        [{"id": number, "v": value} for number, value in enumerate(("old", "new", None, None), 1)],
        [{"id": number, "v": value} for number, value in enumerate((None, "new", None, None), 1)],
    )


def _renamed() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, mail="a@x")
        log.create(id=2, mail="b@x")

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("email", "string")])
        log.update(id=1, email="a@y")
        log.alter([ID, field("e-mail", "string")])
        log.create(id=3, **{"e-mail": "c@y"})

    return Change(
        AlteredTable("renamed", [ID, field("mail", "string")]),
        before,
        after,
        [{"id": 1, "mail": None}, {"id": 2, "mail": "b@x"}, {"id": 3, "mail": None}],
        [{"id": 1, "e-mail": "a@y"}, {"id": 2, "e-mail": "b@x"}, {"id": 3, "e-mail": "c@y"}],
        options={"renames": {"e-mail": ["email", "mail"]}},
    )


def _widened() -> Change:
    old = [ID, field("n"), decimal_field("d", 6, 2), field("f", "float"), field("s", "string")]
    new = [
        field("id", "int64", optional=False), field("n", "int64"), decimal_field("d", 12, 2),
        field("f", "double"), field("s", "string"),
    ]  # fmt: skip

    def before(log: AlteredTable) -> None:
        log.create(id=1, n=1, d=D("1.25"), f=0.5, s="short")
        log.create(id=2, n=2, d=D("2.25"), f=0.5, s="short")

    def after(log: AlteredTable) -> None:
        log.alter(new)
        log.update(id=1, n=5_000_000_000, d=D("1234567890.12"), f=0.1, s="much longer")
        log.create(id=5_000_000_001, n=None, d=None, f=None, s=None)

    two = {"id": 2, "n": 2, "d": D("2.25"), "f": 0.5, "s": "short"}
    none = {"n": None, "d": None, "f": None, "s": None}
    return Change(
        AlteredTable("widened", old),
        before,
        after,
        [
            # what the old types do not hold is quarantined until they are generated again; where
            # that is the key, the whole record
            {"id": 1, "n": None, "d": None, "f": None, "s": "much longer"},
            two,
        ],
        [
            {"id": 1, "n": 5_000_000_000, "d": D("1234567890.12"), "f": 0.1, "s": "much longer"},
            two,
            {"id": 5_000_000_001, **none},
        ],
    )


def _rescaled() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, d=D("1.25"))
        log.create(id=2, d=D("2.25"))

    def after(log: AlteredTable) -> None:
        log.alter([ID, decimal_field("d", 12, 4)])
        log.update(id=1, d=D("1.2345"))

    return Change(
        AlteredTable("rescaled", [ID, decimal_field("d", 6, 2)]),
        before,
        after,
        [{"id": 1, "d": None}, {"id": 2, "d": D("2.25")}],
        [{"id": 1, "d": D("1.2345")}, {"id": 2, "d": D("2.2500")}],
        is_compatible=False,
    )


def _made_text() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, n=1)
        log.create(id=2, n=2)

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("n", "string")])
        log.update(id=1, n="one")
        log.create(id=3, n="3")

    return Change(
        AlteredTable("made_text", [ID, field("n")]),
        before,
        after,
        [{"id": 1, "n": None}, {"id": 2, "n": 2}, {"id": 3, "n": 3}],
        [{"id": 1, "n": "one"}, {"id": 2, "n": "2"}, {"id": 3, "n": "3"}],
        is_compatible=False,
    )


def _rekeyed() -> Change:
    fields = [ID, REGION, field("name", "string")]

    def before(log: AlteredTable) -> None:
        for number in (1, 2, 3, 4):
            log.create(id=number, region=number % 2, name=f"row {number}")
        log.delete(id=3)
        log.delete(id=4)
        log.create(id=4, region=7, name="again")

    def after(log: AlteredTable) -> None:
        log.alter(fields, key=("region", "id"))
        log.update(id=1, region=1, name="updated")
        log.create(id=1, region=2, name="same id")
        log.delete(id=2, region=0)

    late = [
        {"id": 1, "region": 1, "name": "updated"},
        {"id": 1, "region": 2, "name": "same id"},
        {"id": 4, "region": 7, "name": "again"},
    ]
    return Change(
        AlteredTable("rekeyed", fields),
        before,
        after,
        # rows under the old key are not known to be the same as those under the new one
        [
            *late,
            {"id": 1, "region": 1, "name": "row 1"},
            {"id": 2, "region": 0, "name": "row 2"},
        ],
        late,
        is_compatible=False,
    )


def _recreated() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(id=1, name="a")
        log.create(id=2, name="b")

    def after(log: AlteredTable) -> None:
        log.alter([ID, field("title", "string"), decimal_field("price", 6, 2)])
        log.create(id=1, title="t", price=D("9.99"))

    # PostgreSQL reports no DROP: rows of the first life stay (docs/schema-changes.md)
    return Change(
        AlteredTable("recreated", [ID, field("name", "string")]),
        before,
        after,
        [{"id": 1, "name": None}, {"id": 2, "name": "b"}],
        [{"id": 1, "title": "t", "price": D("9.99")}, {"id": 2, "title": None, "price": None}],
    )


def _swapped(name: str, old: str, new: str) -> Change:
    kinds = {"x": "int32", "y": "string"}
    values = {"x": 5, "y": "text"}

    def before(log: AlteredTable) -> None:
        log.create(id=1, **{old: values[old]})
        log.create(id=2, **{old: values[old]})

    def after(log: AlteredTable) -> None:
        log.alter([ID, field(new, kinds[new])])
        log.update(id=1, **{new: values[new]})

    return Change(
        AlteredTable(name, [ID, field(old, kinds[old])]),
        before,
        after,
        [{"id": 1, old: None}, {"id": 2, old: values[old]}],
        [{"id": 1, new: values[new]}, {"id": 2, new: None}],
    )


def _keyless() -> Change:
    def before(log: AlteredTable) -> None:
        log.create(name="a")
        log.create(name="a")
        log.create(name="b")

    def after(log: AlteredTable) -> None:
        log.alter([field("name", "string"), field("n")])
        log.update(before={"name": "a", "n": None}, name="a", n=1)
        log.delete(before={"name": "b", "n": None}, tombstone=False)

    return Change(
        AlteredTable("keyless", [field("name", "string")], key=()),
        before,
        after,
        [{"name": "a"}, {"name": "a"}],
        [{"name": "a", "n": 1}, {"name": "a", "n": None}],
        first_options={"replica_identity": "full"},
    )
