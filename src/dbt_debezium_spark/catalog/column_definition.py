"""A column as the schema-change topic defines it: `tableChanges[].table.columns[]` (spec §9.2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnDefinition:
    """The members of a column's definition that are used; None for members of later versions.

    Attributes:
        name: name of the column.
        type_name: the database type, `typeName`.
        jdbc_type: code of the type, which alone identifies some types.
        length: precision of a number, or length of a text.
        scale: digits after the decimal point, or of a fraction of seconds.
        position: place in the table, from 1.
        optional: whether the column may be null.
        comment: comment in the database.
        default_value: SQL of the default, `defaultValueExpression`.
        enum_values: labels as the connector sends them.
    """

    name: str
    type_name: str
    jdbc_type: int | None = None
    length: int | None = None
    scale: int | None = None
    position: int | None = None
    optional: bool | None = None
    comment: str | None = None
    default_value: str | None = None
    enum_values: tuple[str | None, ...] | None = None
