"""The MySQL demo: a stock of goods, from a snapshot over a crash to a truncate and a new column.

Three tables of database `inventory`: unsigned numbers, sets, bits and long times, binlog files that
pass the 999,999th, a key change, deletes, redelivery after a crash, and an incremental snapshot.
"""

from __future__ import annotations

import json
from typing import Any

from dev.simulator import binlog_demo as of
from dev.simulator.demo_source import Tables
from dev.simulator.mysql import MySql
from dev.simulator.table import Table

PREFIX = "inventory"
SCHEMA: Tables = {
    "suppliers": (
        ("id",),
        {
            "id": (of.INT_UNSIGNED, False),
            "name": (of.varchar(80), False),
            "rating": (of.labels("ENUM", "new", "known", "first choice"), False),
            "regions": (of.labels("SET", "north", "east", "south"), False),
            "turnover": (of.decimal(14, 2), True),
            "since": (of.YEAR, True),
            "contact": (of.JSON_TEXT, True),
            "changed_at": (of.TIMESTAMP, False),
        },
    ),
    "goods": (
        ("code",),
        {
            "code": (of.varchar(20), False),
            "supplier_id": (of.INT_UNSIGNED, False),
            "title": (of.varchar(100), False),
            "serial_no": (of.BIGINT_UNSIGNED, False),
            "price": (of.decimal(10, 2), False),
            "marks": (of.bits(9), False),
            "lead_time": (of.TIME_0, True),
            "digest": (of.varbinary(16), True),
            "listed_on": (of.DATE, True),
        },
    ),
    "movements": (
        ("code", "no"),
        {
            "code": (of.varchar(20), False),
            "no": (of.SMALLINT, False),
            "quantity": (of.INT, False),
            "moved_at": (of.DATETIME_6, False),
            "counted_at": (of.DATETIME_3, True),
            "by_machine": (of.TINYINT_1, False),
        },
    ),
}
NAMES = ("Ćosić & sinovi", "李商店", 'O\'Brien "Bo" \\ Sons', "Müller\tGmbH", "نجيب", "Søren A/S")
TITLES = ("Bolt, ½ in", "Nut “M8”", "Rope", "Tin", "Sieve", "Honey", "Spade")


class Inventory(of.BinlogDemo):
    """The stock's database, connector and topics."""

    prefix = PREFIX
    database = "inventory"
    tables = SCHEMA
    connector = MySql

    def _make(self, table: Table, topic: str) -> MySql:
        connector = super()._make(table, topic)
        assert isinstance(connector, MySql)
        connector.has_gtids = True
        return connector


def run_inventory(seed: int, *, transactions: bool = False) -> Inventory:
    """Return the stock after its story."""
    stock = Inventory(seed, transactions=transactions)
    story = _Story(stock)
    story.begin()
    stock.snapshot()
    for _ in range(12):
        story.move()
    stock.send()
    stock.crash(back=13)
    stock.send()
    story.rename()
    story.revalue()
    story.drop_a_supplier()
    stock.send()
    stock.add_column("suppliers", "phone", of.varchar(30))
    story.call()
    for _ in range(6):
        story.move()
    story.take_stock()
    stock.send()
    stock.crash(back=9)
    stock.send()
    stock.read_chunk("goods")
    story.move()
    stock.send()
    return stock


class _Story:
    """What people do in the store."""

    def __init__(self, stock: Inventory) -> None:
        self.stock = stock
        self._no = 0

    def begin(self) -> None:
        for _ in range(4):
            self.meet()
        for number, title in enumerate(TITLES, start=1):
            self.stock.insert("goods", self._good(number, title))
            self.stock.commit()
        self.move()

    def meet(self, **more: Any) -> None:
        rng = self.stock.rng
        number = len(self.stock.rows["suppliers"]) + 4_294_967_200
        contact = {"mail": f"s{number}@example.org", "hours": [8, 17.5]}
        self.stock.insert(
            "suppliers",
            {
                "id": number,
                "name": rng.choice(NAMES),
                "rating": rng.choice(["new", "known", "first choice"]),
                "regions": rng.choice(["", "north", "north,south"]),
                "turnover": rng.choice([None, "-0.01", "999999999999.99"]),
                "since": rng.choice([None, 1901, 2026]),
                "contact": rng.choice([None, json.dumps(contact, separators=(",", ":"))]),
                "changed_at": f"{self.stock.now:%Y-%m-%dT%H:%M:%SZ}",
            }
            | more,
        )
        self.stock.commit()

    def move(self) -> None:
        """Move goods, several in one transaction."""
        rng, stock = self.stock.rng, self.stock
        for code in rng.sample(sorted(key[0] for key in stock.rows["goods"]), 2):
            self._no += 1
            stock.insert(
                "movements",
                {
                    "code": code,
                    "no": self._no,
                    "quantity": rng.randint(-50, 50),
                    "moved_at": f"{stock.now:%Y-%m-%dT%H:%M:%S}.{rng.randrange(10**6):06d}",
                    "counted_at": None,
                    "by_machine": rng.randint(0, 1),
                },
            )
            stock.update("goods", (code,), lead_time=rng.choice([None, "-01:30:00", "838:59:59"]))
        stock.commit()

    def rename(self) -> None:
        """Change a key, and in the same transaction the rows that refer to it."""
        old, new = "G-0002", "M8/b"
        self.stock.update("goods", (old,), code=new)
        for key in [key for key in self.stock.rows["movements"] if key[0] == old]:
            self.stock.update("movements", key, code=new)
        self.stock.commit()

    def revalue(self) -> None:
        for key in list(self.stock.rows["goods"])[:3]:
            self.stock.update("goods", key, price=f"{self.stock.rng.randint(1, 99999) / 100:.2f}")
        self.stock.commit()

    def drop_a_supplier(self) -> None:
        """Delete a supplier whose key comes back."""
        self.meet()
        self.stock.delete("suppliers", (max(self.stock.rows["suppliers"])[0],))
        self.stock.commit()
        self.meet(rating="new")

    def call(self) -> None:
        for key in list(self.stock.rows["suppliers"])[:2]:
            self.stock.update("suppliers", key, phone="+47 22 33 44 55", rating="known")
        self.stock.commit()

    def take_stock(self) -> None:
        """Empty the table of movements and begin it again."""
        self.stock.truncate("movements")
        self.stock.commit()
        for _ in range(3):
            self.move()

    def _good(self, number: int, title: str) -> dict[str, Any]:
        rng = self.stock.rng
        return {
            "code": f"G-{number:04d}",
            "supplier_id": rng.choice(list(self.stock.rows["suppliers"]))[0],
            "title": title,
            "serial_no": rng.choice([number, 2**63 - 1, 2**63, 2**64 - number]),
            "price": f"{rng.randint(1, 99999) / 100:.2f}",
            "marks": rng.choice(["100000001", "000000000", "011111111"]),
            "lead_time": rng.choice([None, "00:00:00", "-838:59:59", "25:00:01"]),
            "digest": rng.choice([None, "", rng.randbytes(8).hex()]),
            "listed_on": rng.choice([None, "1969-12-31", "2026-02-28"]),
        }
