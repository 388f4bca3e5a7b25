"""Read files of lines, in any of the forms of the sinks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.block_numbers import (
    block_frame,
    blocks_of,
    cut_line_reason,
    missing_bytes,
)
from dbt_debezium_spark.landing.exact_lines import read_exactly
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.reading_result import Reading, numbered
from dbt_debezium_spark.landing.sinks.row_columns import as_rows
from dbt_debezium_spark.landing.text_lines import (
    BLANK,
    LINE,
    REJECTED,
    oversized_reason,
    text_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class LineForm:
    """A form of lines.

    Attributes:
        decide: reads lines with expressions (result of `text_lines`, limit of a line's bytes). It
            returns path, block, seq, bytes and state, columns of rows, and `line`: the bytes of a
            line with the state `line`.
        reader: module that reads the lines with the state `line`; None if there are none.
        skipped: number of lines before the first record.
    """

    decide: Callable[[DataFrame, int], DataFrame]
    reader: ModuleType | None
    skipped: int = 0


def unread_lines(text: DataFrame, max_line_bytes: int) -> DataFrame:
    """Leave every line to the module that reads it; see `LineForm.decide`."""
    state = F.when(F.col("value").isNull(), F.lit(REJECTED)).when(
        F.trim("value", F.lit(" \t\r")) == "", F.lit(BLANK)
    )
    decided = text.withColumn("state", state.otherwise(F.lit(LINE)))
    return decided.select(
        "path",
        "block",
        "seq",
        "bytes",
        "state",
        F.when(F.col("state") == REJECTED, oversized_reason(max_line_bytes)).alias("reason"),
        F.col("beginning").alias("content"),
        F.when(F.col("state") == LINE, F.col("value").cast("binary")).alias("line"),
    )


def line_rows(
    session: SparkSession,
    reading: Reading,
    files: Sequence[File],
    form: LineForm,
    max_line_bytes: int,
) -> DataFrame:
    """Return the rows of files: records and rejected lines.

    Args:
        session: Spark.
        reading: with an entry for each file; gets the frames to release and the missing bytes.
        files: files of lines.
        form: what a line is.
        max_line_bytes: longer lines are rejected.
    """
    decided: DataFrame | None = None
    for is_compressed in (False, True):
        paths = [file.readable_path for file in files if file.is_compressed is is_compressed]
        if paths:
            text = text_lines(session, paths, max_line_bytes, is_compressed=is_compressed)
            part = form.decide(text, max_line_bytes)
            decided = part if decided is None else decided.unionByName(part)
    assert decided is not None
    decided = decided.persist()
    reading.persisted.append(decided)
    counts = (
        decided.groupBy("path", "block", "state")
        .agg(
            F.count("*").alias("rows"),
            F.min("seq").alias("first_seq"),
            F.max("seq").alias("last_seq"),
            F.sum("bytes").alias("line_bytes"),
        )
        .collect()
    )
    blocks = blocks_of(counts)
    own_entries = {file.uri: reading.entries[file.uri] for file in files}
    reading.missing_bytes.update(missing_bytes(own_entries, blocks, ()))
    lines: dict[str, int] = defaultdict(int)
    for row in counts:
        lines[row.path] += row.rows
    for path, count in lines.items():
        reading.entries[path].lines = count

    read = decided.where(~F.col("state").isin(BLANK, LINE)).drop("line", "bytes")
    unread = [row for row in counts if row.state == LINE]
    if unread and form.reader is not None:
        exact = read_exactly(
            session,
            decided.where(F.col("state") == LINE),
            sum(row.rows for row in unread),
            sum(row.line_bytes for row in unread),
            form.reader,
        )
        read = read.unionByName(exact.where(F.col("state") != BLANK), allowMissingColumns=True)
    placed = numbered(read, block_frame(session, reading, blocks))
    return as_rows(
        placed.withColumn("place", F.col("line") - 1 - form.skipped).withColumn(
            "reason", cut_line_reason()
        )
    )
