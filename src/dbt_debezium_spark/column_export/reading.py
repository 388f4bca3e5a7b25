"""The rows of an export, wherever it is."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt_debezium_spark.column_export.csv_text import ExportRow, csv_rows
from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.config.inputs import input_location, local_path
from dbt_debezium_spark.config.sources import RELATION_MARK, is_parquet


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
    if columns_from.startswith(RELATION_MARK):
        relation = columns_from.removeprefix(RELATION_MARK)
        parts = [f"`{part.replace('`', '``')}`" for part in relation.split(".")]
        return export_of_rows(columns_from, texts(_rows_query(".".join(parts))))
    location = input_location(columns_from, project_dir)
    if is_parquet(columns_from):
        return export_of_rows(columns_from, texts(_rows_query(f"parquet.{_quoted(location)}")))
    path = local_path(location)
    if path is not None:
        return csv_export(columns_from, _local_content(columns_from, path, project_dir))
    contents = texts(f"select base64(content) from binaryFile.{_quoted(location)}")
    if len(contents) != 1:
        raise ConfigError(
            f"{columns_from} is {len(contents)} files", "Name one CSV file, or a table"
        )
    return csv_export(columns_from, base64.b64decode(contents[0]))


def _rows_query(relation: str) -> str:
    return f"select to_json(struct(*), map('ignoreNullFields', 'false')) from {relation}"


def _quoted(location: str) -> str:
    return "`" + location.replace("`", "``") + "`"


def _local_content(columns_from: str, path: str, project_dir: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"`{columns_from}` cannot be read: {error.strerror}",
            f"Put the export there, or correct the path (it is relative to {project_dir})",
        ) from None


def csv_export(columns_from: str, content: bytes) -> ColumnExport:
    """Return an export from the content of a CSV file.

    Raises:
        ConfigError: it is no CSV.
    """
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return ColumnExport(columns_from, tuple(csv_rows(content, columns_from)), digest)


def export_of_rows(columns_from: str, rows: Iterable[str]) -> ColumnExport:
    """Return an export from rows that Spark read.

    Args:
        columns_from: the export as it is configured.
        rows: each row as a JSON object.
    """
    texts = sorted(rows)
    digest = hashlib.md5("\n".join(texts).encode(), usedforsecurity=False).hexdigest()
    return ColumnExport(columns_from, tuple(_row(json.loads(text)) for text in texts), digest)


def _row(row: Mapping[str, Any]) -> ExportRow:
    """Return a row of a table; it has no number, so its place is its column."""
    values = {name.lower(): _text(value) for name, value in row.items()}
    names = (values.get("table_schema") or values.get("owner"), values.get("table_name"))
    parts = [part for part in (*names, values.get("column_name")) if part]
    return ExportRow(f"row of {'.'.join(parts)}" if parts else "a row without names", values)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)
