"""How Oracle's connector encodes columns (spec §10.4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import (
    ZONED_TIMESTAMP,
    binary_encoding,
    decimal_encoding,
    interval_encoding,
    is_precise,
    temporal_encodings,
    variable_scale_encoding,
)
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry, TypeTable, by_digits, only
from dbt_debezium_spark.decode.columns import Config

_TEXTS = (
    "CHAR", "NCHAR", "VARCHAR", "VARCHAR2", "NVARCHAR2", "CHARACTER", "CHARACTER VARYING",
    "CHAR VARYING", "NCHAR VARYING", "NATIONAL CHARACTER", "NATIONAL CHARACTER VARYING",
)  # fmt: skip
_IN_PARENTHESES = re.compile(r"\([^)]*\)")
_SPACES = re.compile(r"\s+", re.ASCII)
_TIMESTAMP_DIGITS = re.compile(r"TIMESTAMP\s*\(([0-9]+)\)", re.ASCII)
# Integers for numbers without decimal places, by their precision.
_WHOLE = ((2, "int8"), (4, "int16"), (9, "int32"), (18, "int64"))


def oracle_types(config: Config) -> TypeTable:
    """Return the types of Oracle under the handling modes of a source.

    A NUMBER without a scale has one in each value. Numbers without decimal places follow
    `decimal.handling.mode` since Debezium 2.7. Before, and with
    `legacy.decimal.handling.strategy`, those of up to 18 digits are integers, which the same
    columns decode as well.
    """
    decimal = decimal_encoding(config)
    variable = variable_scale_encoding(config)
    binary = binary_encoding(config)
    temporal = temporal_encodings(config)
    string = only(ConnectEncoding("string"))
    whole = _whole_numbers() if is_precise(config) else ()
    number = (
        TypeCase(variable, "without a scale", applies=lambda column: column.scale is None),
        *whole,
        TypeCase(decimal, "else", usual_precision=38),
    )
    numeric = (
        TypeCase(
            decimal,
            "without a scale",
            applies=lambda column: column.scale is None or not column.length,
            usual_precision=38,
            scale=0,
        ),
        *whole,
        TypeCase(decimal, "else"),
    )
    zoned = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH LOCAL TIME ZONE")
    intervals = ("INTERVAL YEAR TO MONTH", "INTERVAL DAY TO SECOND")
    floats = ("FLOAT", "REAL", "DOUBLE PRECISION")
    integers = (TypeCase(decimal, precision=38, scale=0),)
    xml = ConnectEncoding("string", "io.debezium.data.Xml")
    return TypeTable(
        word=_without_numbers,
        digits=_digits,
        entries=(
            TypeEntry(_TEXTS, string, size_format="size"),
            TypeEntry(("CLOB", "NCLOB", "ROWID"), string),
            TypeEntry(("NUMBER",), number, size_format="size"),
            TypeEntry(("INTEGER", "INT", "SMALLINT"), integers),
            TypeEntry(("DECIMAL", "DEC", "NUMERIC"), numeric, size_format="size"),
            TypeEntry(floats, only(variable), size_format="size"),
            TypeEntry(("BINARY_FLOAT",), only(ConnectEncoding("float")), jdbc=(100,)),
            TypeEntry(("BINARY_DOUBLE",), only(ConnectEncoding("double")), jdbc=(101,)),
            # it has a time of day, in milliseconds whatever the time precision mode is
            TypeEntry(("DATE",), only(temporal.timestamp[0][1])),
            TypeEntry(("TIMESTAMP",), by_digits(temporal.timestamp), size_format="size"),
            TypeEntry(zoned, only(ZONED_TIMESTAMP), jdbc=(-101, -102)),
            TypeEntry(intervals, only(interval_encoding(config)), jdbc=(-103, -104)),
            TypeEntry(("RAW",), only(binary), size_format="size"),
            TypeEntry(("BLOB",), only(binary)),
            TypeEntry(("XMLTYPE", "SYS.XMLTYPE"), only(xml), jdbc=(2009,)),
        ),
    )


def _without_numbers(column: ColumnDefinition) -> str:
    """Return a type without its sizes; `INTERVAL DAY (2) TO SECOND (6)` has two."""
    return _SPACES.sub(" ", _IN_PARENTHESES.sub(" ", column.type_name.upper())).strip(" ")


def _digits(column: ColumnDefinition) -> int:
    """Return the digits of a timestamp, which its name contains and its length repeats."""
    if found := _TIMESTAMP_DIGITS.match(column.type_name):
        return int(found[1])
    return 6 if column.length is None else column.length


def _whole_numbers() -> tuple[TypeCase, ...]:
    return tuple(
        TypeCase(
            ConnectEncoding(literal),
            f"up to {maximum} digits, none after the point",
            applies=_has_whole_digits(maximum),
        )
        for maximum, literal in _WHOLE
    )


def _has_whole_digits(maximum: int) -> Callable[[ColumnDefinition], bool]:
    def applies(column: ColumnDefinition) -> bool:
        length, scale = column.length, column.scale
        if length is None or scale is None:
            return False
        return scale <= 0 < length and length - scale <= maximum

    return applies
