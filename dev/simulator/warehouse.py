"""A large SQL Server source: many tables, hard names, a very wide table, few rows.

Its schema-change topic defines every table, some are altered later, one is not read at all. Half of
the tables send records with embedded schemas and half without.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from dev.simulator import schema_topic
from dev.simulator.broker import Broker, Said
from dev.simulator.columns import DECIMAL, TIME, Column, base64_decimal, base64_of
from dev.simulator.connector import Emission, compact
from dev.simulator.database import Change, settle
from dev.simulator.features import Features
from dev.simulator.sqlserver import SqlServer, lsn_text
from dev.simulator.table import Row, Table
from reference import KafkaRecord

PREFIX = "depot"
DATABASE = "depot"
WIDE = "wide"
WIDE_COLUMNS = 1000


@dataclass(frozen=True)
class Type:
    """A type: its JDBC code and sizes, its Connect form, and values that rows take in turn.

    Values are as Debezium writes them; without any, they are the numbers of the rows.
    """

    name: str
    jdbc: int
    length: int
    scale: int | None
    connect: str
    semantic: str | None = None
    values: tuple[Any, ...] = ()

    def column(self, name: str, optional: bool) -> Column:
        """Return a column of this type."""
        sizes = {"scale": str(self.scale), "connect.decimal.precision": str(self.length)}
        parameters = sizes if self.semantic == DECIMAL else {}
        return Column(
            name, self.connect, lambda rng: None, self.semantic, parameters, optional=optional
        )


ID = Type("int identity", 4, 10, 0, "int32")
TYPES = (
    Type("nvarchar", -9, 40, None, "string", None,
         ("plain", 'it\'s "so" \\ here', "zwei\nZeilen", "漢字 🙂", None)),
    Type("int", 4, 10, 0, "int32", None, (0, -1, 2147483647, None)),
    Type("decimal", 3, 12, 2, "bytes", DECIMAL,
         (base64_decimal(0), base64_decimal(-1), base64_decimal(999999999999), None)),
    Type("datetime2", 93, 27, 7, "int64", TIME + "NanoTimestamp",
         (1772438400123456700, -999999900, None)),
    Type("bit", -7, 1, 0, "boolean", None, (True, False, None)),
    Type("datetimeoffset", -155, 34, 7, "string", TIME + "ZonedTimestamp",
         ("2026-03-02T08:00:00.1234567+05:45", None)),
    Type("date", 91, 10, 0, "int32", TIME + "Date", (-719162, 11016, None)),
    Type("float", 8, 53, None, "double", None, (0.1, -2.25, None)),
    Type("money", 3, 19, 4, "bytes", DECIMAL,
         (base64_decimal(2**63 - 1), base64_decimal(-1), None)),
    Type("bigint", -5, 19, 0, "int64", None, (9007199254740993, None)),
    Type("varbinary", -3, 16, None, "bytes", None, (base64_of(b"\x00\xff"), "", None)),
    Type("uniqueidentifier", 1, 36, None, "string", None,
         ("6F9619FF-8B86-D011-B42D-00C04FC964FF", None)),
    Type("time", 92, 8, 0, "int32", TIME + "Time", (0, 86399000, None)),
    Type("datetime2", 93, 23, 3, "int64", TIME + "Timestamp", (1772438400123, None)),
    Type("smallint", 5, 5, 0, "int16", None, (-32768, None)),
    Type("tinyint", -6, 3, 0, "int16", None, (255, None)),
)  # fmt: skip
ADDED = "added later"
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
    """One table: its columns, its key, its rows by number, and how it sends."""

    schema: str
    name: str
    columns: dict[str, Type]
    key: tuple[str, ...]
    with_schema: bool = False
    altered: bool = False
    rows: dict[int, Row] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """The name as configuration writes it."""
        return f"{self.schema}.{self.name}"

    @property
    def topic(self) -> str:
        """The topic; Debezium replaces what Kafka does not allow in its name."""
        return re.sub(r"[^A-Za-z0-9._-]", "_", f"{PREFIX}.{DATABASE}.{self.full_name}")

    def is_optional(self, name: str) -> bool:
        """Tell whether a column may be null."""
        return name not in self.key

    def row(self, number: int, shift: int = 0) -> Row:
        """Return the row of a number; `shift` changes its values."""
        row: Row = {}
        for name, kind in self.columns.items():
            values = [one for one in kind.values if one is not None or self.is_optional(name)]
            row[name] = values[(number + shift) % len(values)] if values else number
        return row | ({"sku": f"sku {number}"} if "sku" in self.key else {})

    def table(self) -> Table:
        """Return the table as its connector sees it."""
        columns = (kind.column(name, self.is_optional(name)) for name, kind in self.columns.items())
        return Table(self.name, tuple(columns), self.key, DATABASE, self.schema, full=True)


class Warehouse:
    """The database and the topics of its connector."""

    def __init__(self, tables: int = 100) -> None:
        """Plan the tables, then let the connector read and follow them."""
        self.plans = _plans(tables)
        self.records: list[KafkaRecord] = []
        self._rng = random.Random(1)
        self._brokers: dict[str, Broker] = {}
        self._lsn = 0x2B_000004F0_0003
        self._now_ms = 1_772_438_400_000
        self._connectors = {plan.full_name: self._connector(plan) for plan in self.plans}
        filled = [plan for plan in self.plans if plan.name != SILENT]
        for plan in filled:
            plan.rows = {number: plan.row(number) for number in (1, 2, 3)}
        self._read(filled)
        for number, plan in enumerate(self.plans):
            if plan.altered:
                self._add_column(plan)
            if plan in filled:
                self._change(plan, number)

    def table_options(self) -> dict[str, Any]:
        """Return what configuration says of the tables."""
        return {f"dbo.{name}": {"model": model} for name, model in MODELS.items()}

    def row_counts(self) -> dict[str, int]:
        """Return how many rows each table holds, by its name in configuration."""
        return {plan.full_name: len(plan.rows) for plan in self.plans}

    def plan(self, name: str) -> Plan:
        """Return a table by its name in configuration."""
        return next(plan for plan in self.plans if plan.full_name == name)

    def _connector(self, plan: Plan) -> SqlServer:
        connector = SqlServer(plan.table(), plan.topic, Features(headers="links"), self._rng)
        connector.version = "3.2.0.Final"
        return connector

    def _advance(self) -> int:
        self._lsn += 2
        return self._lsn

    def _read(self, filled: list[Plan]) -> None:
        """Read all definitions, then all rows."""
        lsn = self._advance()
        for plan in self.plans:
            self._define(plan, "CREATE", lsn, snapshot=True)
        reads = [(plan, row) for plan in filled for row in plan.rows.values()]
        for number, (plan, row) in enumerate(reads, start=1):
            marker = "last" if number == len(reads) else "first" if number == 1 else "true"
            position = self._connectors[plan.full_name].read_source(marker, lsn, lsn)
            self._send(plan, Emission("r", row, None, row), position, marker)

    def _add_column(self, plan: Plan) -> None:
        """Add a column, of which the connector hears."""
        plan.columns[ADDED] = Type("int", 4, 10, 0, "int32", None, (7,))
        for row in plan.rows.values():
            row[ADDED] = None
        self._connectors[plan.full_name] = self._connector(plan)
        self._define(plan, "ALTER", self._advance())

    def _change(self, plan: Plan, transaction: int) -> None:
        """Update the first row, delete the second, insert a fourth one."""
        updated, inserted = plan.rows[1] | plan.row(1, shift=1), plan.row(4)
        changes = [
            Change("update", self._advance(), plan.rows[1], updated),
            Change("delete", self._advance(), plan.rows.pop(2), None),
            Change("insert", self._advance(), None, inserted),
        ]
        plan.rows |= {1: updated, 4: inserted}
        settle(changes, transaction, self._advance(), None)
        connector = self._connectors[plan.full_name]
        for change in changes:
            for emission in connector.emissions(change):
                self._send(plan, emission, connector.change_source(change, emission, False))

    def _send(
        self, plan: Plan, emission: Emission, position: dict[str, Any], marker: str = "false"
    ) -> None:
        connector = self._connectors[plan.full_name]
        key_row = emission.key_row and connector.table.key_of(emission.key_row)
        key = connector.key_text(key_row, plan.with_schema)
        value = connector.value(emission, position, marker, self._now_ms, None)
        self._append(plan.topic, key, connector.value_text(value, plan.with_schema))
        if emission.tombstone and key is not None:
            self._append(plan.topic, key, None)

    def _define(self, plan: Plan, kind: str, lsn: int, snapshot: bool = False) -> None:
        """Send the definition of a table."""
        connector = self._connectors[plan.full_name]
        position = {
            "change_lsn": None if snapshot else lsn_text(lsn - 1),
            "commit_lsn": lsn_text(lsn),
            "event_serial_no": None if snapshot else 1,
        }
        marker = "true" if snapshot else "false"
        read = connector.value(
            Emission("r", None, None, None), position, marker, self._now_ms, None
        )
        columns = [
            schema_topic.column(n, name, t.name, t.jdbc, t.length, t.scale, plan.is_optional(name))
            for n, (name, t) in enumerate(plan.columns.items(), start=1)
        ]
        names = (DATABASE, plan.schema, plan.name)
        key: dict[str, Any] = {"databaseName": DATABASE}
        value = {
            "source": read["source"],
            "ts_ms": read["ts_ms"],
            "databaseName": DATABASE,
            "schemaName": plan.schema,
            "ddl": None if snapshot else "N/A",
            "tableChanges": [schema_topic.table_change(kind, names, list(plan.key), columns)],
        }
        # no converter mixes them; a team that changed its settings in between has both
        if plan.with_schema:
            key = {"schema": schema_topic.key_schema(connector.name), "payload": key}
            schema = schema_topic.value_schema(connector.source_schema(), connector.name)
            value = {"schema": schema, "payload": value}
        self._append(PREFIX, compact(key), compact(value), partitions=1)

    def _append(self, topic: str, key: str | None, value: str | None, partitions: int = 2) -> None:
        if topic not in self._brokers:
            self._brokers[topic] = Broker(topic, partitions, self._rng, gaps=False)
        broker = self._brokers[topic]
        self._now_ms += 3
        broker.now_ms = self._now_ms
        broker.append(key, value, [], Said("nothing"))
        self._now_ms = broker.now_ms
        self.records.append(broker.records[-1])


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
    kinds = {one: TYPES[place % len(TYPES)] for place, one in enumerate(names)}
    return Plan(schema, name, {"id": ID, **kinds}, key)
