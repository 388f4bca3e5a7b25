"""A large SQL Server source: many tables, hard names, a very wide table, few rows.

Its schema-change topic defines every table, some are altered later, one is not read at all. Half of
the tables send records with embedded schemas and half without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from dev.simulator.demos import SqlServerSource
from dev.simulator.table import Row

PREFIX = "depot"
DATABASE = "depot"
WIDE = "wide"
WIDE_COLUMNS = 1000

# A type and the plain texts of the values of its columns; rows take them in turn.
TYPES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("nvarchar(40)", ("plain", 'it\'s "so" \\ here', "zwei\nZeilen", "漢字 🙂", None)),
    ("int", (0, -1, 2147483647, None)),
    ("decimal(12,2)", ("0.00", "-0.01", "9999999999.99", None)),
    ("datetime2(7)", ("2026-03-02T08:00:00.1234567", "1969-12-31T23:59:59.0000001", None)),
    ("bit", (True, False, None)),
    ("datetimeoffset", ("2026-03-02T08:00:00.1234567+05:45", None)),
    ("date", ("0001-01-01", "2000-02-29", None)),
    ("float", (0.1, -2.25, None)),
    ("money", ("922337203685477.5807", "-0.0001", None)),
    ("bigint", (9007199254740993, None)),
    ("varbinary(16)", ("00ff", "", None)),
    ("uniqueidentifier", ("6F9619FF-8B86-D011-B42D-00C04FC964FF", None)),
    ("time(0)", ("00:00:00", "23:59:59", None)),
    ("datetime2(3)", ("2026-03-02T08:00:00.123", None)),
    ("smallint", (-32768, None)),
    ("tinyint", (255, None)),
)
# Words of SQL, Spark's and Jinja's, and everything that has to be quoted somewhere.
WORDS = (
    "select", "from", "null", "true", "order", "current_date", "timestamp", "value", "key",
    "offset", "after", "op", "source", "payload", "schema", "date", "array", "struct", "no", "none",
    "Mixed Case", "UPPER", "größe", "ключ", "客户", "🙂", "it's", 'a"b', "a.b", "a,b", "a;b",
    "a/*b*/", "--", "a\\b", "{{ x }}", "{% x %}", "{# x #}", "50%", "$", "@at", "#tag", "1st", "42",
    "~", "*", "(x)", "[x]", "<x>", "a=b", "a:b", "- a", "? a", "! a", "& a", "| a", "> a",
    "trailing ", " leading", "x" * 128,
)  # fmt: skip
# Every one a table of its own. Model names keep nothing of some, and two of them share a topic.
NAMES = (
    "Order Details", "order", "select", "Größe", "客户", "2nd half", "a`b", "v1.0 prices", "it's",
    'say "so"', "{{ x }}", "{% raw %}", "50%", "UPPER", "with-dash", "trailing ", "t" * 128,
    "Stock Levels", "Stock_Levels", "Invoice", "invoice", "staging", "_", "_cdc_log",
)  # fmt: skip
# (table, model): what only a person can decide
MODELS = {
    "客户": "customers_zh",
    "_": "underscore",
    "Stock_Levels": "stock_levels_2",
    "invoice": "invoice_2",
}
KEYLESS, COMPOSITE, SILENT = "events without key", "lines", "never_read"
BACKTICK = "backticks"
ALTERED = 5


@dataclass
class Plan:
    """One table: its columns, with the values they take, its key, and how it sends."""

    schema: str
    name: str
    columns: dict[str, tuple[str, tuple[Any, ...]]]
    key: tuple[str, ...]
    with_schema: bool = False
    altered: bool = False
    rows: dict[int, Row] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """The name as configuration writes it."""
        return f"{self.schema}.{self.name}"

    def row(self, number: int, shift: int = 0) -> Row:
        """Return the row of a number; `shift` changes its values."""
        row: Row = {}
        for name, (declaration, values) in self.columns.items():
            if declaration.endswith(" not null"):
                values = tuple(one for one in values if one is not None)
            row[name] = values[(number + shift) % len(values)] if values else number
        return row | ({"sku": f"sku {number}"} if "sku" in self.key else {})


class Warehouse(SqlServerSource):
    """The database and the topics of its connector."""

    prefix = PREFIX
    database = DATABASE
    steps = (2,)

    def __init__(self, tables: int = 100) -> None:
        """Plan the tables, then let the connector read and follow them."""
        self.plans = _plans(tables)
        self._by_name = {plan.full_name: plan for plan in self.plans}
        self.tables = {name: (plan.key, plan.columns) for name, plan in self._by_name.items()}
        super().__init__(seed=1)
        for plan in self.plans:
            if plan.name != SILENT:
                for number in (1, 2, 3):
                    self._insert(plan, number)
        self.commit()
        self.snapshot()
        for plan in self.plans:
            if plan.altered:
                self.add_column(plan.full_name, "added later", "int")
                for row in plan.rows.values():
                    row["added later"] = None
                plan.columns["added later"] = ("int", (7,))
            if plan.name != SILENT:
                self._change(plan)
        self.send()

    def options(self, path: str) -> dict[str, Any]:
        """Return the source's configuration."""
        return {
            "connector": "sqlserver",
            "topic_prefix": PREFIX,
            "input": {"type": "files", "path": path},
            "tables": {f"dbo.{name}": {"model": model} for name, model in MODELS.items()},
        }

    def row_counts(self) -> dict[str, int]:
        """Return how many rows each table holds, by its name in configuration."""
        return {plan.full_name: len(plan.rows) for plan in self.plans}

    def plan(self, name: str) -> Plan:
        """Return a table by its name in configuration."""
        return self._by_name[name]

    def _insert(self, plan: Plan, number: int) -> None:
        plan.rows[number] = plan.row(number)
        self.insert(plan.full_name, plan.rows[number])

    def _change(self, plan: Plan) -> None:
        """Update the first row, delete the second, insert a fourth one."""
        table = plan.full_name
        changed = plan.rows[1] | plan.row(1, shift=1)
        self.update(table, self._key(table, plan.rows[1]), **changed)
        plan.rows[1] = changed
        self.delete(table, self._key(table, plan.rows.pop(2)))
        self._insert(plan, 4)
        self.commit()

    def _key(self, table: str, row: Row) -> tuple[Any, ...]:
        # rows of a table without a key have an id, too
        return super()._key(table, row) or (row["id"],)

    def _place(self, table: str) -> tuple[str, str]:
        plan = self._by_name[table]
        return plan.schema, plan.name

    def _with_schema(self, table: str) -> bool:
        return self._by_name[table].with_schema

    def _topic(self, table: str) -> str:
        """Return the topic; Debezium replaces what Kafka does not allow in its name."""
        return re.sub(r"[^A-Za-z0-9._-]", "_", f"{PREFIX}.{DATABASE}.{table}")


def _plans(count: int) -> list[Plan]:
    """Return the hard tables, and ordinary ones up to `count`."""
    plans = [
        _plan("dbo", WIDE, [f"c{number:04}" for number in range(1, WIDE_COLUMNS)]),
        _plan("dbo", "words", list(WORDS)),
        _plan("dbo", BACKTICK, ["a`b", "`", "plain"]),
        _plan("dbo", COMPOSITE, ["sku", "count"], key=("id", "sku")),
        _plan("dbo", KEYLESS, ["what", "many"], key=()),
        _plan("dbo", SILENT, ["a", "b", "c"]),
        # one name in two schemas
        _plan("dbo", "customers", ["name", "age"]),
        _plan("archive", "customers", ["name", "age"]),
        *(_plan("dbo", name, ["name", "age", "price"]) for name in NAMES),
    ]
    for number in range(len(plans), count):
        width = 6 + number * 7 % 25
        plans.append(
            _plan("dbo", f"table_{number:03}", [f"column_{place:02}" for place in range(width)])
        )
    for number, plan in enumerate(plans):
        plan.with_schema = number % 2 == 0
    for plan in plans[-ALTERED:]:
        plan.altered = True
    return plans[:count]


def _plan(schema: str, name: str, names: list[str], key: tuple[str, ...] = ("id",)) -> Plan:
    columns: dict[str, tuple[str, tuple[Any, ...]]] = {
        "id": ("int identity not null" if key else "int identity", ())
    }
    for place, one in enumerate(names):
        declaration, values = TYPES[place % len(TYPES)]
        columns[one] = (f"{declaration} not null" if one in key else declaration, values)
    return Plan(schema, name, columns, key)
