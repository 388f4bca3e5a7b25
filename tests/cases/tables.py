"""The tables of the stories. Columns are those of the examples, or of their embedded schemas."""

from __future__ import annotations

from typing import Any

from tests.cases.log import Log
from tests.cases.table import Table

DECIMAL = "org.apache.kafka.connect.data.Decimal"


def column(name: str, kind: str = "string", semantic: str = "", **more: Any) -> dict[str, Any]:
    """Describe a column as a staging model does."""
    return {"name": name, "type": kind, **({"semantic": semantic} if semantic else {}), **more}


def decimal(name: str, precision: int, scale: int) -> dict[str, Any]:
    """Describe a decimal column."""
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
    return column(name, "bytes", DECIMAL, parameters=parameters)


_PLAIN: dict[str, Table] = {}


def plain_table(connector: str, which: str = "", *, key: bool = True, **options: Any) -> Table:
    """Return the table `id, v, w` of a connector, made at the first call.

    Args:
        connector: of its source.
        which: tells tables with other options of `Table` apart.
        key: whether it has one.
        options: of `Table`, the same at every call.
    """
    name = "_".join(filter(None, ["plain", connector, which]))
    if name not in _PLAIN:
        places = {"sqlserver": "dbo.plain", "oracle": "APP.PLAIN", "postgresql": "public.plain"}
        columns = [column("id", "int32"), column("v"), column("w")]
        place = places.get(connector, "shop.plain")
        _PLAIN[name] = Table(
            name, connector, columns, key=["id"] if key else [], table=place, **options
        )
    return _PLAIN[name]


NAMES = [column("first_name"), column("last_name"), column("email")]

PG = Table(
    "pg",
    "postgresql",
    [
        column("id", "int32"),
        *NAMES,
        decimal("credit", 10, 2),
        column("created_at", "int64", "io.debezium.time.MicroTimestamp"),
        column("nickname"),
    ],
    options={"signal_data_collection": "myschema.debezium_signal"},
)
PG_TRUNCATED = Table("pg_truncated", "postgresql", [column("id", "int32"), *NAMES])
PG_PAIRS = Table(
    "pg_pairs",
    "postgresql",
    [column("pk"), column("aa"), column("value")],
    key=["pk"],
    mark="pk",
    table="s1.a",
)
SQLSERVER = Table("ss", "sqlserver", [column("id", "int32"), *NAMES], table="dbo.customers")
SQLSERVER_PAIRS = Table(
    "ss_pairs",
    "sqlserver",
    [column("pk"), column("aa"), column("value")],
    key=["pk"],
    mark="pk",
    table="dbo.tablea",
)
MYSQL = Table("my", "mysql", [column("id", "int32"), *NAMES], table="inventory.customers")
MARIADB = Table("ma", "mariadb", [column("id", "int32"), *NAMES], table="inventory.customers")
COMPRESSED = Table(
    "my_compressed",
    "mysql",
    [column("id", "int32"), *NAMES],
    table="inventory.customers",
    options={"binlog_transaction_compression": True},
)
MYSQL_KEYLESS = Table(
    "my_keyless",
    "mysql",
    [column("id", "int32"), *NAMES],
    key=[],
    table="inventory.customers",
    options={"binlog_transaction_compression": True},
)


def customer(number: int, **changes: Any) -> dict[str, Any]:
    """Return the customer of the PostgreSQL examples as `cur_pg` shows it."""
    row = {
        "id": number,
        "first_name": "Anne",
        "last_name": "Kretchmar",
        "email": "annek@noanswer.org",
    }
    nulls = dict.fromkeys(("credit", "created_at", "nickname"))
    return row | nulls | changes


def john(number: int, email: str) -> dict[str, Any]:
    """Return the customer of the SQL Server examples."""
    return {"id": number, "first_name": "john", "last_name": "doe", "email": email}


def row(number: int, email: str) -> dict[str, Any]:
    """Return a row image of a customer of whom only the address matters."""
    return {"id": number, "first_name": "a", "last_name": "b", "email": email}


class Customers(Log):
    """A log of customers, keys and images by number, values in `email`."""

    def say(
        self, op: str, number: int, position: int | None, email: str = "", **more: Any
    ) -> Customers:
        """Add a change of a customer's address, or its end."""
        image = None if op == "d" else row(number, email)
        before = {"id": number} if op == "d" else None
        self.add(op, {"id": number}, position, image, **({"before": before} | more))
        return self

    def end(self, number: int, form: str | None = None, **place: Any) -> Customers:
        """Add a tombstone."""
        self.tombstone({"id": number}, form, **place)
        return self


def pg_log() -> Customers:
    """Begin a log of PostgreSQL."""
    return Customers("postgresql")


def ss_log() -> Customers:
    """Begin a log of SQL Server."""
    return Customers("sqlserver")


def binlog(connector: str = "mysql") -> Customers:
    """Begin a log of MySQL or MariaDB."""
    return Customers(connector)
