"""Tables in a record of the schema-change topic: `tableChanges` (spec §9.2, §9.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.defined_encoding import defined_encoding
from dbt_debezium_spark.catalog.json_texts import (
    as_boolean,
    as_int,
    as_text,
    as_texts,
    elements,
    members,
    to_json,
)
from dbt_debezium_spark.catalog.schema_node import Nodes, SchemaNode
from dbt_debezium_spark.catalog.type_table import TypeTable

_QUOTED_PART = re.compile(r'"((?:[^"]|"")*)"')
_LAST_PART = re.compile(r'"((?:[^"]|"")*)"$')


class DefinedColumn(NamedTuple):
    """A column of a definition, with its derived encoding."""

    name: str
    node: SchemaNode
    is_optional: bool | None
    position: int | None
    default_value: str | None
    database_type: str | None
    comment: str | None
    enum_values: tuple[str | None, ...] | None


Definition = tuple[DefinedColumn, ...]


@dataclass(frozen=True)
class TableChange:
    """One element of `tableChanges`; `columns` is None if it lists none."""

    type: str | None
    id: str | None
    primary_key: tuple[str | None, ...] | None
    comment: str | None
    columns: tuple[ColumnDefinition | None, ...] | None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the id. A quoted part may contain dots and doubled quotes."""
        text = self.id or ""
        if not text.startswith('"'):
            return tuple(text.split("."))
        return tuple(part.replace('""', '"') for part in _QUOTED_PART.findall(text))

    @property
    def table(self) -> str:
        """The name of the table, which is the last part of a quoted id."""
        match = _LAST_PART.search(self.id or "")
        return match[1].replace('""', '"') if match else ""

    @property
    def is_valid(self) -> bool:
        """Whether the change has a table, and each column has a unique name and a type.

        Other changes are no evidence; `generate` reports them.
        """
        if not self.id:
            return False
        if self.type == "DROP":
            return True
        if self.type not in ("CREATE", "ALTER") or self.columns is None or None in self.columns:
            return False
        names = [column.name for column in self.columns if column is not None]
        return len(set(names)) == len(names)


def table_changes(text: str | None) -> list[TableChange]:
    """Return the changes that a record of the schema-change topic lists.

    Args:
        text: `tableChanges` of the record, as JSON text.
    """
    changes = elements(text)
    if changes is None:
        # Spark reads an object in the place of an array as an array of one element
        changes = [text] if text is not None and text.startswith("{") else []
    return [_change(change) for change in changes]


def _change(text: str) -> TableChange:
    change = members(text)
    table = members(change.get("table"))
    columns = elements(table.get("columns"))
    key = as_texts(table.get("primaryKeyColumnNames"))
    return TableChange(
        type=as_text(change.get("type")),
        id=as_text(change.get("id")),
        primary_key=None if key is None else tuple(key),
        comment=as_text(table.get("comment")),
        columns=None if columns is None else tuple(_column(column) for column in columns),
    )


def _column(text: str) -> ColumnDefinition | None:
    """Return the definition of a column; None without a name or a type."""
    column = members(text)
    name, type_name = as_text(column.get("name")), as_text(column.get("typeName"))
    if not name or type_name is None:
        return None
    labels = as_texts(column.get("enumValues"))
    return ColumnDefinition(
        name=name,
        type_name=type_name,
        jdbc_type=as_int(column.get("jdbcType")),
        length=as_int(column.get("length")),
        scale=as_int(column.get("scale")),
        position=as_int(column.get("position")),
        optional=as_boolean(column.get("optional")),
        comment=as_text(column.get("comment")),
        default_value=as_text(column.get("defaultValueExpression")),
        enum_values=None if labels is None else tuple(labels),
    )


def definition_of(change: TableChange, table: TypeTable) -> Definition:
    """Return the columns of a change, with the encodings of the connector."""
    return tuple(encoded_column(column, table) for column in _columns(change))


def _columns(change: TableChange) -> Iterator[ColumnDefinition]:
    return (column for column in change.columns or () if column is not None)


def encoded_column(column: ColumnDefinition, table: TypeTable) -> DefinedColumn:
    """Return a column of a definition with the encoding of its type."""
    encoding = defined_encoding(table, column)
    node = {
        "type": encoding.type,
        "optional": column.optional,
        "name": encoding.name,
        "parameters": encoding.parameters or None,
        "field": column.name,
    }
    labels = None
    if column.enum_values is not None and column.type_name.upper().startswith("ENUM"):
        labels = tuple(_label(label) for label in column.enum_values)
    return DefinedColumn(
        name=column.name,
        node=SchemaNode(to_json({name: one for name, one in node.items() if one is not None})),
        is_optional=column.optional,
        position=column.position,
        default_value=column.default_value,
        database_type=encoding.database_type,
        comment=column.comment,
        enum_values=labels,
    )


def _label(label: str | None) -> str | None:
    """Return a label of `enumValues`, which may be quoted (spec §9.4)."""
    if label is not None and len(label) > 1 and label.startswith("'") and label.endswith("'"):
        return label[1:-1].replace("''", "'")
    return label


def nodes_of(definition: Definition) -> Nodes:
    """Return the nodes of a definition's columns."""
    return tuple(column.node for column in definition)


def defined_column(definition: Definition | None, name: str | None) -> DefinedColumn | None:
    """Return a column of a definition; None if it does not exist."""
    return next((column for column in definition or () if column.name == name), None)
