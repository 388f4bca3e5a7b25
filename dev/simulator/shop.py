"""The SQL Server demo: a small shop, from its first snapshot over a crash to a changed table.

Four tables of database `shop` with foreign keys, transactions across tables, a key change, deletes,
a column added by a new capture instance, redelivery after a crash, and an incremental snapshot.
"""

from __future__ import annotations

import random
import uuid
from decimal import Decimal
from typing import Any

from dev.simulator import shop_types as sql
from dev.simulator.connector import Connector
from dev.simulator.demo_source import DemoSource, Tables
from dev.simulator.sqlserver import SqlServer, lsn_text
from dev.simulator.table import Table

PREFIX = "store"
DATABASE = "shop"

SCHEMA: Tables = {
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


class Shop(DemoSource):
    """The shop's database, connector and topics."""

    prefix = PREFIX
    database = DATABASE
    schema = "dbo"
    tables = SCHEMA
    first_lsn = 0x2B_000004F0_0003
    steps = (1, 2, 5, 0x10008)

    def _make(self, table: Table, topic: str) -> Connector:
        connector = SqlServer(table, topic, self.features, self.rng)
        connector.version = "3.2.0.Final"
        return connector

    def _topic(self, table: str) -> str:
        return f"{PREFIX}.{DATABASE}.dbo.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        position = {
            "change_lsn": None if snapshot else lsn_text(commit_lsn - 1),
            "commit_lsn": lsn_text(commit_lsn),
            "event_serial_no": None if snapshot else 1,
        }
        return position, None if snapshot else "N/A"


def run_shop(seed: int, *, transactions: bool = False) -> Shop:
    """Return the shop after its story."""
    shop = Shop(seed, transactions=transactions)
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
