"""Read files of any form into records, counts, and what could not be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.errors import RegistryError
from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.config.input_files import MAX_LINE_BYTES
from dbt_debezium_spark.landing import parquet_files
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.blocks import (
    Block,
    bytes_not_seen,
    ends_with_newline,
    number_blocks,
)
from dbt_debezium_spark.landing.exact_lines import fit_the_driver, read_exactly
from dbt_debezium_spark.landing.fast_lines import (
    LINE,
    OVERSIZED,
    RECORD,
    REJECTED,
    longest_line_held,
    read_lines,
)
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.reading_result import Reading, numbered
from dbt_debezium_spark.landing.record_rows import missing_columns
from dbt_debezium_spark.landing.rejected import FOREIGN, line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

PARALLEL_LOOKS = 4
MAX_MESSAGE_CHARACTERS = 300
_VANISHED = ("PATH_NOT_FOUND", "FAILED_READ_FILE.FILE_NOT_EXIST", "FileNotFoundException")
_RECORD_FRAME = [*PLACE_COLUMNS, *RECORD_COLUMNS]


def read_files(
    session: SparkSession,
    files: Sequence[File],
    avro: AvroRows | None = None,
    *,
    refused: Mapping[str, str] | None = None,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Reading:
    """Read every file; one that cannot be read at all is rejected and the rest is read.

    Args:
        session: Spark.
        files: lines or Parquet.
        avro: how bytes of Parquet files are read; None for text.
        refused: why a file must not be opened, by uri.
        max_line_bytes: longer lines are rejected.

    Returns:
        Records, one ledger entry per file (by uri) and rejections.
    """
    refused = refused or {}
    readable = [file for file in files if file.uri not in refused]
    groups, foreign = _parquet_groups(session, [file for file in readable if file.is_parquet])
    foreign |= {file.uri: refused[file.uri] for file in files if file.uri in refused}
    lines = [file for file in readable if not file.is_parquet]
    try:
        return _read(session, files, lines, groups, foreign, avro, max_line_bytes)
    except (RegistryError, ConfigError):
        raise
    except Exception:  # some failures of the JVM reach Python as py4j's errors
        # Spark fails as a whole: a broken archive, a file that was taken away meanwhile.
        broken, vanished = _unreadable(session, lines, groups)
        if not broken and not vanished:
            raise
    out = {*broken, *vanished}
    return _read(
        session,
        [file for file in files if file.uri not in vanished],
        [file for file in lines if file.uri not in out],
        [kept for group in groups if (kept := [file for file in group if file.uri not in out])],
        {**foreign, **broken},
        avro,
        max_line_bytes,
    )


def _read(
    session: SparkSession,
    files: Sequence[File],
    lines: Sequence[File],
    groups: Sequence[Sequence[File]],
    foreign: dict[str, str],
    avro: AvroRows | None,
    max_line_bytes: int,
) -> Reading:
    reading = Reading(
        records=None,
        entries={file.uri: Entry(file) for file in files},
        files=[file.name for file in files],
    )
    foreign = dict(foreign)
    frames = [parquet_files.read_parquet(session, _paths(group), avro) for group in groups]
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
        reading.kept.append(everything)
        try:
            _take_apart(session, reading, everything, foreign)
        except BaseException:
            reading.release()
            raise
    told = [(uri, f"{FOREIGN}: {why}") for uri, why in foreign.items()]
    told += [(uri, f"{OVERSIZED}: {why}") for uri, why in _skipped(reading, max_line_bytes)]
    if told:
        rows = [(reading.entries[uri].file.name, reason) for uri, reason in told]
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
    return reading


def _skipped(reading: Reading, max_line_bytes: int) -> list[tuple[str, str]]:
    """Return the files of which lines were so long that Spark was told to pass over them."""
    return [
        (
            uri,
            f"at least {missing} bytes of the file are lines of more than"
            f" {longest_line_held(max_line_bytes)} bytes, and were not read; at most"
            f" {max_line_bytes} bytes of a line are (`max_line_bytes`)",
        )
        for uri, missing in reading.missing_bytes.items()
    ]


def _take_apart(
    session: SparkSession, reading: Reading, everything: DataFrame, foreign: dict[str, str]
) -> None:
    counts = _count(everything, by_block=True)
    blocks = _blocks(counts)
    reading.blocks = _block_frame(session, reading, blocks)
    reading.missing_bytes = _missing_bytes(reading, blocks, foreign)

    exact_lines: dict[str, int] = defaultdict(int)
    careful_bytes: dict[str, int] = defaultdict(int)
    like_records: set[str] = set()
    for row in counts:
        entry = reading.entries[row.path]
        entry.lines += row.rows
        if row.state == RECORD:
            _add_records(entry, row)
        if row.state == LINE:
            exact_lines[row.path] += row.rows
            careful_bytes[row.path] += row.line_bytes
            if row.like_record:
                like_records.add(row.path)

    for path in list(exact_lines):
        entry = reading.entries[path]
        named = entry.file.is_named_like_records
        if entry.records == 0 and path not in like_records and not named:
            foreign[path] = f"none of its {entry.lines} lines is a record"
            del exact_lines[path]

    found = [everything.where(F.col("state") == RECORD).select(*_RECORD_FRAME)]
    has_rejected_rows = any(row.state == REJECTED for row in counts)
    if has_rejected_rows:
        rows = everything.where(F.col("state") == REJECTED)
        reading.rejections.append(_numbered(reading, rows.withColumn("content_hash", F.lit(None))))
    if exact_lines:
        left = everything.where((F.col("state") == LINE) & F.col("path").isin(list(exact_lines)))
        count = sum(exact_lines.values())
        total_bytes = sum(careful_bytes[path] for path in exact_lines)
        read = read_exactly(session, left, count, total_bytes)
        if not fit_the_driver(count, total_bytes):
            read = read.persist()
            reading.kept.append(read)
        careful_counts = _count(read, by_block=False)
        for row in careful_counts:
            if row.state == RECORD:
                _add_records(reading.entries[row.path], row)
        if any(row.state == RECORD for row in careful_counts):
            found.append(read.where(F.col("state") == RECORD).select(*_RECORD_FRAME))
        if any(row.state == REJECTED for row in careful_counts):
            bad = read.where(F.col("state") == REJECTED)
            reading.rejections.append(_numbered(reading, bad))
    records = found[0]
    for frame in found[1:]:
        records = records.unionByName(frame)
    reading.records = records


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


def _blocks(counts: Iterable[Any]) -> list[Block]:
    blocks: dict[tuple[str, int], Block] = {}
    for row in counts:
        block = blocks.setdefault(
            (row.path, row.block), Block(row.path, row.block, row.first_seq, row.last_seq, 0, 0)
        )
        block.first_seq = min(block.first_seq, row.first_seq)
        block.last_seq = max(block.last_seq, row.last_seq)
        block.lines += row.rows
        block.line_bytes += row.line_bytes
    number_blocks(list(blocks.values()))
    return list(blocks.values())


def _block_frame(session: SparkSession, reading: Reading, blocks: list[Block]) -> DataFrame:
    """Return per block what gives its lines their numbers, and each file's unfinished line."""
    by_path: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        by_path[block.path].append(block)
    rows = []
    for path, of_file in by_path.items():
        file = reading.entries[path].file
        finished = ends_with_newline(
            sum(block.line_bytes for block in of_file),
            sum(block.lines for block in of_file),
            file.size,
        )
        last = max(of_file, key=lambda block: block.start)
        may_be_cut = not file.is_parquet and (file.is_compressed or not finished)
        for block in of_file:
            rows.append(
                (
                    path,
                    block.start,
                    file.name,
                    block.lines_before - block.first_seq + 1,
                    last.last_seq if may_be_cut else None,
                    file.is_compressed,
                )
            )
    return local_frame(
        session,
        rows,
        "path string, block bigint, file string, shift bigint, cut_seq bigint, compressed boolean",
    )


def _missing_bytes(
    reading: Reading, blocks: Iterable[Block], unread: Collection[str]
) -> dict[str, int]:
    """Return, of files that are not compressed, how many bytes belong to no line that was read."""
    seen: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for block in blocks:
        line_bytes, lines = seen[block.path]
        seen[block.path] = (line_bytes + block.line_bytes, lines + block.lines)
    missing = {
        path: bytes_not_seen(*seen[path], entry.file.size)
        for path, entry in reading.entries.items()
        if path not in unread and not entry.file.is_parquet and not entry.file.is_compressed
    }
    return {path: count for path, count in missing.items() if count}


def _numbered(reading: Reading, rows: DataFrame) -> DataFrame:
    assert reading.blocks is not None
    located = numbered(rows, reading.blocks)
    # Whether the last line of a compressed file had its newline cannot be seen; a record would
    # end with its brace.
    cut = (
        (F.col("seq") == F.col("cut_seq"))
        & F.col("reason").startswith("malformed_line")
        & ~(F.col("compressed") & F.rtrim("content").endswith("}"))
    )
    reason = F.when(cut, F.regexp_replace("reason", "^malformed_line", "truncated_line")).otherwise(
        F.col("reason")
    )
    return line_rejections(
        located.select("file", "line", reason.alias("reason"), "content", "content_hash")
    )


# -- files that cannot be read at all -------------------------------------------------------------


def _parquet_groups(
    session: SparkSession, files: Sequence[File]
) -> tuple[list[list[File]], dict[str, str]]:
    """Group Parquet files by schema, and tell which hold no records at all, with the reason.

    One by one: merged schemas would hide that one file lacks `value`, and make tombstones of its
    rows.
    """

    def look(file: File) -> tuple[str, str]:
        try:
            schema = parquet_files.schema_of(session, [file.readable_path])
        except Exception as error:  # py4j's or Spark's, see above
            return "", f"cannot be read as Parquet: {_short(error)}"
        missing = missing_columns(schema)
        return schema.simpleString(), f"has no column `{missing[0]}`" if missing else ""

    groups: dict[str, list[File]] = defaultdict(list)
    foreign: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=PARALLEL_LOOKS) as pool:
        for file, (schema, why) in zip(files, pool.map(look, files), strict=True):
            if why:
                foreign[file.uri] = why
            else:
                groups[schema].append(file)
    return list(groups.values()), foreign


def _unreadable(
    session: SparkSession, lines: Sequence[File], groups: Sequence[Sequence[File]]
) -> tuple[dict[str, str], set[str]]:
    """Find the files that make a reading fail: the broken ones with a reason, and the vanished."""
    parquet = [file for group in groups for file in group]
    suspects = parquet + [file for file in lines if file.is_compressed]
    broken, vanished = _broken_among(session, suspects)
    if not broken and not vanished:
        broken, vanished = _broken_among(session, [file for file in lines if file not in suspects])
    return broken, vanished


def _broken_among(session: SparkSession, files: Sequence[File]) -> tuple[dict[str, str], set[str]]:
    def problem(file: File) -> str | None:
        try:
            reader = session.read.option("recursiveFileLookup", "true")
            read = reader.parquet if file.is_parquet else reader.text
            # Without a sink that takes every value, Spark would not read the columns.
            read(file.readable_path).write.format("noop").mode("overwrite").save()
        except Exception as error:  # py4j's or Spark's, see above
            gone = any(code in str(error) for code in _VANISHED)
            return "" if gone else f"cannot be read: {_short(error)}"
        return None

    broken: dict[str, str] = {}
    vanished: set[str] = set()
    with ThreadPoolExecutor(max_workers=PARALLEL_LOOKS) as pool:
        for file, why in zip(files, pool.map(problem, files), strict=True):
            if why:
                broken[file.uri] = why
            elif why is not None:
                vanished.add(file.uri)
    return broken, vanished


def _short(error: BaseException) -> str:
    """Return the innermost cause that an error of Spark's names, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:")]
    text = (causes[-1:] or lines[:1] or [type(error).__name__])[0]
    return text.removeprefix("Caused by: ")[:MAX_MESSAGE_CHARACTERS]


def _paths(files: Iterable[File]) -> list[str]:
    return [file.readable_path for file in files]
