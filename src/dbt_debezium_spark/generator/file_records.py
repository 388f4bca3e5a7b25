"""The first records of a file in any form that landing reads, with its readers of lines."""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import types as T

from dbt_debezium_spark.config import FilesInput
from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.config.inputs import MAX_LINE_BYTES
from dbt_debezium_spark.generator.file_beginnings import GZIP, SampledFile
from dbt_debezium_spark.inputs.avro.parsing import Avro, parse
from dbt_debezium_spark.inputs.sinks import avro_container
from dbt_debezium_spark.inputs.sinks.forms import (
    AVRO,
    CSV,
    JSON,
    PARQUET,
    RAW,
    form_of,
    form_of_lines,
)
from dbt_debezium_spark.inputs.sinks.names import aiven_name, connect_name, suffix_of
from dbt_debezium_spark.inputs.sinks.value_line import record_of
from dbt_debezium_spark.landing import record_line
from dbt_debezium_spark.landing.kafka_columns import kafka_columns, path_in
from dbt_debezium_spark.landing.listing import PARQUET_SUFFIXES
from dbt_debezium_spark.landing.record_line import Record, row_of
from dbt_debezium_spark.landing.record_values import LineError

# Enough to find a record with a source block after transaction, heartbeat and tombstone records.
RECORDS_PER_FILE = 500
SHOWN = {AVRO: "Avro", PARQUET: "Parquet", CSV: "CSV", JSON: "JSON lines", RAW: "lines of bytes"}
# Members of an envelope, and of a flattened row.
_MEMBERS = ("op", "source", "tableChanges", "__op", "__deleted") + tuple(
    f"__{source}{member}"
    for source in ("source_", "")
    for member in ("name", "connector", "db", "schema", "table")
)
_FLOATS = {"float": "<f", "double": "<d"}
# Far more than 500 records of 1,000 columns; a few bytes may announce any number of values.
_AVRO_STEPS = 5_000_000


class FirstRecord(NamedTuple):
    """A record, or the reason why a line or file has none.

    Attributes:
        topic: its topic.
        value: its value as text, or as members.
        reason: why there is no record; empty if there is one.
    """

    topic: str | None = None
    value: Any = None
    reason: str = ""


def form_and_topic(name: str, options: FilesInput) -> tuple[str, str | None]:
    """Return the form of a file, and the topic of its records if its name tells it.

    Raises:
        NameProblem: the name tells too little for the layout.
    """
    if options.layout == layouts.RECORDS:
        return (PARQUET if name.lower().endswith(PARQUET_SUFFIXES) else JSON), None
    if options.layout == layouts.LENSES:
        return form_of(suffix_of(name), options), None
    is_connect = options.layout == layouts.CONNECT
    sink_name = connect_name(name) if is_connect else aiven_name(name, options.file_name)
    return form_of(sink_name.suffix, options), sink_name.topic


def first_records(
    file: SampledFile, form: str, topic: str | None, options: FilesInput
) -> Iterator[FirstRecord]:
    """Yield the first records of a file.

    Args:
        file: the file.
        form: result of `form_and_topic`.
        topic: topic of the records; None if they name it.
        options: the source's input.

    Raises:
        Exception: the file, or the rest of it, cannot be read; the text says why.
    """
    if form == PARQUET:
        yield from _parquet_records(file, topic, options)
        return
    content, is_all = file.beginning()
    if form == AVRO:
        if content.startswith(GZIP):  # landing looks at the content of containers
            content, is_all = file.beginning(".gz")
        yield from _avro_records(content, is_all, topic, options)
        return
    if options.layout == layouts.RECORDS and content.startswith(avro_container.MAGIC):
        connect_name(file.name)  # raises the reason why this is no container of a sink
    *lines, rest = content.split(b"\n")
    if is_all and rest:
        lines.append(rest)
    if not is_all and not lines:
        raise OSError(f"its first line has more than {MAX_LINE_BYTES} bytes")
    reader: Any = record_line
    if options.layout != layouts.RECORDS:
        reader = form_of_lines(form, options).reader
    read = partial(_csv_record, options.fields) if reader is None else reader.read_line
    for number, line in enumerate(lines[:RECORDS_PER_FILE], 1):
        row = row_of(read, file.name, 0, number, line)
        if row["state"] == "record":
            yield FirstRecord(row["topic"] or topic, row["value"])
        elif row["state"] == "rejected":
            yield FirstRecord(reason=f"line {number}: {row['reason']}")


def _csv_record(fields: tuple[str, ...], line: bytes) -> Record | None:
    if not line.strip() and len(fields) > 1:
        return None
    parts = line.decode("utf-8-sig", "replace").rstrip("\r").split(",")
    if len(parts) != len(fields):
        raise LineError(f"malformed_line: {len(parts)} fields, not {len(fields)}")
    return record_of(value=decoded_base64(parts[fields.index("value")]).decode("utf-8", "replace"))


def decoded_base64(text: str) -> bytes:
    """Return the bytes of a text in base64, or of the text itself if it is something else."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode()


def parquet_schema(file: SampledFile) -> T.StructType:
    """Return the columns of a Parquet file, of which only structs have their type.

    Raises:
        Exception: it cannot be read.
    """
    with file.open() as opened, pq.ParquetFile(opened) as parquet:
        return _struct(parquet.schema_arrow)


def _struct(fields: Any) -> T.StructType:
    return T.StructType(
        [
            T.StructField(
                field.name, _struct(field.type) if pa.types.is_struct(field.type) else _OTHER
            )
            for field in fields
        ]
    )


_OTHER = T.StringType()


def _parquet_records(
    file: SampledFile, topic: str | None, options: FilesInput
) -> Iterator[FirstRecord]:
    """Yield the first rows of a file; of a value in columns, only the members that matter."""
    with file.open() as opened, pq.ParquetFile(opened) as parquet:
        schema = _struct(parquet.schema_arrow)
        topic_path = value_path = None
        if options.layout == layouts.RECORDS:
            columns = kafka_columns(schema, {}).columns
            topic_path, value_path = columns["topic"], columns.get("value")
        else:
            topic_path = path_in(schema, "metadata.topic") if topic is None else None
            value_path = path_in(schema, "value") if _has_envelope(options) else None
        # What is no struct has no members, and is read whole.
        inside = [".".join([*(value_path or ()), name]) for name in _MEMBERS]
        inside += [".".join([*(value_path or ()), "payload", name]) for name in _MEMBERS]
        if value_path and not isinstance(_kind(schema, value_path), T.StructType):
            inside = [".".join(value_path)]
        read = [*inside, ".".join(topic_path or ())]
        batches = parquet.iter_batches(batch_size=RECORDS_PER_FILE, columns=read)
        for row in next(batches, pa.RecordBatch.from_pylist([])).to_pylist():
            value = _inside(row, value_path) if value_path else row
            yield FirstRecord(_inside(row, topic_path) if topic_path else topic, value)


def _kind(schema: T.StructType, path: tuple[str, ...]) -> T.DataType:
    kind: T.DataType = schema
    for name in path:
        kind = kind[name].dataType
    return kind


def _inside(row: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        row = row.get(name) if isinstance(row, dict) else None
    return row


def _avro_records(
    content: bytes, is_all: bool, topic: str | None, options: FilesInput
) -> Iterator[FirstRecord]:
    """Yield the first records of a container."""
    header = avro_container.head_of(content)
    tree = parse(header.schema)
    rows = 0
    steps = iter(range(_AVRO_STEPS))
    path = ("value",) if _has_envelope(options) else ()
    try:
        for block in avro_container.blocks_of(content, header, MAX_LINE_BYTES):
            at = avro_container.long_at(block.items, 0)[1]
            for _ in range(min(block.records, RECORDS_PER_FILE - rows)):
                row, at = _avro_value(tree, block.items, at, steps)
                rows += 1
                own_topic = _inside(row, ("metadata", "topic")) if topic is None else topic
                yield FirstRecord(own_topic, _inside(row, path))
            if rows == RECORDS_PER_FILE:
                return
    except avro_container.ContainerError:
        if is_all or not rows:
            raise


def _has_envelope(options: FilesInput) -> bool:
    is_aivens = options.layout == layouts.AIVEN and options.envelope
    return is_aivens or options.layout == layouts.LENSES


def _avro_value(tree: Avro, content: bytes, at: int, steps: Iterator[int]) -> tuple[Any, int]:
    """Return a value, and the position after it.

    Raises:
        ValueError: the bytes are none of this type. Also IndexError and struct.error.
    """
    if next(steps, None) is None:
        raise ValueError("its records have too many values")
    kind = tree.type
    if kind == "null":
        return None, at
    if kind == "union":
        number, at = avro_container.long_at(content, at)
        return _avro_value(tree.branches[number], content, at, steps)
    if kind == "record":
        members = {}
        for field in tree.fields:
            members[field.name], at = _avro_value(field.type, content, at, steps)
        return members, at
    if kind in ("array", "map"):
        return _avro_items(tree, content, at, steps)
    if kind in ("string", "bytes"):
        data, at = avro_container.bytes_at(content, at)
        return data.decode("utf-8", "replace"), at
    if kind in _FLOATS:
        return struct.unpack_from(_FLOATS[kind], content, at)[0], at + struct.calcsize(
            _FLOATS[kind]
        )
    if kind in ("fixed", "boolean"):
        end = at + (tree.size if kind == "fixed" else 1)
        return content[at:end], end
    number, at = avro_container.long_at(content, at)
    return (tree.symbols[number] if kind == "enum" else number), at


def _avro_items(tree: Avro, content: bytes, at: int, steps: Iterator[int]) -> tuple[Any, int]:
    """Pass over the items of an array or map: none of them tells the source."""
    while True:
        count, at = avro_container.long_at(content, at)
        if count == 0:
            return [], at
        if count < 0:
            at = avro_container.bytes_at(content, at)[1]  # a block that may be passed over
            continue
        for _ in range(count):
            start = at
            if tree.type == "map":
                _, at = avro_container.bytes_at(content, at)
            _, at = _avro_value(tree.branches[0], content, at, steps)
            if at == start:  # all others have no bytes either
                break
