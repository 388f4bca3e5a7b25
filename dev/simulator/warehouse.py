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
from dev.simulator import shop_types as sql
from dev.simulator.broker import Broker, Said
from dev.simulator.connector import Emission, compact
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.sqlserver import SqlServer, lsn_text
from dev.simulator.table import Row, Table
from reference import KafkaRecord

PREFIX = "depot"
DATABASE = "depot"
WIDE = "wide"
WIDE_COLUMNS = 1000

# A type and the plain texts of the values of its columns; rows take them in turn.
TYPES: tuple[tuple[sql.SqlType, tuple[Any, ...]], ...] = (
    (sql.nvarchar(40), ("plain", 'it\'s "so" \\ here', "zwei\nZeilen", "漢字 🙂", None)),
    (sql.INT, (0, -1, 2147483647, None)),
    (sql.decimal(12, 2), ("0.00", "-0.01", "9999999999.99", None)),
    (sql.DATETIME2_7, ("2026-03-02T08:00:00.1234567", "1969-12-31T23:59:59.0000001", None)),
    (sql.BIT, (True, False, None)),
    (sql.DATETIMEOFFSET, ("2026-03-02T08:00:00.1234567+05:45", None)),
    (sql.DATE, ("0001-01-01", "2000-02-29", None)),
    (sql.FLOAT, (0.1, -2.25, None)),
    (sql.MONEY, ("922337203685477.5807", "-0.0001", None)),
    (sql.BIGINT, (9007199254740993, None)),
    (sql.varbinary(16), ("00ff", "", None)),
    (sql.UNIQUEIDENTIFIER, ("6F9619FF-8B86-D011-B42D-00C04FC964FF", None)),
    (sql.TIME_0, ("00:00:00", "23:59:59", None)),
    (sql.DATETIME2_3, ("2026-03-02T08:00:00.123", None)),
    (sql.SMALLINT, (-32768, None)),
    (sql.TINYINT, (255, None)),
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
    """One table: its columns, its key, and how it sends."""

    schema: str
    name: str
    columns: dict[str, tuple[sql.SqlType, bool, tuple[Any, ...]]]
    key: tuple[str, ...]
    with_schema: bool
    altered: bool = False
    rows: dict[int, Row] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """The name as configuration writes it."""
        return f"{self.schema}.{self.name}"


@dataclass
class Warehouse:
    """The database and the topics of its connector."""

    tables: int = 100
    records: list[KafkaRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Plan the tables, then let the connector read and follow them."""
        self.rng = random.Random(1)
        self.plans = _plans(self.tables)
        self._lsn = 0x2B_000004F0_0003
        self._now_ms = 1_772_438_400_000
        self._brokers: dict[str, Broker] = {}
        self._connectors: dict[str, SqlServer] = {}
        for plan in self.plans:
            self._define(plan, "CREATE", snapshot=True)
        for plan in self.plans:
            if plan.name != SILENT:
                self._read(plan)
        for plan in self.plans:
            if plan.altered:
                plan.columns["added later"] = (sql.INT, True, (7,))
                for row in plan.rows.values():
                    row["added later"] = None
                self._define(plan, "ALTER", snapshot=False)
            if plan.name != SILENT:
                self._change(plan)

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
        return next(one for one in self.plans if one.full_name == name)

    def _read(self, plan: Plan) -> None:
        lsn = self._lsn
        for number in (1, 2, 3):
            plan.rows[number] = row = _row(plan, number)
            encoded = _encode(plan, row)
            position = self._connector(plan).read_source("true", lsn, lsn)
            self._send(plan, Emission("r", encoded, None, encoded), position, "true")

    def _change(self, plan: Plan) -> None:
        """Update the first row, delete the second, insert a fourth one."""
        changes: list[tuple[str, Row | None, Row | None]] = []
        first = plan.rows[1]
        changed = {**first, **_row(plan, 1, shift=1)}
        plan.rows[1] = changed
        changes.append(("update", first, changed))
        changes.append(("delete", plan.rows.pop(2), None))
        plan.rows[4] = _row(plan, 4)
        changes.append(("insert", None, plan.rows[4]))
        connector = self._connector(plan)
        for kind, old, new in changes:
            images = [None if row is None else _encode(plan, row) for row in (old, new)]
            change = Change(kind, self._next_lsn(), *images)
            change.commit_lsn = self._next_lsn()
            for emission in connector.emissions(change):
                self._send(
                    plan, emission, connector.change_source(change, emission, False), "false"
                )

    def _next_lsn(self) -> int:
        self._lsn += 2
        return self._lsn

    def _connector(self, plan: Plan) -> SqlServer:
        return self._connectors[plan.full_name]

    def _define(self, plan: Plan, kind: str, *, snapshot: bool) -> None:
        columns = tuple(
            one.column(name, optional) for name, (one, optional, _) in plan.columns.items()
        )
        table = Table(plan.name, columns, plan.key, DATABASE, plan.schema, full=True)
        features = Features(headers="links")
        connector = SqlServer(table, _topic(plan), features, self.rng)
        connector.version = "3.2.0.Final"
        self._connectors[plan.full_name] = connector
        lsn = self._next_lsn()
        position = {
            "change_lsn": None if snapshot else lsn_text(lsn - 1),
            "commit_lsn": lsn_text(lsn),
            "event_serial_no": None if snapshot else 1,
        }
        envelope = connector.value(
            Emission("r", None, None, None),
            position,
            "true" if snapshot else "false",
            self._now_ms,
            None,
        )
        described = [
            schema_topic.column(name, place, one.name, one.jdbc, one.length, one.scale, optional)
            for place, (name, (one, optional, _)) in enumerate(plan.columns.items(), start=1)
        ]
        change = schema_topic.table_change(
            kind, DATABASE, plan.name, list(plan.key), described, plan.schema
        )
        payload = {
            "source": envelope["source"],
            "ts_ms": envelope["ts_ms"],
            "databaseName": DATABASE,
            "schemaName": plan.schema,
            "ddl": None if snapshot else "N/A",
            "tableChanges": [change],
        }
        key: dict[str, Any] = {"databaseName": DATABASE}
        # no converter mixes them; a team that changed its settings in between has both
        if plan.with_schema:
            key = {"schema": schema_topic.key_schema("sqlserver"), "payload": key}
            schema = schema_topic.value_schema(connector.source_schema(), "sqlserver")
            payload = {"schema": schema, "payload": payload}
        self._append(PREFIX, compact(key), compact(payload), partitions=1)

    def _send(self, plan: Plan, emission: Emission, position: dict[str, Any], marker: str) -> None:
        connector = self._connector(plan)
        assert emission.key_row is not None
        key = connector.key_text(connector.table.key_of(emission.key_row), plan.with_schema)
        value = connector.value(emission, position, marker, self._now_ms, None)
        self._append(_topic(plan), key, connector.value_text(value, plan.with_schema))
        if emission.tombstone and key is not None:
            self._append(_topic(plan), key, None)

    def _append(self, topic: str, key: str | None, value: str | None, partitions: int = 2) -> None:
        if topic not in self._brokers:
            self._brokers[topic] = Broker(topic, partitions, self.rng, gaps=False)
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
    columns: dict[str, tuple[sql.SqlType, bool, tuple[Any, ...]]] = {
        "id": (sql.INT_IDENTITY, not key, ())
    }
    for place, one in enumerate(names):
        kind, values = TYPES[place % len(TYPES)]
        columns[one] = (kind, one not in key, values)
    return Plan(schema, name, columns, key, with_schema=False)


def _row(plan: Plan, number: int, shift: int = 0) -> Row:
    row: Row = {}
    for name, (_, optional, values) in plan.columns.items():
        usable = values if optional else tuple(one for one in values if one is not None)
        row[name] = usable[(number + shift) % len(usable)] if values else number
    return row | ({"sku": f"sku {number}"} if "sku" in plan.key else {})


def _encode(plan: Plan, row: Row) -> Row:
    return {
        name: None if row[name] is None else plan.columns[name][0].encode(row[name]) for name in row
    }


def _topic(plan: Plan) -> str:
    """Return the topic; Debezium replaces what Kafka does not allow in its name."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", f"{PREFIX}.{DATABASE}.{plan.schema}.{plan.name}")
