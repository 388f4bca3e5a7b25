"""How SQL Server's connector encodes columns (spec §10.2)."""

from __future__ import annotations

import re

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import (
    ZONED_TIMESTAMP,
    binary_encoding,
    decimal_encoding,
    temporal_encodings,
)
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry, TypeTable, by_digits, only
from dbt_debezium_spark.decode.columns import Config

_FIRST_WORD = re.compile(r"\s*([a-z0-9_]+)", re.ASCII)
# The connector omits these types.
_UNENCODED = ("geometry", "geography", "hierarchyid", "sql_variant", "vector", "json")


def first_word(column: ColumnDefinition) -> str:
    """Return the first word of a type, because identity columns have the type `int identity`."""
    match = _FIRST_WORD.match(column.type_name.lower())
    return match[1] if match else ""


def sqlserver_types(config: Config) -> TypeTable:
    """Return the types of SQL Server under the handling modes of a source.

    Alias types have other names. Their JDBC code shows the base type, unless the connector omits
    that type.
    """
    decimal = decimal_encoding(config)
    binary = binary_encoding(config)
    temporal = temporal_encodings(config)
    string = only(ConnectEncoding("string"))
    texts = ("char", "varchar", "nchar", "nvarchar")
    text_codes = (1, 12, -15, -9, -1, -16)
    money = (TypeCase(decimal, precision=19, scale=4),)
    small_money = (TypeCase(decimal, precision=10, scale=4),)
    # the type has milliseconds, whatever digits its definition has
    datetime = only(temporal.timestamp[0][1])
    xml = ConnectEncoding("string", "io.debezium.data.Xml")
    time, datetime2 = by_digits(temporal.time), by_digits(temporal.timestamp)
    return TypeTable(
        word=first_word,
        digits=lambda column: 7 if column.scale is None else column.scale,
        unencoded=_UNENCODED,
        entries=(
            TypeEntry(("bit",), only(ConnectEncoding("boolean")), jdbc=(-7,)),
            TypeEntry(("tinyint", "smallint"), only(ConnectEncoding("int16")), jdbc=(-6, 5)),
            TypeEntry(("int",), only(ConnectEncoding("int32")), jdbc=(4,)),
            TypeEntry(("bigint",), only(ConnectEncoding("int64")), jdbc=(-5,)),
            TypeEntry(("real",), only(ConnectEncoding("float")), jdbc=(7,)),
            TypeEntry(("float",), only(ConnectEncoding("double")), jdbc=(6, 8)),
            TypeEntry(("decimal", "numeric"), only(decimal), jdbc=(2, 3), size_format="precision"),
            TypeEntry(("money",), money, jdbc=(-148,)),
            TypeEntry(("smallmoney",), small_money, jdbc=(-146,)),
            TypeEntry(texts, string, jdbc=text_codes, size_format="length"),
            TypeEntry(("text", "ntext", "uniqueidentifier", "sysname"), string),
            TypeEntry(("xml",), only(xml), jdbc=(2009,)),
            TypeEntry(
                ("binary", "varbinary"), only(binary), jdbc=(-2, -3, -4), size_format="length"
            ),
            TypeEntry(("image", "timestamp", "rowversion"), only(binary)),
            TypeEntry(("date",), only(temporal.date), jdbc=(91,)),
            TypeEntry(("time",), time, jdbc=(92,), size_format="digits"),
            TypeEntry(("datetime2",), datetime2, size_format="digits"),
            TypeEntry(("datetime", "smalldatetime"), datetime, jdbc=(93,)),
            TypeEntry(
                ("datetimeoffset",), only(ZONED_TIMESTAMP), jdbc=(-155, 2014), size_format="digits"
            ),
        ),
    )
