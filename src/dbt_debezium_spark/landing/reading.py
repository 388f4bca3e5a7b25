"""Read files of any form: records, counts, and rejections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.errors import RegistryError
from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.config.input_files import MAX_LINE_BYTES
from dbt_debezium_spark.landing import parquet_files
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.block_numbers import (
    block_frame,
    blocks_of,
    cut_line_reason,
    missing_bytes,
)
from dbt_debezium_spark.landing.exact_lines import fit_the_driver, read_exactly
from dbt_debezium_spark.landing.fast_lines import read_lines
from dbt_debezium_spark.landing.file_problems import parquet_groups, unreadable_files
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.nested_content import record_content
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.reading_result import Reading, numbered
from dbt_debezium_spark.landing.rejections import FOREIGN, line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.landing.text_lines import (
    LINE,
    OVERSIZED,
    RECORD,
    REJECTED,
    spark_line_limit,
)
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_RECORD_FRAME = [*PLACE_COLUMNS, *RECORD_COLUMNS]


def read_files(
    session: SparkSession,
    files: Sequence[File],
    avro: AvroRows | None = None,
    *,
    refused: Mapping[str, str] | None = None,
    max_line_bytes: int = MAX_LINE_BYTES,
    columns: ParquetColumns | None = None,
) -> Reading:
    """Read every file; reject a file that cannot be read, and read the others.

    Args:
        session: Spark.
        files: lines or Parquet.
        avro: decodes the bytes of Parquet files; None for text.
        refused: by uri the reason not to open a file.
        max_line_bytes: longer lines are rejected.
        columns: where the records are in Parquet files.

    Returns:
        Records, one ledger entry per file (by uri) and rejections.
    """
    refused = refused or {}
    columns = columns or ParquetColumns()
    readable = [file for file in files if file.uri not in refused]
    groups, foreign = parquet_groups(
        session, [file for file in readable if file.is_parquet], columns
    )
    foreign |= {file.uri: refused[file.uri] for file in files if file.uri in refused}
    lines = [file for file in readable if not file.is_parquet]
    try:
        return _read(session, files, lines, groups, foreign, avro, max_line_bytes, columns)
    except (RegistryError, ConfigError):
        raise
    except Exception:  # some failures of the JVM reach Python as errors of py4j
        # One broken or removed file makes the whole query fail.
        broken, missing = unreadable_files(session, lines, groups)
        if not broken and not missing:
            raise
    skipped = {*broken, *missing}
    return _read(
        session,
        [file for file in files if file.uri not in missing],
        [file for file in lines if file.uri not in skipped],
        [rest for group in groups if (rest := [file for file in group if file.uri not in skipped])],
        {**foreign, **broken},
        avro,
        max_line_bytes,
        columns,
    )


def _read(
    session: SparkSession,
    files: Sequence[File],
    lines: Sequence[File],
    groups: Sequence[Sequence[File]],
    foreign: dict[str, str],
    avro: AvroRows | None,
    max_line_bytes: int,
    columns: ParquetColumns,
) -> Reading:
    reading = Reading(
        records=None,
        entries={file.uri: Entry(file) for file in files},
        files=[file.name for file in files],
    )
    foreign = dict(foreign)
    opened = [parquet_files.open_parquet(session, _paths(group)) for group in groups]
    frames = [parquet_files.read_parquet(session, rows, columns, avro) for rows in opened]
    reading.content = record_content(columns.schema(rows.schema) for rows in opened)
    for is_compressed in (False, True):
        part = [file for file in lines if file.is_compressed is is_compressed]
        if part:
            frames.append(
                read_lines(session, _paths(part), max_line_bytes, is_compressed=is_compressed)
            )
    if frames:
        everything = frames[0]
        for frame in frames[1:]:
            everything = everything.unionByName(frame, allowMissingColumns=True)
        everything = everything.persist()
        reading.persisted.append(everything)
        try:
            _fill_reading(session, reading, everything, foreign)
        except BaseException:
            reading.release()
            raise
    reasons = [(uri, f"{FOREIGN}: {problem}") for uri, problem in foreign.items()]
    reasons += [
        (uri, f"{OVERSIZED}: {problem}") for uri, problem in skipped_lines(reading, max_line_bytes)
    ]
    reject_files(session, reading, reasons)
    return reading


def reject_files(
    session: SparkSession, reading: Reading, reasons: Sequence[tuple[str, str]]
) -> None:
    """Add rejections of whole files.

    Args:
        session: Spark.
        reading: with an entry for each file.
        reasons: uri and reason.
    """
    if reasons:
        rows = [(reading.entries[uri].file.name, reason) for uri, reason in reasons]
        reading.rejections.append(
            line_rejections(
                local_frame(session, rows, "file string, reason string").selectExpr(
                    "*",
                    "cast(null as bigint) as line",
                    "cast(null as string) as content",
                    "cast(null as string) as content_hash",
                )
            )
        )


def skipped_lines(reading: Reading, max_line_bytes: int) -> list[tuple[str, str]]:
    """Return the files with lines that Spark skipped because of their length, and the reason."""
    return [
        (
            uri,
            f"at least {missing} bytes of the file are lines of more than"
            f" {spark_line_limit(max_line_bytes)} bytes, and were not read; at most"
            f" {max_line_bytes} bytes of a line are (`max_line_bytes`)",
        )
        for uri, missing in reading.missing_bytes.items()
    ]


def _fill_reading(
    session: SparkSession, reading: Reading, everything: DataFrame, foreign: dict[str, str]
) -> None:
    counts = _count(everything, by_block=True)
    blocks = blocks_of(counts)
    reading.blocks = block_frame(session, reading, blocks)
    reading.missing_bytes = missing_bytes(reading.entries, blocks, foreign)

    exact_counts: dict[str, int] = defaultdict(int)
    exact_bytes: dict[str, int] = defaultdict(int)
    record_like: set[str] = set()
    for row in counts:
        entry = reading.entries[row.path]
        entry.lines += row.rows
        if row.state == RECORD:
            _add_records(entry, row)
        if row.state == LINE:
            exact_counts[row.path] += row.rows
            exact_bytes[row.path] += row.line_bytes
            if row.like_record:
                record_like.add(row.path)

    for path in list(exact_counts):
        entry = reading.entries[path]
        is_named_like_records = entry.file.is_named_like_records
        if entry.records == 0 and path not in record_like and not is_named_like_records:
            foreign[path] = f"none of its {entry.lines} lines is a record"
            del exact_counts[path]

    records = [everything.where(F.col("state") == RECORD).select(*_RECORD_FRAME)]
    has_rejected_rows = any(row.state == REJECTED for row in counts)
    if has_rejected_rows:
        rows = everything.where(F.col("state") == REJECTED)
        reading.rejections.append(
            _numbered_rejections(reading, rows.withColumn("content_hash", F.lit(None)))
        )
    if exact_counts:
        lines = everything.where((F.col("state") == LINE) & F.col("path").isin(list(exact_counts)))
        count = sum(exact_counts.values())
        total_bytes = sum(exact_bytes[path] for path in exact_counts)
        read = read_exactly(session, lines, count, total_bytes)
        if not fit_the_driver(count, total_bytes):
            read = read.persist()
            reading.persisted.append(read)
        read_counts = _count(read, by_block=False)
        for row in read_counts:
            if row.state == RECORD:
                _add_records(reading.entries[row.path], row)
        if any(row.state == RECORD for row in read_counts):
            records.append(read.where(F.col("state") == RECORD).select(*_RECORD_FRAME))
        if any(row.state == REJECTED for row in read_counts):
            rejected = read.where(F.col("state") == REJECTED)
            reading.rejections.append(_numbered_rejections(reading, rejected))
    reading.records = records[0]
    for frame in records[1:]:
        reading.records = reading.records.unionByName(frame)


def _count(frame: DataFrame, *, by_block: bool) -> list[Any]:
    place: list[Column] = []
    if by_block:
        text = F.lower(F.col("line").cast("string"))
        named = F.contains(text, F.lit('"topic"')) | F.contains(text, F.lit('"offset"'))
        like_record = F.ltrim(text).startswith("{") & named
        place = [
            F.min("seq").alias("first_seq"),
            F.max("seq").alias("last_seq"),
            F.sum("bytes").alias("line_bytes"),
            F.coalesce(F.max(like_record), F.lit(False)).alias("like_record"),
        ]
    keys = ["path", "topic", "partition", "state"] + (["block"] if by_block else [])
    return (
        frame.groupBy(*keys)
        .agg(
            F.count("*").alias("rows"),
            F.min("offset").alias("min_offset"),
            F.max("offset").alias("max_offset"),
            *place,
        )
        .collect()
    )


def _add_records(entry: Entry, row: Any) -> None:
    entry.records += row.rows
    entry.ranges.append(
        OffsetRange(row.topic, row.partition, row.min_offset, row.max_offset, row.rows)
    )


def _numbered_rejections(reading: Reading, rows: DataFrame) -> DataFrame:
    assert reading.blocks is not None
    located = numbered(rows, reading.blocks)
    reason = cut_line_reason()
    return line_rejections(
        located.select("file", "line", reason.alias("reason"), "content", "content_hash")
    )


def _paths(files: Iterable[File]) -> list[str]:
    return [file.readable_path for file in files]
