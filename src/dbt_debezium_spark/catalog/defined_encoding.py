"""The encoding of a column that the schema-change topic defines, by its connector's types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.mysql_types import mysql_types
from dbt_debezium_spark.catalog.oracle_types import oracle_types
from dbt_debezium_spark.catalog.sqlserver_types import sqlserver_types
from dbt_debezium_spark.catalog.type_table import SizeFormat, TypeCase, TypeEntry, TypeTable
from dbt_debezium_spark.decode.columns import Config

# Connectors with a schema-change topic (spec §9.1).
TYPE_TABLES: dict[str, Callable[[Config], TypeTable]] = {
    "sqlserver": sqlserver_types,
    "oracle": oracle_types,
    "mysql": mysql_types,
    "mariadb": mysql_types,
}


def has_schema_change_topic(config: Config) -> bool:
    """Return whether the connector of a source has a schema-change topic (spec §9.1)."""
    return config["connector"] in TYPE_TABLES


# SQL Server's `varchar(max)` has a length of 2^31 - 1; other types have at most this length.
_MAX_LENGTH = 8000


@dataclass(frozen=True)
class DefinedEncoding:
    """The encoding of a column that only the schema-change topic describes.

    Attributes:
        type: literal type of Connect; None for a column that the connector omits.
        name: schema name.
        parameters: parameters of the schema.
        database_type: the type as in DDL.
    """

    type: str | None
    name: str | None
    parameters: dict[str, str]
    database_type: str | None


def defined_encoding(table: TypeTable, column: ColumnDefinition) -> DefinedEncoding:
    """Return the encoding of a defined column.

    The name of its type decides. For a name without an entry, such as an alias type of SQL Server,
    the JDBC code decides (spec §9.4).

    Args:
        table: types of the connector with the handling modes of the source.
        column: definition of the column.
    """
    for entry, size_format in _entries(table, column):
        for case in entry.cases:
            if _is_case(table, case, column):
                return DefinedEncoding(
                    type=case.encoding.type,
                    name=case.encoding.name,
                    parameters=_parameters(case, column),
                    database_type=_database_type(size_format, column),
                )
    return DefinedEncoding(None, None, {}, column.type_name)


def _entries(table: TypeTable, column: ColumnDefinition) -> Iterator[tuple[TypeEntry, SizeFormat]]:
    """Yield the entries of a column's type, by its name and then by its JDBC code."""
    word = table.word(column)
    for entry in table.entries:
        if word in entry.types and entry.where(column):
            yield entry, entry.size_format
    if word not in table.unencoded:
        for entry in table.entries:
            if column.jdbc_type in entry.jdbc and entry.where(column):
                # the name of an alias has no size
                yield entry, "name"


def _is_case(table: TypeTable, case: TypeCase, column: ColumnDefinition) -> bool:
    return case.applies(column) and (case.maximum is None or table.digits(column) <= case.maximum)


def _parameters(case: TypeCase, column: ColumnDefinition) -> dict[str, str]:
    encoding: ConnectEncoding = case.encoding
    parameters = dict(encoding.parameters)
    if encoding.is_decimal:
        scale = case.scale if case.scale is not None else column.scale or 0
        precision = case.precision or _length(column, case.usual_precision)
        parameters["scale"] = str(scale)
        if precision is not None:
            parameters["connect.decimal.precision"] = str(precision)
    elif encoding.is_bits:
        parameters["length"] = str(column.length)
    return parameters


def _length(column: ColumnDefinition, usual: int | None) -> int | None:
    return column.length if usual is None or (column.length or 0) > 0 else usual


def _database_type(size_format: SizeFormat, column: ColumnDefinition) -> str | None:
    """Return a type with its size as in DDL."""
    name, length, scale = column.type_name, column.length, column.scale
    if size_format == "precision":
        return None if length is None else f"{name}({length},{scale or 0})"
    if size_format == "length" and length is not None:
        return f"{name}({'max' if length > _MAX_LENGTH else length})"
    if size_format == "digits" and scale is not None:
        return f"{name}({scale})"
    if size_format == "size" and "(" not in name:
        numbers = ",".join(str(number) for number in (length, scale) if number is not None)
        return f"{name}({numbers})" if numbers else name
    return name
