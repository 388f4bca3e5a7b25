"""The values of one row of an export, under the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from dbt_debezium_spark.column_export.csv_text import ExportRow

# By column, other names that databases give it.
COLUMNS: dict[str, tuple[str, ...]] = {
    "table_catalog": (),
    "table_schema": ("owner",),
    "table_name": (),
    "column_name": (),
    "ordinal_position": ("column_id",),
    "data_type": (),
    "column_type": ("formatted_type",),
    "udt_name": (),
    "character_maximum_length": ("char_length", "data_length"),
    "numeric_precision": ("data_precision",),
    "numeric_scale": ("data_scale",),
    "datetime_precision": (),
    "is_nullable": ("nullable",),
    "is_generated": (),
    "key_position": (),
    "column_comment": ("comments",),
    "enum_values": (),
}
_REQUIRED = ("table_schema", "table_name", "column_name", "data_type")
# MySQL's `data_type` alone shows neither `unsigned` nor the labels of an enum.
_REQUIRED_BY_CONNECTOR = {"mysql": ("column_type",), "mariadb": ("column_type",)}
# How clients write null; names of tables and columns are taken as they are.
_NULLS = ("", "null", "\\n", "(null)")
_INTEGER = re.compile(r"-?[0-9]{1,10}(\.0+)?")
_TRUE, _FALSE = ("yes", "y", "true", "t", "1"), ("no", "n", "false", "f", "0")
_NOT_GENERATED = ("never", "no", "n", "false", "f", "0")


class BadRowError(ValueError):
    """A row that cannot be read; the text says which value is wrong."""


@dataclass(frozen=True)
class ExportedColumn:
    """One row of an export; None for what it does not show."""

    database: str | None
    schema: str
    table: str
    name: str
    position: int | None
    data_type: str
    column_type: str | None
    udt_name: str | None
    length: int | None
    precision: int | None
    scale: int | None
    fraction_digits: int | None
    is_nullable: bool | None
    is_generated: bool
    key_position: int | None
    comment: str | None
    labels: str | None


def missing_columns(connector: str, names: Collection[str]) -> list[str]:
    """Return the columns that an export must have and lacks.

    Args:
        connector: connector of the source.
        names: names of its columns, in lower case.
    """
    required = (*_REQUIRED, *_REQUIRED_BY_CONNECTOR.get(connector, ()))
    return [name for name in required if not {name, *COLUMNS[name]} & set(names)]


def table_of_row(row: ExportRow) -> tuple[str | None, str, str]:
    """Return database, schema and name of the table of a row.

    Raises:
        BadRowError: schema or name is missing.
    """
    if row.problem is not None:
        raise BadRowError(row.problem)
    return _text(row, "table_catalog"), _name(row, "table_schema"), _name(row, "table_name")


def exported_column(row: ExportRow) -> ExportedColumn:
    """Return the column that a row describes.

    Raises:
        BadRowError: a value is missing or wrong.
    """
    database, schema, table = table_of_row(row)
    return ExportedColumn(
        database=database,
        schema=schema,
        table=table,
        name=_name(row, "column_name"),
        position=_number(row, "ordinal_position"),
        data_type=_name(row, "data_type").strip(),
        column_type=_text(row, "column_type"),
        udt_name=_text(row, "udt_name"),
        length=_number(row, "character_maximum_length"),
        precision=_number(row, "numeric_precision"),
        scale=_number(row, "numeric_scale"),
        fraction_digits=_number(row, "datetime_precision"),
        is_nullable=_boolean(row, "is_nullable"),
        is_generated=(_text(row, "is_generated") or "never").lower() not in _NOT_GENERATED,
        key_position=_key_position(row),
        comment=_text(row, "column_comment"),
        labels=_text(row, "enum_values"),
    )


def _value(row: ExportRow, column: str) -> str | None:
    """Return the value of the first name of a column that has one."""
    for name in (column, *COLUMNS[column]):
        value = row.values.get(name)
        if value is not None and value.strip().lower() not in _NULLS:
            return value
    return None


def _name(row: ExportRow, column: str) -> str:
    """Return a name, which may be `null`."""
    for name in (column, *COLUMNS[column]):
        value = row.values.get(name)
        if value is not None and value.strip():
            return value
    raise BadRowError(f"{column} is empty")


def _text(row: ExportRow, column: str) -> str | None:
    return _value(row, column)


def _number(row: ExportRow, column: str) -> int | None:
    value = _value(row, column)
    if value is None:
        return None
    text = value.strip()
    if not _INTEGER.fullmatch(text):
        raise BadRowError(f"{column} is '{_shown(value)}', not a whole number")
    return int(text.split(".")[0])


def _boolean(row: ExportRow, column: str) -> bool | None:
    value = _value(row, column)
    if value is None:
        return None
    word = value.strip().lower()
    if word not in _TRUE + _FALSE:
        raise BadRowError(f"{column} is '{_shown(value)}', not YES or NO")
    return word in _TRUE


def _key_position(row: ExportRow) -> int | None:
    position = _number(row, "key_position")
    if position is not None and position < 1:
        raise BadRowError(f"key_position is {position}, not a place in the key from 1")
    return position


def _shown(value: str) -> str:
    return value if len(value) <= 40 else value[:40] + "…"
