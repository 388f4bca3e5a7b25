"""Types of the demos' columns: what the database, Debezium and the truth each make of them.

Rows hold the plain text forms; `encode` makes of them what Debezium writes, `plain` what the truth
says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from dev.simulator.columns import DECIMAL, Column, base64_decimal, base64_of

EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class SqlType:
    """A type: its JDBC code and sizes on the schema-change topic, and its Connect form."""

    name: str
    jdbc: int
    length: int | None
    scale: int | None
    connect: str
    semantic: str | None = None
    encode: Callable[[Any], Any] = lambda value: value
    plain: Callable[[Any], Any] = lambda value: value
    lob: bool = False
    parameters: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()

    def column(self, name: str, optional: bool) -> Column:
        """Return a column of this type."""
        parameters = dict(self.parameters)
        if self.semantic == DECIMAL:
            parameters = {"scale": str(self.scale), "connect.decimal.precision": str(self.length)}
        return Column(
            name,
            self.connect,
            lambda rng: None,
            self.semantic,
            parameters,
            optional=optional,
            toast=self.lob,
        )


def _number(name: str, precision: int, scale: int) -> SqlType:
    return SqlType(
        name,
        3,
        precision,
        scale,
        "bytes",
        DECIMAL,
        lambda text: base64_decimal(int(Decimal(text).scaleb(scale))),
    )


def _fraction(text: str, digits: int) -> tuple[str, int]:
    """Split a time or timestamp into whole seconds and its fraction in 10^-digits seconds."""
    whole, _, fraction = text.partition(".")
    return whole, int(fraction.ljust(digits, "0")) if fraction else 0


def _timestamp(digits: int) -> Callable[[str], int]:
    def encode(text: str) -> int:
        whole, fraction = _fraction(text, digits)
        seconds = (datetime.fromisoformat(whole) - EPOCH) // timedelta(seconds=1)
        unit = 3 if digits <= 3 else 9
        return int(seconds * 10**unit + fraction * 10 ** (unit - digits))

    return encode


def _time_of_day(text: str) -> int:
    hours, minutes, seconds = (int(part) for part in text.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def in_utc(text: str) -> str:
    """Return a timestamp with a fraction and an offset as the same instant in UTC."""
    whole, fraction, offset = text[:19], text[19:-6], text[-6:]
    moment = datetime.fromisoformat(whole + offset).astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


INT = SqlType("int", 4, 10, 0, "int32")
INT_IDENTITY = SqlType("int identity", 4, 10, 0, "int32")
BIGINT = SqlType("bigint", -5, 19, 0, "int64")
SMALLINT = SqlType("smallint", 5, 5, 0, "int16")
TINYINT = SqlType("tinyint", -6, 3, 0, "int16")
BIT = SqlType("bit", -7, 1, 0, "boolean")
FLOAT = SqlType("float", 8, 53, None, "double")
MONEY = _number("money", 19, 4)
DATE = SqlType(
    "date",
    91,
    10,
    0,
    "int32",
    "io.debezium.time.Date",
    lambda text: (date.fromisoformat(text) - date(1970, 1, 1)).days,
)
TIME_0 = SqlType("time", 92, 8, 0, "int32", "io.debezium.time.Time", _time_of_day)
DATETIME2_3 = SqlType("datetime2", 93, 23, 3, "int64", "io.debezium.time.Timestamp", _timestamp(3))
DATETIME2_7 = SqlType(
    "datetime2", 93, 27, 7, "int64", "io.debezium.time.NanoTimestamp", _timestamp(7)
)
DATETIMEOFFSET = SqlType(
    "datetimeoffset",
    -155,
    34,
    7,
    "string",
    "io.debezium.time.ZonedTimestamp",
    plain=lambda text: in_utc(text),
)
UNIQUEIDENTIFIER = SqlType("uniqueidentifier", 1, 36, None, "string")


def decimal(precision: int, scale: int) -> SqlType:
    """Return the decimal type of this precision and scale."""
    return _number("decimal", precision, scale)


def nvarchar(length: int) -> SqlType:
    """Return the Unicode text type of up to so many characters."""
    return SqlType("nvarchar", -9, length, None, "string")


def varbinary(length: int) -> SqlType:
    """Return the type of up to so many bytes."""
    return SqlType(
        "varbinary", -3, length, None, "bytes", None, lambda text: base64_of(bytes.fromhex(text))
    )
