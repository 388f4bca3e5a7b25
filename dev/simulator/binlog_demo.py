"""What the demos of MySQL and MariaDB share: types, and a connector that follows a binlog."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from dev.simulator import shop_types as sql
from dev.simulator.binlog import Binlog
from dev.simulator.columns import DECIMAL, JSON, base64_decimal, base64_of
from dev.simulator.connector import Connector, Emission
from dev.simulator.demo_source import DemoSource
from dev.simulator.features import Features
from dev.simulator.table import Table

TIME = "io.debezium.time."
VARIABLE = "SET character_set_server=utf8mb4, collation_server=utf8mb4_general_ci"


def _micros(text: str) -> int:
    """Return a time of day, which may be negative and longer than a day, in microseconds."""
    sign = -1 if text.startswith("-") else 1
    hours, minutes, seconds = (int(part) for part in text.removeprefix("-").split(":"))
    return sign * ((hours * 60 + minutes) * 60 + seconds) * 1_000_000


def _since_1970(digits: int) -> Callable[[str], int]:
    def encode(text: str) -> int:
        moment = datetime.fromisoformat(text) - sql.EPOCH
        return moment // timedelta(microseconds=10 ** (6 - digits))

    return encode


def _wrapped(number: int) -> int:
    """Return an unsigned 64-bit number as a signed one."""
    return number - 2**64 if number >= 2**63 else number


def _bits(text: str) -> str:
    length = -(-len(text) // 8)
    return base64_of(int(text, 2).to_bytes(length, "little"))


INT = sql.SqlType("INT", 4, None, None, "int32")
INT_UNSIGNED = sql.SqlType("INT UNSIGNED", 4, None, None, "int64")
BIGINT_UNSIGNED = sql.SqlType("BIGINT UNSIGNED", -5, None, None, "int64", None, _wrapped)
SMALLINT = sql.SqlType("SMALLINT", 5, None, None, "int16")
TINYINT_1 = sql.SqlType("TINYINT", 5, 1, None, "int16")
DOUBLE = sql.SqlType("DOUBLE", 8, None, None, "double")
YEAR = sql.SqlType("YEAR", 4, None, None, "int32", TIME + "Year")
JSON_TEXT = sql.SqlType("JSON", 1111, None, None, "string", JSON)
TEXT = sql.SqlType("TEXT", 12, None, None, "string")
DATE = sql.SqlType(
    "DATE",
    91,
    None,
    None,
    "int32",
    TIME + "Date",
    lambda text: (date.fromisoformat(text) - date(1970, 1, 1)).days,
)
TIME_0 = sql.SqlType("TIME", 92, None, None, "int64", TIME + "MicroTime", _micros)
DATETIME_3 = sql.SqlType("DATETIME", 93, 3, None, "int64", TIME + "Timestamp", _since_1970(3))
DATETIME_6 = sql.SqlType("DATETIME", 93, 6, None, "int64", TIME + "MicroTimestamp", _since_1970(6))
TIMESTAMP = sql.SqlType("TIMESTAMP", 2014, None, None, "string", TIME + "ZonedTimestamp")


def varchar(length: int) -> sql.SqlType:
    """Return the text type of up to so many characters."""
    return sql.SqlType("VARCHAR", 12, length, None, "string")


def varbinary(length: int) -> sql.SqlType:
    """Return the type of up to so many bytes."""
    return sql.SqlType(
        "VARBINARY", -3, length, None, "bytes", None, lambda text: base64_of(bytes.fromhex(text))
    )


def decimal(precision: int, scale: int) -> sql.SqlType:
    """Return the decimal type of this precision and scale."""
    return sql.SqlType(
        "DECIMAL",
        3,
        precision,
        scale,
        "bytes",
        DECIMAL,
        lambda text: base64_decimal(int(Decimal(text).scaleb(scale))),
    )


def bits(length: int) -> sql.SqlType:
    """Return the type of so many bits."""
    return sql.SqlType(
        "BIT",
        -7,
        length,
        None,
        "bytes",
        "io.debezium.data.Bits",
        _bits,
        parameters={"length": str(length)},
    )


def labels(kind: str, *allowed: str) -> sql.SqlType:
    """Return an ENUM or a SET of these labels."""
    return sql.SqlType(
        kind,
        1,
        None,
        None,
        "string",
        {"ENUM": "io.debezium.data.Enum", "SET": "io.debezium.data.EnumSet"}[kind],
        parameters={"allowed": ",".join(allowed)},
        labels=allowed,
    )


class BinlogDemo(DemoSource):
    """A database whose connector follows a binlog."""

    schema = ""
    steps = (1, 2, 5)
    # the end of the 999,999th file lies ahead
    first_lsn = 64_000_000 - 150
    features = Features(headers="links")
    connector: type[Binlog]

    def snapshot(self) -> None:
        """Begin with the statements that a replica would need."""
        lsn = self._next_commit()
        self._send_statement("", None, VARIABLE, [], lsn)
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
        return connector

    def _topic(self, table: str) -> str:
        return f"{self.prefix}.{self.database}.{table}"

    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        names = self.columns[table]
        if kind == "ALTER":
            name, (column_type, _) = list(names.items())[-1]
            ddl = f"ALTER TABLE `{table}` ADD `{name}` {column_type.name}"
        else:
            listed = ", ".join(f"`{name}` {one.name}" for name, (one, _) in names.items())
            ddl = f"CREATE TABLE `{table}` ({listed})"
        marker = "true" if snapshot else "incremental"
        return self._connectors[table].read_source(marker, commit_lsn, commit_lsn), ddl

    def _send_statement(
        self, database: str, table: str | None, ddl: str, changes: list[dict[str, Any]], lsn: int
    ) -> None:
        """Send a statement of the snapshot that defines no table."""
        connector = next(iter(self._connectors.values()))
        envelope = connector.value(
            Emission("r", None, None, None),
            connector.read_source("true", lsn, lsn),
            "true",
            self._now_ms,
            None,
        )
        envelope["source"] |= {"db": database, "table": table}
        self._send_schema_change(connector, database, envelope, ddl, changes)
