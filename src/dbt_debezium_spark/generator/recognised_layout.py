"""Recognise in which layout files were written, so that `init` can write it into the project."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from pyspark.sql import types as T

from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.generator.file_beginnings import GZIP, SampledFile
from dbt_debezium_spark.generator.file_records import decoded_base64, parquet_schema
from dbt_debezium_spark.inputs.sinks.avro_container import MAGIC, head_of
from dbt_debezium_spark.inputs.sinks.names import (
    NameProblem,
    SinkName,
    aiven_name,
    connect_name,
)
from dbt_debezium_spark.landing.kafka_columns import path_in

PARQUET_MAGIC = b"PAR1"
_LINES = 100
_KAFKAS = {"topic", "partition", "offset"}
_EPOCH_MS = re.compile(r"[0-9]{13}")


def recognised_layout(files: Iterable[SampledFile]) -> dict[str, Any]:
    """Return the options of an input for the layout of its files; none for Kafka's columns.

    Names decide first, because they are the same in all formats, then the first line of a file.
    What most files tell counts.
    """
    found: Counter[str] = Counter()
    for file in files:
        try:
            found[json.dumps(_of_file(file))] += 1
        except Exception:  # of a library; reading the file tells why
            continue
    return json.loads(found.most_common(1)[0][0]) if found else {}


def _of_file(file: SampledFile) -> dict[str, Any]:
    content, _ = file.beginning()
    if content.startswith(GZIP):
        content, _ = file.beginning(".gz")
    line = content.split(b"\n", 1)[0].strip(b" \t\r\xef\xbb\xbf")
    first = _json(line.rstrip(b","))
    if line in (b"[", b"[]"):
        first = _json(content.split(b"\n", 2)[1].strip().rstrip(b",")) if b"\n" in content else {}
    schema = parquet_schema(file) if content.startswith(PARQUET_MAGIC) else T.StructType([])
    if isinstance(first, dict) and _KAFKAS <= set(first):
        return {}  # Kafka's columns, whatever the name of the file
    if _has_all(schema, *_KAFKAS):
        return {}
    if _is_named(file, connect_name):
        return {"layout": layouts.CONNECT}
    if isinstance(first, dict) and isinstance(first.get("metadata"), dict):
        return {"layout": layouts.LENSES} if {"topic", "offset"} <= set(first["metadata"]) else {}
    fields = _avro_fields(content) if content.startswith(MAGIC) else set(schema.names)
    if "metadata" in fields:
        is_place = not schema.names or _has_all(schema, "metadata.topic", "metadata.offset")
        return {"layout": layouts.LENSES} if is_place else {}
    if not _is_named(file, lambda path: aiven_name(path, layouts.FILE_NAME)):
        return {}
    if fields:
        name = layouts.AVRO if content.startswith(MAGIC) else layouts.PARQUET
        found: dict[str, Any] = {"layout": layouts.AIVEN, "format": name}
        return found if "value" in fields else {**found, "envelope": False}
    return _of_aivens_lines(content, line, first)


def _has_all(schema: T.StructType, *names: str) -> bool:
    return all(path_in(schema, name) is not None for name in names)


def _is_named(file: SampledFile, name: Callable[[str], SinkName]) -> bool:
    try:
        name(file.name)
    except NameProblem:
        return False
    return True


def _of_aivens_lines(content: bytes, line: bytes, first: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"layout": layouts.AIVEN}
    if line.startswith(b"["):
        found["format"] = layouts.JSON
    elif isinstance(first, dict):
        found["format"] = layouts.JSONL
    if "format" in found:
        is_envelope = isinstance(first, dict) and set(first) <= set(layouts.FIELDS)
        return found if is_envelope else {**found, "envelope": False}
    fields = _csv_fields(_told_by_lines(content))
    if fields.count("value") != 1 or len(set(fields)) < len(fields):
        return {}  # no sink writes such lines
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
        value = max(encoded, key=lambda number: len(decoded_base64(texts[number])))
        for number in encoded:
            names[number] = "value" if number == value else "key"
    return names


def _avro_fields(content: bytes) -> set[str]:
    schema = json.loads(head_of(content).schema)
    fields = schema.get("fields", []) if isinstance(schema, dict) else []
    return {str(field.get("name")) for field in fields if isinstance(field, dict)}


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
