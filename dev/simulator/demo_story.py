"""The story of a simulated demo: random work on its tables, and what every demo must show.

A snapshot; changes of rows, keys and references; a crash and what it repeats; keys that come back;
a column that is added; a table that is emptied; an incremental snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dev.simulator.demo_source import DemoSource

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Of:
    """Values of a column that refers to the key of a table."""

    table: str

    def __call__(self, source: DemoSource, number: int) -> Any:
        """Return the key of some row."""
        return source.rng.choice(list(source.rows[self.table]))[0]


def number(first: int = 1, step: int = 1) -> Callable[[DemoSource, int], int]:
    """Return values that count the rows of a table."""
    return lambda source, count: first + (count - 1) * step


def text(template: str) -> Callable[[DemoSource, int], str]:
    """Return values with the number of the row in them."""
    return lambda source, count: template.format(count)


def moment(digits: int, *zones: str) -> Callable[[DemoSource, int], str]:
    """Return the time of the change, with so many digits of a second that are drawn."""

    def drawn(source: DemoSource, count: int) -> str:
        rng = source.rng
        fraction = rng.choice(["0" * digits, f"{rng.randrange(10**digits):0{digits}d}"])
        second = f"{source.now:%Y-%m-%dT%H:%M:%S}"
        return (f"{second}.{fraction}" if digits else second) + rng.choice(zones or [""])

    return drawn


def amount(digits: int, *scales: int, least: int = 0) -> Callable[[DemoSource, int], str]:
    """Return decimals of so many digits, with one of these scales."""

    def drawn(source: DemoSource, count: int) -> str:
        unscaled = Decimal(source.rng.randint(least, 10**digits - 1))
        return f"{unscaled.scaleb(-source.rng.choice(scales)):f}"

    return drawn


def raw(length: int) -> Callable[[DemoSource, int], str]:
    """Return so many bytes."""
    return lambda source, count: source.rng.choice(["", source.rng.randbytes(length).hex()])


class Demo(DemoSource):
    """A source with its story.

    Attributes:
        renamed: the table whose keys change; what refers to them follows.
        added: table, name, declaration and values of the column that is added.
        emptied: a table that is truncated.
        read_again: the table that an incremental snapshot reads.
        unseen: the table of a row that is deleted while the connector is down, loses its offsets
            and takes its snapshot again.
    """

    renamed: str
    added: tuple[str, str, str, tuple[Any, ...]]
    emptied: str | None = None
    read_again: str
    unseen: str | None = None
    first_rows = 5

    def __init__(self, seed: int, *, transactions: bool = False) -> None:
        """Tell the story of a seed; with `transactions`, the connector reports them."""
        super().__init__(seed, transactions=transactions)
        self._counts = dict.fromkeys(self.tables, 0)
        for table in self.tables:
            self._insert(table, self.first_rows)
        self.snapshot()
        self._work(14)
        self._fail(back=13)
        self._rename()
        self._let_a_key_come_back()
        self._fail(back=5)
        self.add_column(*self.added[:3])
        self._work(8)
        if self.emptied:
            self.truncate(self.emptied)
            self.commit()
            self._insert(self.emptied, 3)
        self._fail(back=9)
        self.read_chunk(self.read_again)
        self._work(3)
        if self.unseen:
            self._insert(self.unseen)
            self.send()
            self.delete(self.unseen, list(self.rows[self.unseen])[-1])
            self.commit()
            self.snapshot()
            self._work(2)
        self.send()

    def _fail(self, back: int) -> None:
        """Send all changes, and some of them again."""
        self.send()
        self.crash(back)
        self.send()

    def _work(self, transactions: int) -> None:
        for _ in range(transactions):
            for _ in range(self.rng.randint(1, 4)):
                self._change(self.rng.choice(list(self.tables)))
            self.commit()

    def _change(self, table: str) -> None:
        draw = self.rng.random()
        keys = list(self.rows[table])
        if draw < 0.55 or len(keys) < 3:
            self.insert(table, self._row(table))
        elif draw < 0.96:
            own, columns = self.tables[table]
            names = [name for name in self.columns[table] if name not in own]
            chosen = self.rng.sample(names, self.rng.randint(1, 2))
            changes = {name: self._value(table, name) for name in chosen}
            self.update(table, self.rng.choice(keys), **changes)
        else:
            self._delete(table, self.rng.choice(keys))

    def _insert(self, table: str, rows: int = 1) -> None:
        """Insert rows, each in a transaction."""
        for _ in range(rows):
            self.insert(table, self._row(table))
            self.commit()

    def _rename(self) -> None:
        """Change keys and, in the same transaction, what refers to them; use an old one again."""
        table = self.renamed
        (name,) = self.tables[table][0]
        for old in list(self.rows[table])[:2]:
            self._counts[table] += 1
            new = self._value(table, name)
            self.update(table, old, **{name: new})
            for other, column, key in self._referring(table, old):
                self.update(other, key, **{column: new})
            self.commit()
        self.insert(table, self._row(table) | {name: old[0]})
        self.commit()

    def _let_a_key_come_back(self) -> None:
        """Delete a row, with what refers to it, and insert another one with its key."""
        table = next(iter(self.tables))
        key = list(self.rows[table])[-1]
        self._delete(table, key)
        self.commit()
        self.insert(table, self._row(table) | dict(zip(self.tables[table][0], key, strict=True)))
        self.commit()

    def _delete(self, table: str, key: Key) -> None:
        for other, _, referring in self._referring(table, key):
            if referring in self.rows[other]:
                self._delete(other, referring)
        self.delete(table, key)

    def _referring(self, table: str, key: Key) -> Sequence[tuple[str, str, Key]]:
        """Return table, column and key of the rows that refer to a key."""
        return [
            (other, name, own)
            for other, (_, columns) in self.tables.items()
            for name, (_, values) in columns.items()
            if values == Of(table)
            for own, row in self.rows[other].items()
            if row[name] == key[0]
        ]

    def _row(self, table: str) -> dict[str, Any]:
        self._counts[table] += 1
        return {name: self._value(table, name) for name in self.columns[table]}

    def _value(self, table: str, name: str) -> Any:
        """Return a value of a column; a third of those that may be are null."""
        _, optional = self.columns[table][name]
        if optional and self.rng.random() < 0.3:
            return None
        _, columns = self.tables[table]
        _, values = columns.get(name, (None, self.added[3]))
        return values(self, self._counts[table]) if callable(values) else self.rng.choice(values)
