"""How the connectors of MySQL and MariaDB encode columns (spec §10.5)."""

from __future__ import annotations

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import BITS, ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import (
    ZONED_TIMESTAMP,
    binary_encoding,
    decimal_encoding,
    temporal_encodings,
    unsigned_bigint_encoding,
)
from dbt_debezium_spark.catalog.sqlserver_types import first_word
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry, TypeTable, by_digits, only
from dbt_debezium_spark.decode.columns import Config
from dbt_debezium_spark.decode.semantic_types import JSON

_INTEGERS = ("mediumint", "middleint", "int3", "int", "integer", "int4")
_TEXTS = ("char", "varchar", "nchar", "nvarchar", "character", "national")
_LONG_TEXTS = ("tinytext", "text", "mediumtext", "longtext", "long")
_GEOMETRIES = (
    "geometry", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon",
    "geometrycollection", "geomcollection",
)  # fmt: skip


def mysql_types(config: Config) -> TypeTable:
    """Return the types of MySQL and MariaDB under the handling modes of a source.

    The first word decides, for example of `BIGINT UNSIGNED ZEROFILL` and `DOUBLE PRECISION`.
    """
    binary = only(binary_encoding(config))
    temporal = temporal_encodings(config)
    string = only(ConnectEncoding("string"))
    big_unsigned = (TypeCase(unsigned_bigint_encoding(config), precision=20, scale=0),)
    decimal = (TypeCase(decimal_encoding(config), usual_precision=10),)
    tinyint = (
        TypeCase(
            ConnectEncoding("boolean"),
            "a BOOLEAN of streamed DDL",
            applies=lambda column: column.jdbc_type == 16,
        ),
        TypeCase(ConnectEncoding("int16"), "else"),
    )
    floats = (
        TypeCase(ConnectEncoding("double"), "(M,D) or over 24 bits", applies=_is_double),
        TypeCase(ConnectEncoding("float"), "else"),
    )
    bits = (
        TypeCase(
            ConnectEncoding("boolean"),
            "one bit",
            applies=lambda column: column.length is None or column.length == 1,
        ),
        TypeCase(ConnectEncoding("bytes", BITS), "more bits"),
    )
    return TypeTable(
        word=first_word,
        digits=lambda column: column.length or 0,
        entries=(
            TypeEntry(("bool", "boolean"), only(ConnectEncoding("boolean"))),
            TypeEntry(("tinyint",), tinyint),
            _unsigned_entry(("smallint", "int2"), only(ConnectEncoding("int32"))),
            TypeEntry(("smallint", "int1", "int2"), only(ConnectEncoding("int16"))),
            _unsigned_entry(("int", "integer", "int4"), only(ConnectEncoding("int64"))),
            TypeEntry(_INTEGERS, only(ConnectEncoding("int32"))),
            _unsigned_entry(("bigint", "int8"), big_unsigned),
            TypeEntry(("serial",), big_unsigned),
            TypeEntry(("bigint", "int8"), only(ConnectEncoding("int64"))),
            TypeEntry(("decimal", "numeric", "dec", "fixed"), decimal, size_format="size"),
            TypeEntry(("float",), floats),
            TypeEntry(("real", "float4"), only(ConnectEncoding("float"))),
            TypeEntry(("double", "float8"), only(ConnectEncoding("double"))),
            TypeEntry(("bit",), bits, size_format="size"),
            TypeEntry(_TEXTS, string, size_format="size"),
            TypeEntry(_LONG_TEXTS, string),
            TypeEntry(("binary", "varbinary"), binary, size_format="size"),
            TypeEntry(("tinyblob", "blob", "mediumblob", "longblob"), binary),
            TypeEntry(("json",), only(ConnectEncoding("string", JSON))),
            TypeEntry(("enum",), only(_debezium("string", "data.Enum"))),
            TypeEntry(("set",), only(_debezium("string", "data.EnumSet"))),
            TypeEntry(("year",), only(_debezium("int32", "time.Year"))),
            TypeEntry(("date",), only(temporal.date)),
            TypeEntry(("time",), by_digits(temporal.time), size_format="size"),
            TypeEntry(("datetime",), by_digits(temporal.timestamp), size_format="size"),
            TypeEntry(("timestamp",), only(ZONED_TIMESTAMP), size_format="size"),
            TypeEntry(("point",), only(_debezium("struct", "data.geometry.Point"))),
            TypeEntry(_GEOMETRIES, only(_debezium("struct", "data.geometry.Geometry"))),
            TypeEntry(("vector",), only(_debezium("array", "data.FloatVector"))),
        ),
    )


def _debezium(literal: str, name: str) -> ConnectEncoding:
    return ConnectEncoding(literal, f"io.debezium.{name}")


def _unsigned_entry(types: tuple[str, ...], cases: tuple[TypeCase, ...]) -> TypeEntry:
    return TypeEntry(types, cases, description="unsigned", where=_is_unsigned)


def _is_unsigned(column: ColumnDefinition) -> bool:
    """Return whether a number is unsigned, which `ZEROFILL` implies."""
    name = column.type_name.upper()
    return "UNSIGNED" in name or "ZEROFILL" in name


def _is_double(column: ColumnDefinition) -> bool:
    return column.scale is not None or (column.length is not None and column.length > 24)
