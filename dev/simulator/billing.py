"""The Oracle demo: invoices with LOBs, from a snapshot over a crash to a truncate and a new column.

Three tables of schema `BILLING`: a key change that carries LOBs along, updates that do not write
them, a truncate, redelivery after a crash, an incremental snapshot, and a snapshot taken again
because the connector lost its offsets, while a row was deleted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from dev.simulator import shop_types as sql
from dev.simulator.columns import DECIMAL, base64_decimal, base64_of
from dev.simulator.connector import Connector
from dev.simulator.demo_source import DemoSource, Tables
from dev.simulator.oracle import GRAIN, PLAIN_NUMBER, Oracle
from dev.simulator.table import Table

PREFIX = "billing"
DATABASE = "ORCLPDB1"


def _number(precision: int, scale: int = 0) -> sql.SqlType:
    """Return NUMBER(p,s): an integer where it fits one."""
    if scale == 0 and precision < 19:
        connect = next(
            kind
            for most, kind in ((2, "int8"), (4, "int16"), (9, "int32"), (18, "int64"))
            if precision <= most
        )
        return sql.SqlType("NUMBER", 2, precision, 0, connect)
    return sql.SqlType(
        "NUMBER",
        2,
        precision,
        scale,
        "bytes",
        DECIMAL,
        lambda text: base64_decimal(int(Decimal(text).scaleb(scale))),
    )


def _plain_number(text: str) -> dict[str, Any]:
    number = Decimal(text)
    scale = -int(number.as_tuple().exponent)
    return {"scale": scale, "value": base64_decimal(int(number.scaleb(scale)))}


def _since_1970(text: str, digits: int) -> int:
    whole, _, fraction = text.partition(".")
    seconds = (datetime.fromisoformat(whole) - sql.EPOCH) // timedelta(seconds=1)
    return seconds * 10**digits + int(fraction.ljust(digits, "0")[:digits] or 0)


def _moment(digits: int) -> sql.SqlType:
    unit, name = {6: (6, "Micro"), 9: (9, "Nano")}[digits]
    return sql.SqlType(
        f"TIMESTAMP({digits})",
        93,
        digits,
        None,
        "int64",
        f"io.debezium.time.{name}Timestamp",
        lambda text: _since_1970(text, unit),
    )


def _text(name: str, length: int) -> sql.SqlType:
    return sql.SqlType(name, 12 if name == "VARCHAR2" else 1, length, None, "string")


NUMBER = sql.SqlType("NUMBER", 2, 0, None, "struct", PLAIN_NUMBER, _plain_number)
DATE = sql.SqlType(
    "DATE",
    93,
    None,
    None,
    "int64",
    "io.debezium.time.Timestamp",
    lambda text: _since_1970(text, 3),
)
ZONED = sql.SqlType(
    "TIMESTAMP(6) WITH TIME ZONE",
    -101,
    6,
    None,
    "string",
    "io.debezium.time.ZonedTimestamp",
    plain=sql.in_utc,
)
CLOB = sql.SqlType("CLOB", 2005, None, None, "string", lob=True)
BLOB = sql.SqlType(
    "BLOB",
    2004,
    None,
    None,
    "bytes",
    None,
    lambda text: base64_of(bytes.fromhex(text)),
    lob=True,
)

SCHEMA: Tables = {
    "CUSTOMERS": (
        ("ID",),
        {
            "ID": (_number(9), False),
            "NAME": (_text("VARCHAR2", 80), False),
            "EMAIL": (_text("VARCHAR2", 120), True),
            "CREDIT": (_number(12, 2), False),
            "REGISTERED": (DATE, False),
            "SEEN_AT": (ZONED, True),
        },
    ),
    "INVOICES": (
        ("NO",),
        {
            "NO": (_number(18), False),
            "CUSTOMER_ID": (_number(9), False),
            "STATUS": (_text("VARCHAR2", 12), False),
            "ISSUED_AT": (_moment(6), False),
            "TOTAL": (NUMBER, False),
            "TERMS": (CLOB, True),
            "SCAN": (BLOB, True),
        },
    ),
    "RATES": (
        ("CURRENCY", "YEAR"),
        {
            "CURRENCY": (_text("CHAR", 3), False),
            "YEAR": (_number(4), False),
            "RATE": (_number(18, 9), False),
            "NOTED": (_moment(9), False),
        },
    ),
}
NAMES = ("Ada Lovelace", "Željko Ćosić", "李小龍", 'O\'Brien "Bo" \\ Sons', "Zoë Müller")


class Billing(DemoSource):
    """The database, its connector and its topics."""

    prefix = PREFIX
    database = DATABASE
    schema = "BILLING"
    tables = SCHEMA
    first_lsn = 999_940 * GRAIN
    steps = (1, 2, 5, 40)

    def _next_commit(self) -> int:
        self._lsn = -(-self._next_lsn() // GRAIN) * GRAIN
        return self._lsn

    def _make(self, table: Table, topic: str) -> Connector:
        connector = Oracle(table, topic, self.features, self.rng)
        connector.version = "2.1.4.Final"
        connector.threads = 1
        return connector

    def _topic(self, table: str) -> str:
        return f"{PREFIX}.BILLING.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        connector = self._connectors[table]
        position = connector.read_source(
            "true" if snapshot else "incremental", commit_lsn, commit_lsn
        )
        columns = ", ".join(
            f'"{name}" {kind.name}' for name, (kind, _) in self.columns[table].items()
        )
        if kind == "ALTER":
            name, (added, _) = list(self.columns[table].items())[-1]
            return position, f"ALTER TABLE BILLING.{table} ADD {name} {added.name}"
        return position, f'CREATE TABLE "BILLING"."{table}" ({columns})'


def run_billing(seed: int, *, transactions: bool = False) -> Billing:
    """Return the source after its story."""
    billing = Billing(seed, transactions=transactions)
    story = _Story(billing)
    story.open_books()
    billing.snapshot()
    for _ in range(12):
        story.invoice()
    billing.send()
    billing.crash(back=9)
    billing.send()
    story.pay()
    story.renumber()
    story.new_terms()
    billing.send()
    billing.crash(back=7)
    billing.send()
    story.new_year()
    billing.add_column("CUSTOMERS", "LEVEL", _number(2))
    story.promote()
    story.close_an_account()
    story.cancel()
    billing.send()
    billing.read_chunk("CUSTOMERS")
    story.leave_unseen()
    billing.snapshot()
    story.invoice()
    story.pay()
    billing.send()
    return billing


@dataclass
class _Story:
    """What people do."""

    books: Billing
    customers: int = 0
    invoices: int = 999_999_999_999_990

    def open_books(self) -> None:
        for _ in range(5):
            self.register()
        for year in (2025, 2026):
            self.note_rates(year)
        for _ in range(4):
            self.invoice()

    def register(self, **more: Any) -> None:
        rng = self.books.rng
        self.customers += 1
        self.books.insert(
            "CUSTOMERS",
            {
                "ID": self.customers,
                "NAME": NAMES[(self.customers - 1) % len(NAMES)],
                "EMAIL": rng.choice([None, f"customer{self.customers}@example.org"]),
                "CREDIT": f"{rng.randint(-99999, 999999) / 100:.2f}",
                "REGISTERED": f"{self.books.now:%Y-%m-%dT%H:%M:%S}",
                "SEEN_AT": rng.choice([None, self._stamp(6) + rng.choice(["+11:00", "-03:30"])]),
            }
            | more,
        )
        self.books.commit()

    def note_rates(self, year: int) -> None:
        for currency in ("EUR", "NOK", "JPY"):
            rate = Decimal(self.books.rng.randint(1, 10**12)).scaleb(-9)
            row = {"CURRENCY": currency, "YEAR": year, "RATE": f"{rate:.9f}"}
            self.books.insert("RATES", row | {"NOTED": self._stamp(9)})
        self.books.commit()

    def invoice(self) -> None:
        rng = self.books.rng
        self.invoices += 1
        customer = rng.choice(list(self.books.rows["CUSTOMERS"]))[0]
        total = Decimal(rng.randint(1, 10**7)).scaleb(-rng.choice([0, 2, 5]))
        self.books.insert(
            "INVOICES",
            {
                "NO": self.invoices,
                "CUSTOMER_ID": customer,
                "STATUS": "open",
                "ISSUED_AT": self._stamp(6),
                "TOTAL": f"{total:f}",
                "TERMS": rng.choice([None, f"Payable in {rng.randint(5, 60)} days. " * 40]),
                "SCAN": rng.randbytes(300).hex() if rng.random() < 0.6 else None,
            },
        )
        self.books.commit()

    def pay(self) -> None:
        """Update invoices without writing their LOBs."""
        for key, row in list(self.books.rows["INVOICES"].items())[:6]:
            if row["STATUS"] == "open":
                self.books.update("INVOICES", key, STATUS="paid")
        self.books.commit()

    def renumber(self) -> None:
        """Change keys of rows whose LOBs are not written again."""
        for key in list(self.books.rows["INVOICES"])[2:5]:
            self.books.update("INVOICES", key, NO=key[0] - 900_000_000_000_000)
        self.books.commit()

    def new_terms(self) -> None:
        """Write one LOB of an invoice and not the other."""
        for key in list(self.books.rows["INVOICES"])[:2]:
            self.books.update("INVOICES", key, TERMS="Payable at once. " * 30)
        self.books.commit()

    def new_year(self) -> None:
        """Empty the table of rates and fill it again."""
        self.books.truncate("RATES")
        self.books.commit()
        self.note_rates(2027)

    def promote(self) -> None:
        for key in list(self.books.rows["CUSTOMERS"])[:2]:
            self.books.update("CUSTOMERS", key, LEVEL=self.books.rng.randint(1, 99))
        self.books.commit()

    def close_an_account(self) -> None:
        self.register(LEVEL=None)
        self.books.delete("CUSTOMERS", (self.customers,))
        self.books.commit()

    def leave_unseen(self) -> None:
        """Delete a customer of whom the connector, being down, never hears again."""
        owing = {row["CUSTOMER_ID"] for row in self.books.rows["INVOICES"].values()}
        self.register(LEVEL=None)
        self.books.send()
        gone = next(key for key in self.books.rows["CUSTOMERS"] if key[0] not in owing)
        self.books.delete("CUSTOMERS", gone)
        self.books.commit()

    def cancel(self) -> None:
        for key in list(self.books.rows["INVOICES"])[5:7]:
            self.books.delete("INVOICES", key)
        self.books.commit()

    def _stamp(self, digits: int) -> str:
        fraction = f"{self.books.rng.randrange(10**digits):0{digits}d}"
        return f"{self.books.now:%Y-%m-%dT%H:%M:%S}.{fraction}"
