"""The tables of an export, and the rows that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.schema_changes import DefinedColumn, Definition
from dbt_debezium_spark.column_export.columns import (
    BadRowError,
    ExportedColumn,
    exported_column,
    missing_columns,
    table_of_row,
)
from dbt_debezium_spark.column_export.csv_text import ExportRow
from dbt_debezium_spark.column_export.types import defined_column
from dbt_debezium_spark.config.errors import ConfigError, in_words

# Connectors whose records name the database beside the schema as the export does. MySQL's
# `table_catalog` is always `def`, and Oracle has none.
_WITH_DATABASE = ("postgresql", "sqlserver")
_Name = tuple[str | None, str, str]


@dataclass(frozen=True)
class ExportedTable:
    """A table of an export.

    Attributes:
        definition: its columns in order.
        key: the columns of its primary key in order; None without one.
        generated: its columns that the database computes.
    """

    definition: Definition
    key: tuple[str, ...] | None
    generated: frozenset[str]


@dataclass
class ExportedTables:
    """The tables of an export, and what is wrong with its rows.

    Attributes:
        tables: by database (None where records do not name it), schema and name.
        problems: by name of the table, None for an unknown one; a table with one is not in
            `tables`, because its columns would not be complete.
    """

    tables: dict[_Name, ExportedTable] = field(default_factory=dict)
    problems: list[tuple[str | None, str]] = field(default_factory=list)

    def table(self, name: TableName) -> ExportedTable | None:
        """Return a table of the records; None if the export does not have it.

        A database that either side does not name is any.
        """
        own = (name.schema_name or "", name.table_name or "")
        for database in (name.database_name, None):
            if (table := self.tables.get((database, *own))) is not None:
                return table
        if name.database_name is not None:
            return None
        found = [table for (_, *other), table in self.tables.items() if tuple(other) == own]
        return found[0] if len(found) == 1 else None

    def has_problem(self, name: TableName) -> bool:
        """Return whether a row of a table could not be read."""
        return f"{name.schema_name}.{name.table_name}" in {table for table, _ in self.problems}


def exported_tables(
    config: Mapping[str, Any], name: str, rows: Iterable[ExportRow]
) -> ExportedTables:
    """Return the tables of an export.

    Args:
        config: configuration of the source.
        name: name of the export, for messages.
        rows: its rows.

    Raises:
        ConfigError: the export lacks a column that every row needs.
    """
    by_table: dict[_Name, dict[str, tuple[ExportedColumn, DefinedColumn]]] = {}
    bad: dict[_Name, None] = {}
    found = ExportedTables()
    rows = list(rows)
    if rows:
        names = {column for row in rows for column in row.values}
        _refuse_incomplete(config["connector"], name, names)
    for row in rows:
        table: _Name | None = None
        try:
            table = _name(config, row)
            column = exported_column(row)
            known = by_table.setdefault(table, {})
            if column.name in known:
                raise BadRowError(f"column_name is '{column.name}', which the table has already")
            known[column.name] = (column, defined_column(config, column))
        except BadRowError as error:
            if table is not None:
                bad[table] = None
            shown = None if table is None else f"{table[1]}.{table[2]}"
            of = "" if shown is None else f" (table '{shown}')"
            found.problems.append((shown, f"{name}, {row.place}{of}: {error}."))
    for table, columns in by_table.items():
        if table not in bad and columns:
            found.tables[table] = _table(columns.values())
    return found


def _refuse_incomplete(connector: str, name: str, names: set[str]) -> None:
    missing = missing_columns(connector, names)
    if missing and names:
        raise ConfigError(
            f"{name} has no column {in_words(missing)}, only {in_words(sorted(names))}",
            "Export the result of the query in docs/generate.md with its header",
        )


def _name(config: Mapping[str, Any], row: ExportRow) -> _Name:
    database, schema, table = table_of_row(row)
    return (database if config["connector"] in _WITH_DATABASE else None, schema, table)


def _table(columns: Iterable[tuple[ExportedColumn, DefinedColumn]]) -> ExportedTable:
    in_order = sorted(columns, key=lambda one: one[0].position or 0)
    key = sorted(
        (column.key_position, column.name)
        for column, _ in in_order
        if column.key_position is not None
    )
    return ExportedTable(
        definition=tuple(defined for _, defined in in_order),
        key=tuple(name for _, name in key) or None,
        generated=frozenset(column.name for column, _ in in_order if column.is_generated),
    )
