"""The relational demos: a shop, invoices, a stock of goods and a web site.

Each is a database with its types, keys and references, and a connector that follows it.
"""

from __future__ import annotations

from typing import Any

from dev.simulator import demo_story as story
from dev.simulator import sql_types
from dev.simulator.connector import Connector, Emission
from dev.simulator.demo_source import DemoSource
from dev.simulator.demo_story import Of
from dev.simulator.mariadb import MariaDb
from dev.simulator.mysql import MySql
from dev.simulator.oracle import GRAIN, Oracle
from dev.simulator.sqlserver import SqlServer, lsn_text
from dev.simulator.table import Table

NAMES = (
    "Ada Lovelace", "Željko Ćosić", "李小龍", 'O\'Brien "Bo" \\ Sons', "Zoë\tMüller", "نجيب محفوظ",
)  # fmt: skip
TITLES = ("Kettle", "Teapot, 1½ l", "Mug “M8”", "Nut, ½ in", "Tray\tlarge", "Honey")
TEXTS = ("", "a\nb", 'it\'s "so" \\ here', "漢字 🙂", "<p>½</p>", '{"dark": true}')
DAYS = ("1969-12-31", "1985-02-28", "2000-02-29")


class SqlServerSource(DemoSource):
    """A database whose connector reads change tables, and their definitions."""

    schema = "dbo"
    family = sql_types.SQL_SERVER
    first_lsn = 0x2B_000004F0_0003
    steps = (1, 2, 5, 0x10008)

    def _make(self, table: Table, topic: str) -> Connector:
        connector = SqlServer(table, topic, self.features, self.rng)
        connector.version = "3.2.0.Final"
        return connector

    def _topic(self, table: str) -> str:
        return f"{self.prefix}.{self.database}.dbo.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        position = {
            "change_lsn": None if snapshot else lsn_text(commit_lsn - 1),
            "commit_lsn": lsn_text(commit_lsn),
            "event_serial_no": None if snapshot else 1,
        }
        return position, None if snapshot else "N/A"


class Shop(SqlServerSource, story.Demo):
    """SQL Server: a small shop, whose tables refer to each other."""

    prefix = "store"
    database = "shop"
    tables = {
        "customers": (
            ("id",),
            {
                "id": ("int identity not null", story.number()),
                "name": ("nvarchar(80) not null", NAMES),
                "email": ("nvarchar(120)", story.text("c{}@example.org")),
                "born_on": ("date", DAYS),
                "credit": ("money not null", ("0.0000", "-0.0001", "922337203685477.5807")),
                "is_active": ("bit not null", (True, False)),
                "token": (
                    "uniqueidentifier not null",
                    story.text("6F9619FF-8B86-4011-B42D-{:012X}"),
                ),
                "registered_at": (
                    "datetimeoffset not null",
                    story.moment(7, "+11:00", "-03:30", "+00:00", "+05:45"),
                ),
            },
        ),
        "products": (
            ("sku",),
            {
                "sku": ("nvarchar(20) not null", story.text("SKU-{:03d}/b")),
                "title": ("nvarchar(100) not null", TITLES),
                "price": ("decimal(10,2) not null", story.amount(7, 2)),
                "weight_kg": ("float", (0.1, 1.25, 3.0)),
                "stock": ("smallint not null", (-32768, 0, 5, 300)),
                "digest": ("varbinary(16)", story.raw(8)),
                "changed_at": ("datetime2(7) not null", story.moment(7)),
            },
        ),
        "orders": (
            ("id",),
            {
                # past what a double can hold
                "id": ("bigint not null", story.number(9_007_199_254_740_991)),
                "customer_id": ("int not null", Of("customers")),
                "status": ("nvarchar(12) not null", ("new", "paid", "delivered")),
                "placed_at": ("datetime2(3) not null", story.moment(3)),
                "deliver_at": ("time(0)", ("00:00:00", "17:30:59")),
                "total": ("money not null", story.amount(9, 4)),
            },
        ),
        "order_lines": (
            ("order_id", "line_no"),
            {
                "order_id": ("bigint not null", Of("orders")),
                "line_no": ("tinyint not null", story.number()),
                "sku": ("nvarchar(20) not null", Of("products")),
                "quantity": ("int not null", (1, 2, 3)),
                "unit_price": ("decimal(10,2) not null", story.amount(7, 2)),
                "discount": ("decimal(5,4)", ("0.0500", "0.1250")),
            },
        ),
    }
    renamed = "products"
    added = ("customers", "loyalty", "smallint", (100, -5))
    read_again = "products"


class Billing(story.Demo):
    """Oracle: invoices with LOBs, which changes of other columns do not write."""

    prefix = "billing"
    database = "ORCLPDB1"
    schema = "BILLING"
    family = sql_types.ORACLE
    tables = {
        "CUSTOMERS": (
            ("ID",),
            {
                "ID": ("NUMBER(9) not null", story.number()),
                "NAME": ("VARCHAR2(80) not null", NAMES),
                "EMAIL": ("VARCHAR2(120)", story.text("customer{}@example.org")),
                "CREDIT": ("NUMBER(12,2) not null", story.amount(6, 2, least=-99999)),
                "REGISTERED": ("DATE not null", story.moment(0)),
                "SEEN_AT": ("TIMESTAMP(6) WITH TIME ZONE", story.moment(6, "+11:00", "-03:30")),
            },
        ),
        "INVOICES": (
            ("NO",),
            {
                "NO": ("NUMBER(18) not null", story.number(999_999_999_999_991)),
                "CUSTOMER_ID": ("NUMBER(9) not null", Of("CUSTOMERS")),
                "STATUS": ("VARCHAR2(12) not null", ("open", "paid")),
                "ISSUED_AT": ("TIMESTAMP(6) not null", story.moment(6)),
                "TOTAL": ("NUMBER not null", story.amount(7, 0, 2, 5)),
                "TERMS": ("CLOB", story.text("Payable in {0} days. " * 20)),
                "SCAN": ("BLOB", story.raw(150)),
            },
        ),
        "RATES": (
            ("CURRENCY", "YEAR"),
            {
                "CURRENCY": ("CHAR(3) not null", ("EUR", "NOK", "JPY")),
                "YEAR": ("NUMBER(4) not null", story.number(2025)),
                "RATE": ("NUMBER(18,9) not null", story.amount(12, 9)),
                "NOTED": ("TIMESTAMP(9) not null", story.moment(9)),
            },
        ),
    }
    first_lsn = 999_940 * GRAIN
    steps = (1, 2, 5, 40)
    renamed = "INVOICES"
    added = ("CUSTOMERS", "LEVEL", "NUMBER(2)", (1, 99))
    emptied = "RATES"
    read_again = unseen = "CUSTOMERS"

    def _next_commit(self) -> int:
        self._lsn = -(-self._next_lsn() // GRAIN) * GRAIN
        return self._lsn

    def _make(self, table: Table, topic: str) -> Connector:
        connector = Oracle(table, topic, self.features, self.rng)
        connector.version = "2.1.4.Final"
        connector.threads = 1
        return connector

    def _topic(self, table: str) -> str:
        return f"{self.prefix}.BILLING.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        marker = "true" if snapshot else "incremental"
        position = self._connectors[table].read_source(marker, commit_lsn, commit_lsn)
        listed = [f'"{name}" {one.name}' for name, (one, _) in self.columns[table].items()]
        if kind == "ALTER":
            return position, f"ALTER TABLE BILLING.{table} ADD {listed[-1]}"
        return position, f'CREATE TABLE "BILLING"."{table}" ({", ".join(listed)})'


class BinlogDemo(story.Demo):
    """A database whose connector follows a binlog."""

    schema = ""
    family = sql_types.BINLOG
    steps = (1, 2, 5)
    # the end of the 999,999th file lies ahead
    first_lsn = 64_000_000 - 150
    connector: type[MySql | MariaDb]

    def snapshot(self) -> None:
        """Begin with the statements that a replica would need."""
        lsn = self._next_commit()
        variable = "SET character_set_server=utf8mb4, collation_server=utf8mb4_general_ci"
        self._send_statement("", None, variable, [], lsn)
        for table in self.tables:
            ddl = f"DROP TABLE IF EXISTS `{self.database}`.`{table}`"
            gone = {"type": "DROP", "id": f'"{self.database}"."{table}"', "table": None}
            self._send_statement(self.database, table, ddl, [gone], lsn)
        for ddl in ("DROP DATABASE IF EXISTS", "CREATE DATABASE", "USE"):
            self._send_statement(self.database, None, f"{ddl} `{self.database}`", [], lsn)
        super().snapshot()

    def _make(self, table: Table, topic: str) -> Connector:
        connector = self.connector(table, topic, self.features, self.rng)
        connector.version = self.connector.versions[-1]
        if isinstance(connector, MySql):
            connector.has_gtids = True
        return connector

    def _topic(self, table: str) -> str:
        return f"{self.prefix}.{self.database}.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        marker = "true" if snapshot else "incremental"
        position = self._connectors[table].read_source(marker, commit_lsn, commit_lsn)
        listed = [f"`{name}` {one.name}" for name, (one, _) in self.columns[table].items()]
        if kind == "ALTER":
            return position, f"ALTER TABLE `{table}` ADD {listed[-1]}"
        return position, f"CREATE TABLE `{table}` ({', '.join(listed)})"

    def _send_statement(
        self, database: str, table: str | None, ddl: str, changes: list[dict[str, Any]], lsn: int
    ) -> None:
        """Send a statement of the snapshot that defines no table."""
        connector = next(iter(self._connectors.values()))
        position = connector.read_source("true", lsn, lsn)
        envelope = connector.value(
            Emission("r", None, None, None), position, "true", self._now_ms, None
        )
        envelope["source"] |= {"db": database, "table": table}
        self._send_schema_change(connector, database, envelope, ddl, changes)


class Inventory(BinlogDemo):
    """MySQL: a stock of goods, with unsigned numbers, sets, bits and long times."""

    prefix = database = "inventory"
    connector = MySql
    tables = {
        "suppliers": (
            ("id",),
            {
                "id": ("INT UNSIGNED not null", story.number(4_294_967_200)),
                "name": ("VARCHAR(80) not null", NAMES),
                "rating": (
                    "ENUM('new','known','first choice') not null",
                    ("new", "known", "first choice"),
                ),
                "regions": ("SET('north','east','south') not null", ("", "north", "north,south")),
                "turnover": ("DECIMAL(14,2)", ("-0.01", "999999999999.99")),
                "since": ("YEAR", (1901, 2026)),
                "contact": ("JSON", ('{"mail":"s@example.org","hours":[8,17.5]}', "[]")),
                "changed_at": ("TIMESTAMP not null", story.moment(0, "Z")),
            },
        ),
        "goods": (
            ("code",),
            {
                "code": ("VARCHAR(20) not null", story.text("G-{:04d}/b")),
                "supplier_id": ("INT UNSIGNED not null", Of("suppliers")),
                "title": ("VARCHAR(100) not null", TITLES),
                "serial_no": ("BIGINT UNSIGNED not null", (7, 2**63 - 1, 2**63, 2**64 - 1)),
                "price": ("DECIMAL(10,2) not null", story.amount(7, 2)),
                "marks": ("BIT(9) not null", ("100000001", "000000000", "011111111")),
                "lead_time": ("TIME", ("00:00:00", "-838:59:59", "25:00:01", "838:59:59")),
                "digest": ("VARBINARY(16)", story.raw(8)),
                "listed_on": ("DATE", DAYS),
            },
        ),
        "movements": (
            ("code", "no"),
            {
                "code": ("VARCHAR(20) not null", Of("goods")),
                "no": ("SMALLINT not null", story.number()),
                "quantity": ("INT not null", (-50, -1, 3, 50)),
                "moved_at": ("DATETIME(6) not null", story.moment(6)),
                "counted_at": ("DATETIME(3)", story.moment(3)),
                "by_machine": ("TINYINT(1) not null", (0, 1)),
            },
        ),
    }
    renamed = "goods"
    added = ("suppliers", "phone", "VARCHAR(30)", ("+47 22 33 44 55",))
    emptied = "movements"
    read_again = "goods"


class Web(BinlogDemo):
    """MariaDB: a web site, whose accounts change their key and come back."""

    prefix = database = "web"
    connector = MariaDb
    tables = {
        "accounts": (
            ("login",),
            {
                "login": ("VARCHAR(40) not null", story.text("user{}")),
                "id": ("BIGINT UNSIGNED not null", story.number(2**64 - 1, step=-1)),
                "role": ("ENUM('reader','author') not null", ("reader", "author")),
                "is_active": ("TINYINT(1) not null", (0, 1)),
                "settings": ("TEXT", TEXTS),
                "seen_at": ("TIMESTAMP", story.moment(0, "Z")),
            },
        ),
        "pages": (
            ("path", "lang"),
            {
                "path": ("VARCHAR(100) not null", story.text("/p/{}")),
                "lang": ("VARCHAR(5) not null", ("en", "zh-TW")),
                "author": ("VARCHAR(40)", Of("accounts")),
                "title": ("VARCHAR(200) not null", TEXTS),
                "weight": ("DOUBLE", (0.1, -2.5e-10)),
                "fee": ("DECIMAL(12,4) not null", story.amount(6, 4, least=-(10**6))),
                "published_at": ("DATETIME(6)", story.moment(6)),
                "read_for": ("TIME", ("00:00:07", "-00:00:01", "99:59:59")),
            },
        ),
        "drafts": (
            ("no",),
            {
                "no": ("INT not null", story.number()),
                "body": ("TEXT", TEXTS),
                "due_on": ("DATE", DAYS),
            },
        ),
    }
    renamed = "accounts"
    added = ("pages", "keywords", "VARCHAR(60)", ("new",))
    emptied = "drafts"
    read_again = "accounts"
