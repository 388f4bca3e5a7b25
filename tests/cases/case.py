"""A case of the semantics: a log, how it lands, and what must come out. Said once.

    Case(
        "a truncate removes what lies below it, wherever it lies",
        Log().t(20, partition=1).c(1, 10, "a").c(2, 30, "b"),
        {2: "b"},
        covers=("trap 27",),
    )

Every implementation runs it: the reference (`test_reference.py`), the SQL in a lab (`test_sql.py`),
and where the log can be one of a collection the walk of documents (`test_documents.py`). Each lands
the log in several ways and compares the rows at the end, and those in between that the case tells.
A difference names the implementation, the case and the landing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from reference import Config, Epoch, KafkaRecord
from tests.cases.log import GONE, Log
from tests.cases.table import Table
from tests.cases.tables import plain_table

PARTS = 3

# Live rows by their key: one value of the column that is told, or several by name. Of a table
# without a key: how many rows have that value.
Rows = Mapping[Any, Any]
# Places in a log, in the order in which they land together; perhaps with the rows after it.
Batch = Sequence[int] | tuple[Sequence[int], Rows]

CASES: list[Case] = []


@dataclass(frozen=True)
class Landing:
    """Batches of a log, as places in it, and by batch the rows after it, where they are told."""

    name: str
    batches: tuple[tuple[int, ...], ...]
    after: Mapping[int, Rows] = field(default_factory=dict)


@dataclass(eq=False)
class Case:
    """A log on a table, and what every implementation makes of it.

    Attributes:
        name: the rule, as a sentence.
        log: a builder of `log.py`, or records.
        rows: the live rows at the end, whatever the landing.
        covers: traps and claims of the pages that it shows.
        table: where it is told; by default the plain table of the log's connector.
        column: the column that `rows` tell, or of a table without a key several.
        after: rows once the first so many records have landed.
        landings: further ways to land.
        replays: all, and the unexplained among them; None: not told.
        unknown: columns that no record tells, by key.
        epochs: entries by `offsets` of partitions, of its own topic unless they name one. Those
            by time, and incarnations, are options of the table.
        staged: some columns of staged records, by place; None: the record is not staged.
        keeps_topics: the topics of the records tell them apart.
        no_documents: why no collection has such a log, if its records do not show it.
    """

    name: str
    log: Log | Sequence[KafkaRecord]
    rows: Rows
    covers: tuple[str, ...] = ()
    table: Table | None = None
    column: str | tuple[str, ...] = "v"
    after: Mapping[int, Rows] = field(default_factory=dict)
    landings: Mapping[str, Sequence[Batch]] = field(default_factory=dict)
    replays: tuple[int, int] | None = None
    unknown: Mapping[Any, set[str]] = field(default_factory=dict)
    epochs: tuple[Mapping[str, Any], ...] = ()
    staged: Mapping[int, Mapping[str, Any] | None] = field(default_factory=dict)
    keeps_topics: bool = False
    no_documents: str = ""

    def __post_init__(self) -> None:
        """Enter it into the list of cases."""
        CASES.append(self)

    @property
    def records(self) -> list[KafkaRecord]:
        """The log as records."""
        return self.log.records if isinstance(self.log, Log) else list(self.log)

    @property
    def told_on(self) -> Table:
        """The table that it is told on."""
        if self.table is not None:
            return self.table
        assert isinstance(self.log, Log), f"{self.name}: records without a table"
        return plain_table(self.log.connector)

    def config(self) -> Config:
        """Return what the reference needs to know of the table."""
        table = self.told_on
        own = {"topic": self.records[0].topic}
        by_time = [one["from"] for one in table.options.get("epochs", ()) if "from" in one]
        return Config(
            table.connector,
            placeholder=table.options.get("unavailable_value_placeholder", GONE),
            epochs=(
                *(Epoch(from_ms=_milliseconds(start)) for start in by_time),
                *(Epoch(**own | entry) for entry in self.epochs),
            ),
            incarnations=tuple(map(_milliseconds, table.options.get("incarnations", ()))),
            complete_before=table.full or table.connector != "postgresql",
            close_unseen=bool(table.settings.get("close_unseen")),
            keyless=not table.key,
            key=tuple(table.key),
            columns={column["name"]: column for column in table.columns},
            binlog_transaction_compression=bool(
                table.options.get("binlog_transaction_compression")
            ),
        )

    def all_landings(self) -> Iterator[Landing]:
        """Yield the ways in which every implementation lands the log."""
        places = range(len(self.records))
        yield Landing("whole", (tuple(places),))
        size = -(-len(places) // PARTS)
        parts = tuple(tuple(places[start : start + size]) for start in places[::size])
        if len(parts) > 1:
            yield Landing("in parts", parts)
            yield Landing("in parts, the last first", parts[::-1])
        for end, rows in self.after.items():
            yield Landing(f"{end} first", (tuple(places[:end]), tuple(places[end:])), {0: rows})
        for name, batches in self.landings.items():
            after = {n: batch[1] for n, batch in enumerate(batches) if isinstance(batch, tuple)}
            told = [batch[0] if isinstance(batch, tuple) else batch for batch in batches]
            assert sorted(place for batch in told for place in batch) == [*places], self.name
            yield Landing(name, tuple(map(tuple, told)), after)

    def is_told(self, landing: Landing) -> bool:
        """Tell whether a way to land is the case's own."""
        return landing.name in self.landings or bool(landing.after)

    def is_quick(self, landing: Landing) -> bool:
        """Tell whether `make test` lands the log so in a lab, where each run costs seconds.

        Logs of a plain table of one connector land in every way, others of this connector as their
        case tells, and those of other connectors whole: `make test-all` lands all in every way.
        """
        table = self.told_on
        return landing.name == "whole" or (
            table.connector == "postgresql"
            and (self.is_told(landing) or table is plain_table("postgresql"))
        )

    def told(self, rows: Sequence[Mapping[str, Any]]) -> dict[Any, Any]:
        """Return rows that were found in the form in which the case tells them."""
        if not self.told_on.key:
            values = [
                row[self.column]
                if isinstance(self.column, str)
                else tuple(row[name] for name in self.column)
                for row in rows
            ]
            return {value: values.count(value) for value in values}
        (key,) = self.told_on.key
        keys = [row[key] for row in rows]
        assert len(set(keys)) == len(keys), f"two rows with one key: {rows}"
        told = [one for of in (self.rows, *self.after.values()) for one in of.values()]
        expected = {row[key]: self.rows.get(row[key], told[0] if told else None) for row in rows}
        return {
            row[key]: {name: row.get(name) for name in expected[row[key]]}
            if isinstance(expected[row[key]], dict)
            else row[self.column]
            for row in rows
        }


def _milliseconds(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1000)
