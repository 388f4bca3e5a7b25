"""The rows of an export, wherever it is, and their values under the names of its columns."""

from __future__ import annotations

import base64
import codecs
import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.config.inputs import input_location, local_path
from dbt_debezium_spark.config.sources import RELATION_MARK, is_parquet

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

_DELIMITERS = (",", ";", "\t", "|")
# Clients on Windows write UTF-16, or UTF-8 with a mark.
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"", "utf-8"),
)
_LONGEST_FIELD = 1024 * 1024


class BadRowError(ValueError):
    """A row that cannot be read; the text says which value is wrong."""


@dataclass(frozen=True)
class ExportRow:
    """One row of an export.

    Attributes:
        place: where it is, for messages: `line 7`.
        values: texts by the name of the column in lower case; None for null.
        problem: why the row cannot be read, if it cannot.
    """

    place: str
    values: Mapping[str, str | None]
    problem: str | None = None

    def text(self, column: str) -> str | None:
        """Return the value of the first name of a column that has one."""
        for name in (column, *COLUMNS[column]):
            value = self.values.get(name)
            if value is not None and value.strip().lower() not in _NULLS:
                return value
        return None

    def name(self, column: str) -> str:
        """Return a name, which may be `null`.

        Raises:
            BadRowError: the row cannot be read, or the name is missing.
        """
        if self.problem is not None:
            raise BadRowError(self.problem)
        for name in (column, *COLUMNS[column]):
            value = self.values.get(name)
            if value is not None and value.strip():
                return value
        raise BadRowError(f"{column} is empty")

    def number(self, column: str) -> int | None:
        """Return a whole number.

        Raises:
            BadRowError: the value is none.
        """
        value = self.text(column)
        if value is not None and not _INTEGER.fullmatch(value.strip()):
            raise BadRowError(f"{column} is '{_shown(value)}', not a whole number")
        return None if value is None else int(value.strip().split(".")[0])

    def flag(self, column: str) -> bool | None:
        """Return YES or NO as a boolean.

        Raises:
            BadRowError: the value is neither.
        """
        value = self.text(column)
        word = "" if value is None else value.strip().lower()
        if value is not None and word not in _TRUE + _FALSE:
            raise BadRowError(f"{column} is '{_shown(value)}', not YES or NO")
        return None if value is None else word in _TRUE


def _shown(value: str) -> str:
    return value if len(value) <= 40 else value[:40] + "…"


@dataclass(frozen=True)
class ExportedColumn:
    """The column of one row of an export; None for what it does not show."""

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

    @property
    def is_optional(self) -> bool:
        """Whether the column may be null; one of the key may not."""
        return self.key_position is None and self.is_nullable is not False


def exported_column(row: ExportRow) -> ExportedColumn:
    """Return the column that a row describes.

    Raises:
        BadRowError: a value is missing or wrong.
    """
    key_position = row.number("key_position")
    if key_position is not None and key_position < 1:
        raise BadRowError(f"key_position is {key_position}, not a place in the key from 1")
    return ExportedColumn(
        name=row.name("column_name"),
        position=row.number("ordinal_position"),
        data_type=row.name("data_type").strip(),
        column_type=row.text("column_type"),
        udt_name=row.text("udt_name"),
        length=row.number("character_maximum_length"),
        precision=row.number("numeric_precision"),
        scale=row.number("numeric_scale"),
        fraction_digits=row.number("datetime_precision"),
        is_nullable=row.flag("is_nullable"),
        is_generated=(row.text("is_generated") or "never").lower() not in ("never", *_FALSE),
        key_position=key_position,
        comment=row.text("column_comment"),
        labels=row.text("enum_values"),
    )


def missing_columns(connector: str, names: Collection[str]) -> list[str]:
    """Return the columns that an export must have and lacks.

    Args:
        connector: connector of the source.
        names: names of its columns, in lower case.
    """
    required = (*_REQUIRED, *_REQUIRED_BY_CONNECTOR.get(connector, ()))
    return [name for name in required if not {name, *COLUMNS[name]} & set(names)]


# -- exports ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnExport:
    """An export that was read.

    Attributes:
        name: the export as it is configured, for messages.
        rows: its rows.
        digest: changes when its content does.
    """

    name: str
    rows: tuple[ExportRow, ...]
    digest: str


def read_export(
    columns_from: str, project_dir: str, texts: Callable[[str], list[str]]
) -> ColumnExport:
    """Return an export.

    Args:
        columns_from: the option: path of a CSV file or of Parquet, or a table.
        project_dir: folder of the dbt project, at which relative paths start.
        texts: runs a query in Spark, and returns its first column.

    Raises:
        ConfigError: the file is missing, cannot be read, or is no CSV.
        DbtRuntimeError: Spark cannot read the table or the file.
    """
    location = input_location(columns_from, project_dir)
    relation = None
    if columns_from.startswith(RELATION_MARK):
        names = columns_from.removeprefix(RELATION_MARK).split(".")
        relation = ".".join(map(_quoted, names))
    elif is_parquet(columns_from):
        relation = f"parquet.{_quoted(location)}"
    if relation is not None:
        query = f"select to_json(struct(*), map('ignoreNullFields', 'false')) from {relation}"
        return export_of_rows(columns_from, texts(query))
    path = local_path(location)
    if path is None:
        contents = texts(f"select base64(content) from binaryFile.{_quoted(location)}")
        if len(contents) != 1:
            what = f"{columns_from} is {len(contents)} files"
            raise ConfigError(what, "Name one CSV file, or a table")
        return csv_export(columns_from, base64.b64decode(contents[0]))
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"`{columns_from}` cannot be read: {error.strerror}",
            f"Put the export there, or correct the path (it is relative to {project_dir})",
        ) from None
    return csv_export(columns_from, content)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def export_of_rows(columns_from: str, rows: Iterable[str]) -> ColumnExport:
    """Return an export from rows that Spark read.

    A row of a table has no number, so its place is its column.

    Args:
        columns_from: the export as it is configured.
        rows: each row as a JSON object.
    """
    texts = sorted(rows)
    found = []
    for text in texts:
        values = {name.lower(): _text(value) for name, value in json.loads(text).items()}
        names = (values.get("table_schema") or values.get("owner"), values.get("table_name"))
        place = ".".join(part for part in (*names, values.get("column_name")) if part)
        found.append(ExportRow(f"row of {place}" if place else "a row without names", values))
    return ColumnExport(columns_from, tuple(found), _digest("\n".join(texts).encode()))


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _digest(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


# -- CSV as database clients write it, with the line at which each row begins ----------------------


def csv_export(columns_from: str, content: bytes) -> ColumnExport:
    """Return an export from the content of a CSV file.

    Raises:
        ConfigError: it is no CSV.
    """
    return ColumnExport(columns_from, tuple(csv_rows(content, columns_from)), _digest(content))


def csv_rows(content: bytes, name: str) -> list[ExportRow]:
    """Return the rows of a CSV file. The first row has the names of the columns.

    Args:
        content: content of the file.
        name: name of the file, for messages.

    Raises:
        ConfigError: the file is no text, is empty, or has a quote that does not end.
    """
    text = _decoded(content, name)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    records = _records(text, delimiter, name)
    header = next(records, None)
    if header is None:
        raise ConfigError(f"{name} is empty", "Export the result of the query with its header")
    names = [column.strip().strip('"').lower() for column in header[1]]
    rows = []
    for line, fields in records:
        problem = None
        if len(fields) != len(names):
            problem = f"it has {len(fields)} fields, and the header has {len(names)} columns"
        values = {} if problem else dict(zip(names, fields, strict=True))
        rows.append(ExportRow(f"line {line}", values, problem))
    return rows


def _decoded(content: bytes, name: str) -> str:
    encoding = next(encoding for mark, encoding in _ENCODINGS if content.startswith(mark))
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name} is not {encoding.removesuffix('-sig').upper()}: line {line} has other bytes",
            "Export it as UTF-8",
        ) from None


def _records(text: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of its first line; a quoted field may have several."""
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ConfigError(
                f"{name} is no CSV from line {line} on: {error}",
                'Quote texts with `"`, and double each `"` inside them',
            ) from None
        if fields and any(field.strip() for field in fields):
            yield line, fields
        line = reader.line_num + 1
