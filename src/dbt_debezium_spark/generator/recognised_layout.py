"""Recognise in which layout files were written, so that `init` can write it into the project."""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.generator.parquet_records import parquet_columns, parquet_records
from dbt_debezium_spark.input_walk import walk
from dbt_debezium_spark.landing.sinks.avro_container import ContainerError, head_of
from dbt_debezium_spark.landing.sinks.names import (
    NameProblem,
    SinkName,
    aiven_name,
    connect_name,
)

FILES = 50
_FIRST_BYTES = 1024 * 1024
_LINES = 100
_KAFKAS = {"topic", "partition", "offset"}
_EPOCH_MS = re.compile(r"[0-9]{13}")


def recognised_layout(path: str) -> dict[str, Any]:
    """Return the options of an input for the layout of its files; none for Kafka's columns.

    Names decide first, because they are the same in all formats, then the first line of a file.

    Args:
        path: folder or glob of files on this machine.
    """
    found: Counter[str] = Counter()
    options: dict[str, dict[str, Any]] = {}
    for name in walk(path).files[:FILES]:
        told = _of_file(Path(name))
        key = json.dumps(told, sort_keys=True)
        found[key] += 1
        options[key] = told
    return options[found.most_common(1)[0][0]] if found else {}


def _of_file(file: Path) -> dict[str, Any]:
    content = _first_bytes(file)
    line = content.split(b"\n", 1)[0].strip(b" \t\r\xef\xbb\xbf")
    first = _json(line.rstrip(b","))
    if line in (b"[", b"[]"):
        first = _json(content.split(b"\n", 2)[1].strip().rstrip(b",")) if b"\n" in content else {}
    columns = parquet_columns(file) if content.startswith(b"PAR1") else set()
    if (isinstance(first, dict) and _KAFKAS <= set(first)) or columns >= _KAFKAS:
        return {}  # Kafka's columns, whatever the name of the file
    if _is_named(file, connect_name):
        return {"layout": layouts.CONNECT}
    if isinstance(first, dict) and isinstance(first.get("metadata"), dict):
        return {"layout": layouts.LENSES} if {"topic", "offset"} <= set(first["metadata"]) else {}
    if content.startswith(b"Obj\x01") and _has_metadata(content):
        return {"layout": layouts.LENSES}
    if columns >= {"metadata.topic", "metadata.offset"}:
        return {"layout": layouts.LENSES}
    if not _is_named(file, lambda path: aiven_name(path, layouts.FILE_NAME)):
        return {}
    return _of_aiven(content, line, first)


def sink_records(
    file: Path, options: dict[str, Any], lines: int, unread: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield `topic` and `value` of the first records of a file, without Avro.

    Args:
        file: a file of the layout.
        options: result of `recognised_layout`.
        lines: number of lines.
        unread: gets the file if it is Parquet that cannot be read.
    """
    layout = options["layout"]
    try:
        topic = (
            connect_name(str(file)).topic
            if layout == layouts.CONNECT
            else aiven_name(str(file), layouts.FILE_NAME).topic
            if layout == layouts.AIVEN
            else ""
        )
    except NameProblem:
        return
    content = _first_bytes(file)
    if content.startswith(b"PAR1"):
        yield from parquet_records(file, unread, topic or None)
        return
    for line in content.split(b"\n")[:lines]:
        text = line.strip(b" \t\r\xef\xbb\xbf")
        # An item of an array ends with a comma; in CSV, the last field may be empty.
        value = _json(text.rstrip(b","))
        if layout == layouts.LENSES:
            told = value if isinstance(value, dict) else {}
            metadata = told.get("metadata")
            topic = str(metadata.get("topic")) if isinstance(metadata, dict) else ""
            value = told.get("value")
        elif layout == layouts.AIVEN and options.get("format", layouts.CSV) == layouts.CSV:
            fields = options.get("fields", ["value"])
            parts = text.decode("utf-8", errors="replace").split(",")
            value = _decoded(parts[fields.index("value")]) if len(parts) == len(fields) else b""
            value = value.decode("utf-8", errors="replace")
        elif layout == layouts.AIVEN and options.get("envelope", True):
            value = value.get("value") if isinstance(value, dict) else None
        yield {"topic": topic, "value": value}


def _is_named(file: Path, name: Callable[[str], SinkName]) -> bool:
    try:
        name(str(file))
    except NameProblem:
        return False
    return True


def _of_aiven(content: bytes, line: bytes, first: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"layout": layouts.AIVEN}
    if content.startswith(b"Obj\x01"):
        return {**found, "format": layouts.AVRO}
    if content.startswith(b"PAR1"):
        return {**found, "format": layouts.PARQUET}
    if line.startswith(b"["):
        found["format"] = layouts.JSON
    elif isinstance(first, dict):
        found["format"] = layouts.JSONL
    if "format" in found:
        is_envelope = isinstance(first, dict) and set(first) <= set(layouts.FIELDS)
        return found if is_envelope else {**found, "envelope": False}
    fields = _csv_fields(_told_by_lines(content))
    return {**found, "fields": fields} if fields != ["value"] else found


def _told_by_lines(content: bytes) -> list[str]:
    """Return the first text of each field in the first lines that is not empty."""
    rows = [
        line.decode("utf-8", errors="replace").strip("\r\ufeff").split(",")
        for line in content.split(b"\n")[:_LINES]
    ]
    alike = [row for row in rows if len(row) == len(rows[0])]
    return [next(filter(None, column), "") for column in zip(*alike, strict=True)]


def _csv_fields(texts: list[str]) -> list[str]:
    """Return the names of fields by their contents: numbers, headers, then key before value."""
    names: list[str] = []
    encoded: list[int] = []
    for number, text in enumerate(texts):
        if not text and len(texts) > 1:
            # Records without headers are more usual than records without keys.
            names.append("headers" if "headers" not in names else "key")
        elif _EPOCH_MS.fullmatch(text):
            names.append("timestamp")
        elif text.isdecimal():
            names.append("offset")
        elif ":" in text and text.endswith(";"):
            names.append("headers")
        else:
            names.append("value")
            encoded.append(number)
    if len(encoded) > 1:
        # The value is the event; a key is shorter and comes first where the sink lists it first.
        value = max(encoded, key=lambda number: len(_decoded(texts[number])))
        for number in encoded:
            names[number] = "value" if number == value else "key"
    return names


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode()


def _has_metadata(content: bytes) -> bool:
    try:
        schema = json.loads(head_of(content).schema)
    except (ContainerError, ValueError):
        return False
    fields = schema.get("fields", []) if isinstance(schema, dict) else []
    return "metadata" in {one.get("name") for one in fields if isinstance(one, dict)}


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _first_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            is_compressed = opened.read(2) == b"\x1f\x8b"
            opened.seek(0)
            if not is_compressed:
                return opened.read(_FIRST_BYTES)
        with gzip.open(file) as decompressed:
            return decompressed.read(_FIRST_BYTES)
    except (OSError, EOFError):
        return b""
