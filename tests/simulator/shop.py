"""The SQL Server demo: a small shop, from its first snapshot over a crash to a changed table.

Four tables of database `shop` with foreign keys, transactions across tables, a key change, deletes,
a column added by a new capture instance, redelivery after a crash, and an incremental snapshot.
"""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.reference import KafkaRecord
from tests.simulator import schema_topic
from tests.simulator import shop_types as sql
from tests.simulator.broker import Broker, Said
from tests.simulator.connector import Emission, compact
from tests.simulator.database import Change
from tests.simulator.features import Features
from tests.simulator.sqlserver import SqlServer, lsn_text
from tests.simulator.table import Row, Table

PREFIX = "store"
DATABASE = "shop"
START = datetime(2026, 3, 2, 8, 0, 0)

# name -> (key, {column: (type, nullable)})
SCHEMA: dict[str, tuple[tuple[str, ...], dict[str, tuple[sql.SqlType, bool]]]] = {
    "customers": (
        ("id",),
        {
            "id": (sql.INT_IDENTITY, False),
            "name": (sql.nvarchar(80), False),
            "email": (sql.nvarchar(120), True),
            "born_on": (sql.DATE, True),
            "credit": (sql.MONEY, False),
            "is_active": (sql.BIT, False),
            "token": (sql.UNIQUEIDENTIFIER, False),
            "registered_at": (sql.DATETIMEOFFSET, False),
        },
    ),
    "products": (
        ("sku",),
        {
            "sku": (sql.nvarchar(20), False),
            "title": (sql.nvarchar(100), False),
            "price": (sql.decimal(10, 2), False),
            "weight_kg": (sql.FLOAT, True),
            "stock": (sql.SMALLINT, False),
            "digest": (sql.varbinary(16), True),
            "changed_at": (sql.DATETIME2_7, False),
        },
    ),
    "orders": (
        ("id",),
        {
            "id": (sql.BIGINT, False),
            "customer_id": (sql.INT, False),
            "status": (sql.nvarchar(12), False),
            "placed_at": (sql.DATETIME2_3, False),
            "deliver_at": (sql.TIME_0, True),
            "total": (sql.MONEY, False),
        },
    ),
    "order_lines": (
        ("order_id", "line_no"),
        {
            "order_id": (sql.BIGINT, False),
            "line_no": (sql.TINYINT, False),
            "sku": (sql.nvarchar(20), False),
            "quantity": (sql.INT, False),
            "unit_price": (sql.decimal(10, 2), False),
            "discount": (sql.decimal(5, 4), True),
        },
    ),
}
NAMES = (
    "Ada Lovelace",
    "Željko Ćosić",
    "李小龍",
    'O\'Brien "Bo" \\ Sons',
    "Zoë Müller",
    "Grace Hopper",
    "Søren Kierkegaard",
    "نجيب محفوظ",
    "Emmy Noether",
    "Chinua Achebe",
)
PRODUCTS = ("Kettle", "Teapot, 1½ l", "Mug “blue”", "Spoon", "Tray\tlarge", "Tin", "Honey", "Sieve")


@dataclass
class _Piece:
    """A committed change of a table."""

    table: str
    change: Change


@dataclass
class Shop:
    """The shop's database, connector and topics."""

    seed: int
    records: list[KafkaRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Create empty tables and topics."""
        self.rng = random.Random(self.seed)
        self.rows: dict[str, dict[tuple[Any, ...], Row]] = {name: {} for name in SCHEMA}
        self.columns = {name: dict(columns) for name, (_, columns) in SCHEMA.items()}
        self.now = START
        self._lsn = 0x2B_000004F0_0003
        self._changes: list[tuple[str, Change]] = []
        self._pieces: list[_Piece] = []
        self._cursor = 0
        self._now_ms = 1_772_438_400_000
        self._brokers: dict[str, Broker] = {}
        self._connectors = {name: self._connector(name) for name in SCHEMA}
        self._run = 0

    # What the shop's users do.

    def insert(self, table: str, row: Row) -> None:
        """Insert a row."""
        self.rows[table][self._key(table, row)] = row
        self._log(table, "insert", None, row)

    def update(self, table: str, key: tuple[Any, ...], **changes: Any) -> None:
        """Update a row; a changed key moves it."""
        old = self.rows[table].pop(key)
        new = old | changes
        self.rows[table][self._key(table, new)] = new
        self._log(table, "update" if self._key(table, new) == key else "move", old, new)

    def delete(self, table: str, key: tuple[Any, ...]) -> None:
        """Delete a row."""
        self._log(table, "delete", self.rows[table].pop(key), None)

    def commit(self) -> None:
        """Commit what was done since the last commit."""
        commit_lsn = self._next_lsn()
        for number, (table, change) in enumerate(self._changes, start=1):
            change.commit_lsn = commit_lsn
            change.total_order = number
            self._pieces.append(_Piece(table, change))
        self._changes = []
        self.now += timedelta(
            seconds=self.rng.randint(20, 900), milliseconds=self.rng.randint(0, 999)
        )

    def add_column(self, table: str, name: str, column_type: sql.SqlType) -> None:
        """Add a nullable column and a capture instance that knows it."""
        self.columns[table][name] = (column_type, True)
        for row in self.rows[table].values():
            row[name] = None
        commit_lsn = self._next_lsn()
        self.send()
        self._connectors[table] = self._connector(table)
        self._send_definition(table, "ALTER", commit_lsn)

    # What the connector does.

    def snapshot(self) -> None:
        """Read everything: first the definitions, then the rows."""
        commit_lsn = self._next_lsn()
        for table in SCHEMA:
            self._send_definition(table, "CREATE", commit_lsn, snapshot=True)
        reads = [(table, row) for table in SCHEMA for row in self.rows[table].values()]
        for number, (table, row) in enumerate(reads):
            marker = "first" if number == 0 else "last" if number == len(reads) - 1 else "true"
            position = self._connectors[table].read_source(marker, commit_lsn, commit_lsn)
            encoded = self._encode(table, row)
            self._send(table, Emission("r", encoded, None, encoded), position, marker)
        self._pieces = []
        self._cursor = 0

    def read_chunk(self, table: str) -> None:
        """Take an incremental snapshot of a table in one chunk."""
        self.send()
        lsn = self._next_lsn()
        for row in self.rows[table].values():
            encoded = self._encode(table, row)
            position = self._connectors[table].read_source("incremental", lsn, None)
            self._send(table, Emission("r", encoded, None, encoded), position, "incremental")
        self._next_lsn()

    def send(self) -> None:
        """Send every committed change."""
        while self._cursor < len(self._pieces):
            piece = self._pieces[self._cursor]
            self._send_change(piece.table, piece.change)
            self._cursor += 1

    def crash(self, back: int) -> None:
        """Die and resume so many changes before the last one sent."""
        self._cursor = max(0, self._cursor - back)
        self._run += 1
        self._now_ms += 61_000

    # The truth.

    def encoded_rows(self, table: str) -> list[Row]:
        """Return a table's rows as their newest events hold them."""
        return [self._encode(table, row) for row in self.rows[table].values()]

    def truth(self) -> dict[str, list[Row]]:
        """Return the rows by table in plain text forms, by key."""
        return {
            table: [self._plain(table, row) for _, row in sorted(rows.items())]
            for table, rows in self.rows.items()
        }

    def described(self) -> dict[str, Any]:
        """Return key and column types by table."""
        return {
            table: {
                "key": list(SCHEMA[table][0]),
                "columns": [
                    {
                        "name": name,
                        "type": kind.name.removesuffix(" identity"),
                        "length": kind.length,
                        "scale": kind.scale,
                        "nullable": nullable,
                    }
                    for name, (kind, nullable) in columns.items()
                ],
            }
            for table, columns in self.columns.items()
        }

    def _plain(self, table: str, row: Row) -> Row:
        return {
            name: (
                sql.in_utc(row[name])
                if kind is sql.DATETIMEOFFSET and row[name] is not None
                else row[name]
            )
            for name, (kind, _) in self.columns[table].items()
        }

    # Details.

    def _next_lsn(self) -> int:
        self._lsn += self.rng.choice([1, 2, 5, 0x10008])
        return self._lsn

    def _key(self, table: str, row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in SCHEMA[table][0])

    def _log(self, table: str, kind: str, old: Row | None, new: Row | None) -> None:
        before, after = (None if row is None else self._encode(table, row) for row in (old, new))
        self._changes.append((table, Change(kind, self._next_lsn(), before, after)))

    def _encode(self, table: str, row: Row) -> Row:
        return {
            name: None if row[name] is None else kind.encode(row[name])
            for name, (kind, _) in self.columns[table].items()
        }

    def _connector(self, name: str) -> SqlServer:
        columns = tuple(
            kind.column(column, optional) for column, (kind, optional) in self.columns[name].items()
        )
        table = Table(name, columns, SCHEMA[name][0], DATABASE, "dbo", full=True)
        connector = SqlServer(table, self._topic(name), Features(headers="links"), self.rng)
        connector.version = "3.2.0.Final"
        connector.run_salt = self.seed
        return connector

    def _topic(self, table: str) -> str:
        return f"{PREFIX}.{DATABASE}.dbo.{table}"

    def _send_change(self, table: str, change: Change) -> None:
        connector = self._connectors[table]
        for emission in connector.emissions(change):
            position = connector.change_source(change, emission, False)
            self._send(table, emission, position, "false")

    def _send(
        self,
        table: str,
        emission: Emission,
        position: dict[str, Any],
        marker: str,
    ) -> None:
        connector = self._connectors[table]
        connector.run = self._run
        assert emission.key_row is not None
        key = connector.key_text(connector.table.key_of(emission.key_row), True)
        value = connector.value(emission, position, marker, self._now_ms, None)
        self._append(
            self._topic(table), key, connector.value_text(value, True), connector.headers(None)
        )
        if emission.tombstone:
            self._append(self._topic(table), key, None, connector.headers(None))

    def _send_definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool = False
    ) -> None:
        connector = self._connectors[table]
        columns = [
            schema_topic.column(name, n, t.name, t.jdbc, t.length, t.scale, optional)
            for n, (name, (t, optional)) in enumerate(self.columns[table].items(), start=1)
        ]
        position = {
            "change_lsn": None if snapshot else lsn_text(commit_lsn - 1),
            "commit_lsn": lsn_text(commit_lsn),
            "event_serial_no": None if snapshot else 1,
        }
        envelope = connector.value(
            Emission("r", None, None, None),
            position,
            "true" if snapshot else "false",
            self._now_ms,
            None,
        )
        payload = {
            "source": envelope["source"],
            "ts_ms": envelope["ts_ms"],
            "databaseName": DATABASE,
            "schemaName": "dbo",
            "ddl": None if snapshot else "N/A",
            "tableChanges": [
                schema_topic.table_change(kind, DATABASE, table, list(SCHEMA[table][0]), columns)
            ],
        }
        key = {"schema": schema_topic.KEY_SCHEMA, "payload": {"databaseName": DATABASE}}
        schema = schema_topic.value_schema(connector.source_schema())
        self._append(
            PREFIX, compact(key), compact({"schema": schema, "payload": payload}), [], partitions=1
        )

    def _append(
        self,
        topic: str,
        key: str | None,
        value: str | None,
        headers: list[tuple[str, str]],
        partitions: int = 2,
    ) -> None:
        if topic not in self._brokers:
            self._brokers[topic] = Broker(topic, partitions, self.rng, gaps=False)
        broker = self._brokers[topic]
        self._now_ms += 3
        broker.now_ms = self._now_ms
        broker.append(key, value, headers, Said("nothing"))
        self._now_ms = broker.now_ms
        self.records.append(broker.records[-1])


def run_shop(seed: int) -> Shop:
    """Return the shop after its story."""
    shop = Shop(seed)
    story = _Story(shop)
    story.stock_up()
    shop.snapshot()
    for _ in range(14):
        story.order()
    shop.send()
    shop.crash(back=17)
    shop.send()
    story.rename_a_product()
    story.prices_rise()
    story.close_an_account()
    shop.send()
    shop.add_column("customers", "loyalty", sql.SMALLINT)
    story.register(loyalty=100)
    story.reward()
    for _ in range(9):
        story.order()
    story.deliver()
    story.cancel()
    shop.send()
    shop.crash(back=6)
    shop.send()
    shop.read_chunk("products")
    story.order()
    story.deliver()
    shop.send()
    return shop


class _Story:
    """What people do in the shop."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._rng = shop.rng
        self._customers = 0
        self._orders = 9_007_199_254_740_990  # ids pass what a double can hold

    def stock_up(self) -> None:
        for _ in range(6):
            self.register()
        for number, title in enumerate(PRODUCTS, start=1):
            self._shop.insert(
                "products",
                {
                    "sku": f"SKU-{number:03d}",
                    "title": title,
                    "price": _money(self._rng, 99, 2),
                    "weight_kg": self._rng.choice([None, 0.1, 1.25, 3.0]),
                    "stock": self._rng.randint(5, 300),
                    "digest": self._rng.choice([None, "", self._rng.randbytes(8).hex()]),
                    "changed_at": self._stamp(7),
                },
            )
            self._shop.commit()

    def register(self, **more: Any) -> None:
        self._customers += 1
        rng = self._rng
        name = NAMES[(self._customers - 1) % len(NAMES)]
        offset = rng.choice(["+11:00", "-03:30", "+00:00", "+05:45"])
        self._shop.insert(
            "customers",
            {
                "id": self._customers,
                "name": name,
                "email": rng.choice([None, f"c{self._customers}@example.org"]),
                "born_on": rng.choice([None, "1969-12-31", "1985-02-28", "2000-02-29"]),
                "credit": rng.choice(["0.0000", "-0.0001", "922337203685477.5807", "250.5000"]),
                "is_active": True,
                "token": str(uuid.UUID(int=rng.getrandbits(128), version=4)).upper(),
                "registered_at": self._stamp(7) + offset,
            }
            | more,
        )
        self._shop.commit()

    def order(self) -> None:
        rng, shop = self._rng, self._shop
        self._orders += 1
        customer = rng.choice(list(shop.rows["customers"]))[0]
        skus = rng.sample(sorted(key[0] for key in shop.rows["products"]), rng.randint(1, 3))
        total = Decimal(0)
        lines = []
        for number, sku in enumerate(skus, start=1):
            product = shop.rows["products"][(sku,)]
            quantity = rng.randint(1, 4)
            total += quantity * Decimal(product["price"])
            lines.append(
                {
                    "order_id": self._orders,
                    "line_no": number,
                    "sku": sku,
                    "quantity": quantity,
                    "unit_price": product["price"],
                    "discount": rng.choice([None, "0.0500", "0.1250"]),
                }
            )
        shop.insert(
            "orders",
            {
                "id": self._orders,
                "customer_id": customer,
                "status": "new",
                "placed_at": self._stamp(3),
                "deliver_at": rng.choice([None, "00:00:00", "17:30:59"]),
                "total": f"{total:.4f}",
            },
        )
        for line in lines:
            shop.insert("order_lines", line)
            product = shop.rows["products"][(line["sku"],)]
            shop.update("products", (line["sku"],), stock=product["stock"] - line["quantity"])
        shop.commit()

    def rename_a_product(self) -> None:
        """Change a key, and in the same transaction the rows that refer to it."""
        shop = self._shop
        old, new = "SKU-002", "TEA-002/b"
        shop.update("products", (old,), sku=new, changed_at=self._stamp(7))
        for key, line in list(shop.rows["order_lines"].items()):
            if line["sku"] == old:
                shop.update("order_lines", key, sku=new)
        shop.commit()

    def prices_rise(self) -> None:
        shop = self._shop
        for key in [("SKU-001",), ("SKU-004",), ("TEA-002/b",)]:
            price = Decimal(shop.rows["products"][key]["price"]) * Decimal("1.07")
            shop.update("products", key, price=f"{price:.2f}", changed_at=self._stamp(7))
        shop.commit()

    def close_an_account(self) -> None:
        """Delete a customer without orders, after making one; the id comes back later."""
        self.register()
        key = (self._customers,)
        self._shop.update("customers", key, is_active=False, email=None)
        self._shop.commit()
        self._shop.delete("customers", key)
        self._shop.commit()
        self._customers -= 1

    def reward(self) -> None:
        for key in list(self._shop.rows["customers"])[:2]:
            self._shop.update("customers", key, loyalty=self._rng.randint(-5, 500))
        self._shop.commit()

    def deliver(self) -> None:
        for key, row in list(self._shop.rows["orders"].items())[:4]:
            if row["status"] == "new":
                self._shop.update("orders", key, status="delivered", deliver_at="12:00:01")
                self._shop.commit()

    def cancel(self) -> None:
        """Delete an order with its lines."""
        shop = self._shop
        order = list(shop.rows["orders"])[5][0]
        for key in [key for key in shop.rows["order_lines"] if key[0] == order]:
            shop.delete("order_lines", key)
        shop.delete("orders", (order,))
        shop.commit()

    def _stamp(self, digits: int) -> str:
        fraction = self._rng.choice(["0" * digits, f"{self._rng.randrange(10**digits):0{digits}d}"])
        return f"{self._shop.now:%Y-%m-%dT%H:%M:%S}.{fraction}"


def _money(rng: random.Random, most: int, scale: int) -> str:
    return str(Decimal(rng.randint(1, most * 10**scale)).scaleb(-scale))
