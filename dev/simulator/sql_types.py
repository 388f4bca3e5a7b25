"""Types of the demos' columns: what the database, Debezium and the truth each make of them.

A column is declared as in DDL: `decimal(10,2) not null`. Rows hold plain text forms; `encode` makes
of them what Debezium writes, `plain` what the truth says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from dev.simulator.columns import DECIMAL, JSON, Column, base64_decimal, base64_of
from dev.simulator.oracle import PLAIN_NUMBER

TIME = "io.debezium.time."
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
            name, self.connect, lambda rng: None, self.semantic, parameters,
            optional=optional, toast=self.lob,
        )  # fmt: skip


# By the text of DDL, or by its word where sizes or labels follow.
Family = Mapping[str, SqlType | Callable[..., SqlType]]


def declared(family: Family, text: str) -> tuple[SqlType, bool]:
    """Return the type of a declaration, and whether the column may be null."""
    kind = text.removesuffix(" not null")
    found = family.get(kind)
    if not isinstance(found, SqlType):
        word, _, within = kind.removesuffix(")").partition("(")
        sizes = re.findall(r"'([^']*)'", within) or [int(one) for one in within.split(",")]
        make = family[word]
        assert not isinstance(make, SqlType), text
        found = make(*sizes)
    return found, kind == text


def _decimal(name: str, precision: int, scale: int, jdbc: int = 3) -> SqlType:
    def encode(text: str) -> str:
        return base64_decimal(int(Decimal(text).scaleb(scale)))

    return SqlType(name, jdbc, precision, scale, "bytes", DECIMAL, encode)


def _sized(name: str, jdbc: int, length: int) -> SqlType:
    return SqlType(name, jdbc, length, None, "string")


def _bytes(name: str, jdbc: int, length: int | None, lob: bool = False) -> SqlType:
    def encode(text: str) -> str:
        return base64_of(bytes.fromhex(text))

    return SqlType(name, jdbc, length, None, "bytes", None, encode, lob=lob)


def _since_1970(digits: int) -> Callable[[str], int]:
    """Return what counts the 10^-digits seconds of a timestamp."""

    def encode(text: str) -> int:
        whole, _, fraction = text.partition(".")
        seconds = (datetime.fromisoformat(whole) - EPOCH) // timedelta(seconds=1)
        return seconds * 10**digits + int(fraction.ljust(digits, "0")[:digits] or 0)

    return encode


_MOMENTS = {3: "Timestamp", 6: "MicroTimestamp", 9: "NanoTimestamp"}


def _moment(name: str, length: int | None, scale: int | None, digits: int) -> SqlType:
    semantic = TIME + _MOMENTS[digits]
    return SqlType(name, 93, length, scale, "int64", semantic, _since_1970(digits))


def _date(name: str, length: int | None = None, scale: int | None = None) -> SqlType:
    def encode(text: str) -> int:
        return (date.fromisoformat(text) - EPOCH.date()).days

    return SqlType(name, 91, length, scale, "int32", TIME + "Date", encode)


def _time_of_day(units: int) -> Callable[[str], int]:
    """Return what counts a time, which may be negative and longer than a day, in its units."""

    def encode(text: str) -> int:
        hours, minutes, seconds = (int(part) for part in text.removeprefix("-").split(":"))
        sign = -1 if text.startswith("-") else 1
        return sign * ((hours * 60 + minutes) * 60 + seconds) * units

    return encode


def _zoned(name: str, jdbc: int, length: int | None, scale: int | None) -> SqlType:
    return SqlType(name, jdbc, length, scale, "string", TIME + "ZonedTimestamp", plain=_in_utc)


def _in_utc(text: str) -> str:
    """Return a timestamp with a fraction and an offset as the same instant in UTC."""
    if text.endswith("Z"):
        return text
    whole, fraction, offset = text[:19], text[19:-6], text[-6:]
    moment = datetime.fromisoformat(whole + offset).astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


SQL_SERVER: Family = {
    "int": SqlType("int", 4, 10, 0, "int32"),
    "int identity": SqlType("int identity", 4, 10, 0, "int32"),
    "bigint": SqlType("bigint", -5, 19, 0, "int64"),
    "smallint": SqlType("smallint", 5, 5, 0, "int16"),
    "tinyint": SqlType("tinyint", -6, 3, 0, "int16"),
    "bit": SqlType("bit", -7, 1, 0, "boolean"),
    "float": SqlType("float", 8, 53, None, "double"),
    "money": _decimal("money", 19, 4),
    "decimal": partial(_decimal, "decimal"),
    "date": _date("date", 10, 0),
    "time(0)": SqlType("time", 92, 8, 0, "int32", TIME + "Time", _time_of_day(1000)),
    "datetime2(3)": _moment("datetime2", 23, 3, 3),
    "datetime2(7)": _moment("datetime2", 27, 7, 9),
    "datetimeoffset": _zoned("datetimeoffset", -155, 34, 7),
    "uniqueidentifier": _sized("uniqueidentifier", 1, 36),
    "nvarchar": partial(_sized, "nvarchar", -9),
    "varbinary": partial(_bytes, "varbinary", -3),
}


def _wrapped(number: int) -> int:
    """Return an unsigned 64-bit number as a signed one."""
    return number - 2**64 if number >= 2**63 else number


def _bits(length: int) -> SqlType:
    def encode(text: str) -> str:
        return base64_of(int(text, 2).to_bytes(-(-len(text) // 8), "little"))

    semantic, parameters = "io.debezium.data.Bits", {"length": str(length)}
    return SqlType("BIT", -7, length, None, "bytes", semantic, encode, parameters=parameters)


def _labels(kind: str, semantic: str, *allowed: str) -> SqlType:
    parameters = {"allowed": ",".join(allowed)}
    return SqlType(
        kind, 1, None, None, "string", f"io.debezium.data.{semantic}",
        parameters=parameters, labels=allowed,
    )  # fmt: skip


BINLOG: Family = {
    "INT": SqlType("INT", 4, None, None, "int32"),
    "INT UNSIGNED": SqlType("INT UNSIGNED", 4, None, None, "int64"),
    "BIGINT UNSIGNED": SqlType("BIGINT UNSIGNED", -5, None, None, "int64", None, _wrapped),
    "SMALLINT": SqlType("SMALLINT", 5, None, None, "int16"),
    "TINYINT(1)": SqlType("TINYINT", 5, 1, None, "int16"),
    "DOUBLE": SqlType("DOUBLE", 8, None, None, "double"),
    "YEAR": SqlType("YEAR", 4, None, None, "int32", TIME + "Year"),
    "JSON": SqlType("JSON", 1111, None, None, "string", JSON),
    "TEXT": SqlType("TEXT", 12, None, None, "string"),
    "DATE": _date("DATE"),
    "TIME": SqlType("TIME", 92, None, None, "int64", TIME + "MicroTime", _time_of_day(10**6)),
    "DATETIME(3)": _moment("DATETIME", 3, None, 3),
    "DATETIME(6)": _moment("DATETIME", 6, None, 6),
    "TIMESTAMP": _zoned("TIMESTAMP", 2014, None, None),
    "DECIMAL": partial(_decimal, "DECIMAL"),
    "VARCHAR": partial(_sized, "VARCHAR", 12),
    "VARBINARY": partial(_bytes, "VARBINARY", -3),
    "BIT": _bits,
    "ENUM": partial(_labels, "ENUM", "Enum"),
    "SET": partial(_labels, "SET", "EnumSet"),
}


def _number(precision: int, scale: int = 0) -> SqlType:
    """Return NUMBER(p,s): an integer where it fits one."""
    for most, connect in ((2, "int8"), (4, "int16"), (9, "int32"), (18, "int64")):
        if scale == 0 and precision <= most:
            return SqlType("NUMBER", 2, precision, 0, connect)
    return _decimal("NUMBER", precision, scale, jdbc=2)


def _plain_number(text: str) -> dict[str, Any]:
    number = Decimal(text)
    scale = -int(number.as_tuple().exponent)
    return {"scale": scale, "value": base64_decimal(int(number.scaleb(scale)))}


ORACLE: Family = {
    "NUMBER": SqlType("NUMBER", 2, 0, None, "struct", PLAIN_NUMBER, _plain_number),
    **{f"NUMBER({size})": _number(size) for size in (2, 4, 9, 18)},
    "NUMBER(12,2)": _number(12, 2),
    "NUMBER(18,9)": _number(18, 9),
    "DATE": _moment("DATE", None, None, 3),
    "TIMESTAMP(6)": _moment("TIMESTAMP(6)", 6, None, 6),
    "TIMESTAMP(9)": _moment("TIMESTAMP(9)", 9, None, 9),
    "TIMESTAMP(6) WITH TIME ZONE": _zoned("TIMESTAMP(6) WITH TIME ZONE", -101, 6, None),
    "VARCHAR2": partial(_sized, "VARCHAR2", 12),
    "CHAR": partial(_sized, "CHAR", 1),
    "CLOB": SqlType("CLOB", 2005, None, None, "string", lob=True),
    "BLOB": _bytes("BLOB", 2004, None, lob=True),
}
