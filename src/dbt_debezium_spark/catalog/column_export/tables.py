"""The tables of an export: their columns as the connector encodes them, and rows with problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.column_export.rows import (
    BadRowError,
    ExportedColumn,
    ExportRow,
    exported_column,
    missing_columns,
)
from dbt_debezium_spark.catalog.configured_tables import connect_node
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.json_texts import to_json
from dbt_debezium_spark.catalog.postgresql_types import postgresql_encoding
from dbt_debezium_spark.catalog.schema_changes import DefinedColumn, Definition, encoded_column
from dbt_debezium_spark.catalog.schema_node import SchemaNode
from dbt_debezium_spark.config.errors import ConfigError, in_words

Config = Mapping[str, Any]
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


def exported_tables(config: Config, name: str, rows: Iterable[ExportRow]) -> ExportedTables:
    """Return the tables of an export.

    Args:
        config: configuration of the source.
        name: name of the export, for messages.
        rows: its rows.

    Raises:
        ConfigError: the export lacks a column that every row needs.
    """
    by_table: dict[_Name, dict[str, tuple[ExportedColumn, DefinedColumn]]] = {}
    bad: set[_Name] = set()
    found = ExportedTables()
    rows = list(rows)
    names = {column for row in rows for column in row.values}
    missing = missing_columns(config["connector"], names)
    if missing and names:
        raise ConfigError(
            f"{name} has no column {in_words(missing)}, only {in_words(sorted(names))}",
            "Export the result of the query in docs/generate.md with its header",
        )
    for row in rows:
        table: _Name | None = None
        try:
            schema, table_name = row.name("table_schema"), row.name("table_name")
            database = row.text("table_catalog")
            table = (
                database if config["connector"] in _WITH_DATABASE else None, schema, table_name
            )  # fmt: skip
            column = exported_column(row)
            known = by_table.setdefault(table, {})
            if column.name in known:
                raise BadRowError(f"column_name is '{column.name}', which the table has already")
            known[column.name] = (column, defined_column(config, column))
        except BadRowError as error:
            shown = None if table is None else f"{table[1]}.{table[2]}"
            bad.update([] if table is None else [table])
            of = "" if shown is None else f" (table '{shown}')"
            found.problems.append((shown, f"{name}, {row.place}{of}: {error}."))
    for table, columns in by_table.items():
        if table not in bad and columns:
            found.tables[table] = _table(columns.values())
    return found


def _table(columns: Iterable[tuple[ExportedColumn, DefinedColumn]]) -> ExportedTable:
    in_order = sorted(columns, key=lambda pair: pair[0].position or 0)
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


# -- types -----------------------------------------------------------------------------------------

# What the schema-change topic has for `varchar(max)`.
_MAX = 2**31 - 1
_SQL_SERVER_FRACTIONS = ("time", "datetime2", "datetimeoffset")
_SQL_SERVER_NUMBERS = ("decimal", "numeric")
_MYSQL_TYPE = re.compile(r"\s*([a-z0-9_]+)\s*(?:\((.*)\))?\s*([a-z0-9_ ]*)", re.DOTALL)
# The query separates labels by line breaks, because they may contain commas.
_LABEL_LINES = re.compile(r"\r?\n")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LABEL = re.compile(r"'((?:[^'\\]|''|\\.)*)'", re.DOTALL)
_ESCAPE = re.compile(r"''|\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
# Types of information_schema whose size PostgreSQL shows in another column.
_POSTGRESQL_TEXTS = ("character varying", "character", "bit", "bit varying")
_POSTGRESQL_TIMES = ("time", "timestamp", "interval")
_QUALIFIED = re.compile(r'(?:"(?:[^"]|"")*"|[^".(\s]+)\.')

_STRUCTS: dict[str, tuple[tuple[str, str, bool], ...]] = {
    "io.debezium.data.VariableScaleDecimal": (("scale", "int32", False), ("value", "bytes", False)),
    "io.debezium.data.geometry.Point": (
        ("x", "double", False),
        ("y", "double", False),
        ("wkb", "bytes", True),
        ("srid", "int32", True),
    ),
    "io.debezium.data.geometry.Geometry": (("wkb", "bytes", False), ("srid", "int32", True)),
    "io.debezium.data.geometry.Geography": (("wkb", "bytes", False), ("srid", "int32", True)),
}
_ITEMS = {
    "io.debezium.data.DoubleVector": {"type": "double", "optional": False},
    "io.debezium.data.FloatVector": {"type": "float", "optional": False},
}


def defined_column(config: Config, column: ExportedColumn) -> DefinedColumn:
    """Return a column of an export with the encoding of the source's connector.

    The type of its node is None if the connector encodes it in no known way.

    Args:
        config: configuration of the source.
        column: the row.

    Raises:
        BadRowError: the type cannot be read.
    """
    if config["connector"] == "postgresql":
        return _postgresql_column(config, column)
    definition = _DEFINITIONS[config["connector"]](column)
    # these labels are not quoted as those of the schema-change topic are
    defined = encoded_column(
        replace(definition, enum_values=None), TYPE_TABLES[config["connector"]](config)
    )
    is_enum = definition.type_name.startswith("ENUM")
    labels = definition.enum_values if is_enum else None
    return defined._replace(node=_with_members(defined.node), enum_values=labels)


def _definition(
    column: ExportedColumn,
    type_name: str,
    length: int | None,
    scale: int | None,
    labels: tuple[str, ...] | None = None,
) -> ColumnDefinition:
    return ColumnDefinition(
        name=column.name,
        type_name=type_name,
        length=length,
        scale=scale,
        position=column.position,
        optional=column.is_optional,
        comment=column.comment,
        enum_values=labels,
    )


def _sqlserver_definition(column: ExportedColumn) -> ColumnDefinition:
    word = column.data_type.lower()
    length, scale = column.length, None
    if word in _SQL_SERVER_NUMBERS:
        length, scale = column.precision, column.scale
    elif word in _SQL_SERVER_FRACTIONS:
        length, scale = None, column.fraction_digits
    elif length == -1:
        length = _MAX
    return _definition(column, word, length, scale)


def _oracle_definition(column: ExportedColumn) -> ColumnDefinition:
    word = column.data_type.upper()
    if word in ("NUMBER", "FLOAT"):
        return _definition(column, word, column.precision, column.scale)
    return _definition(column, word, column.length or None, None)


def _mysql_definition(column: ExportedColumn) -> ColumnDefinition:
    """Return the definition of a column by its `column_type`, such as `decimal(10,2) unsigned`."""
    text = _COMMENT.sub("", column.column_type or column.data_type)
    name, arguments, rest = _mysql_parts(text)
    type_name = f"{name} {rest}".strip().upper()
    if name in ("enum", "set"):
        labels = tuple(map(_label, _LABEL.findall(arguments or "")))
        return _definition(column, type_name, None, None, labels)
    numbers = [part.strip() for part in (arguments or "").split(",") if part.strip()]
    if not all(number.isdecimal() for number in numbers) or len(numbers) > 2:
        raise BadRowError(f"column_type is '{text[:40]}', whose size cannot be read")
    length, scale, *_ = [*(int(number) for number in numbers), None, None]
    return _definition(column, type_name, length, scale)


def _mysql_parts(text: str) -> tuple[str, str | None, str]:
    found = _MYSQL_TYPE.fullmatch(text.lower() if "'" not in text else _lower_outside(text))
    if found is None:
        raise BadRowError(f"column_type is '{text[:40]}', which is no type")
    return found[1], found[2], found[3].strip()


def _lower_outside(text: str) -> str:
    """Return a type in lower case, with its labels as they are."""
    start, end = text.index("'"), text.rindex("'") + 1
    return text[:start].lower() + text[start:end] + text[end:].lower()


def _label(text: str) -> str:
    """Return a label as MySQL stores it: its catalog doubles quotes and escapes backslashes."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1] or "'"), text)


def _postgresql_column(config: Config, column: ExportedColumn) -> DefinedColumn:
    type_text = _postgresql_type(column)
    encoding = postgresql_encoding(config, "enum" if column.labels else type_text)
    if column.labels and type_text.endswith("[]"):
        encoding = postgresql_encoding(config, "enum[]")
    node: dict[str, Any] = {"field": column.name, "optional": column.is_optional}
    if encoding is not None:
        node = connect_node({**encoding, "name": column.name, "optional": node["optional"]})
    labels = tuple(_LABEL_LINES.split(column.labels)) if column.labels else None
    return DefinedColumn(
        name=column.name,
        node=_with_members(SchemaNode(to_json(node))),
        is_optional=node["optional"],
        position=column.position,
        default_value=None,
        database_type=type_text,
        comment=column.comment,
        enum_values=labels,
    )


def _postgresql_type(column: ExportedColumn) -> str:
    """Return a type as in DDL, from `column_type` or from the columns of information_schema."""
    if column.column_type is not None:
        return _without_schema(column.column_type.strip())
    data_type, udt = column.data_type.lower(), column.udt_name or ""
    if data_type == "array":
        return udt.removeprefix("_") + "[]"
    if data_type == "user-defined":
        return udt
    if data_type == "numeric" and column.precision is not None:
        return f"numeric({column.precision},{column.scale or 0})"
    if data_type in _POSTGRESQL_TEXTS and column.length is not None:
        return f"{data_type}({column.length})"
    words = data_type.split(" ", 1)
    if words[0] in _POSTGRESQL_TIMES and column.fraction_digits is not None:
        return " ".join([f"{words[0]}({column.fraction_digits})", *words[1:]])
    return data_type


def _without_schema(text: str) -> str:
    """Return a type without its schema and quotes: `public.citext`, `"Audit"."State"[]`."""
    found = _QUALIFIED.match(text)
    name = text[found.end() :] if found else text
    if not name.startswith('"'):
        return name
    end = name.rindex('"')
    return name[1:end].replace('""', '"') + name[end + 1 :]


def _with_members(node: SchemaNode) -> SchemaNode:
    """Return a node with the members that embedded schemas of its type have."""
    name = node.name or ""
    if name not in _STRUCTS and name not in _ITEMS:
        return node
    members: dict[str, Any] = {"type": node.type}
    if name in _STRUCTS:
        members["fields"] = [
            {"type": kind, "optional": optional, "field": field}
            for field, kind, optional in _STRUCTS[name]
        ]
    else:
        members["items"] = _ITEMS[name]
    members |= {"optional": node.optional, "name": name, "field": node.field}
    return SchemaNode(to_json(members))


_DEFINITIONS: dict[str, Callable[[ExportedColumn], ColumnDefinition]] = {
    "sqlserver": _sqlserver_definition,
    "oracle": _oracle_definition,
    "mysql": _mysql_definition,
    "mariadb": _mysql_definition,
}
