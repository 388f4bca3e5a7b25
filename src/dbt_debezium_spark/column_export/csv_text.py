"""CSV as database clients write it, with the line at which each row begins."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from dbt_debezium_spark.config.errors import ConfigError

_DELIMITERS = (",", ";", "\t", "|")
# Clients on Windows write UTF-16, or UTF-8 with a mark.
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LONGEST_FIELD = 1024 * 1024


@dataclass(frozen=True)
class ExportRow:
    """One row of an export.

    Attributes:
        place: where it is, for messages: `line 7`.
        values: texts by the name of the column in lower case; None for null.
        problem: why the row cannot be read, if it cannot.
    """

    place: str
    values: dict[str, str | None]
    problem: str | None = None


def csv_rows(content: bytes, name: str) -> list[ExportRow]:
    """Return the rows of a CSV file. The first row has the names of the columns.

    Args:
        content: content of the file.
        name: name of the file, for messages.

    Raises:
        ConfigError: the file is no text, is empty, or has a quote that does not end.
    """
    text = _text(content, name)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    records = _records(text, delimiter, name)
    header = next(records, None)
    if header is None:
        raise ConfigError(f"{name} is empty", "Export the result of the query with its header")
    names = [column.strip().strip('"').lower() for column in header[1]]
    return [_row(names, line, fields) for line, fields in records]


def _text(content: bytes, name: str) -> str:
    encoding = next((one for mark, one in _ENCODINGS if content.startswith(mark)), "utf-8")
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


def _row(names: list[str], line: int, fields: list[str]) -> ExportRow:
    place = f"line {line}"
    if len(fields) != len(names):
        return ExportRow(
            place, {}, f"it has {len(fields)} fields, and the header has {len(names)} columns"
        )
    return ExportRow(place, dict(zip(names, fields, strict=True)))
