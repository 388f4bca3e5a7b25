"""Read files of lines, in any of the forms of the sinks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.inputs.sinks.row_columns import as_rows
from dbt_debezium_spark.landing.block_numbers import blocks_of, missing_bytes, places_of
from dbt_debezium_spark.landing.exact_lines import read_exactly
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.reading import OF_LINES
from dbt_debezium_spark.landing.reading_result import Reading, groups_of
from dbt_debezium_spark.landing.rejections import CUT_LINE_REASON
from dbt_debezium_spark.landing.schemas import RECORD_COLUMNS, REJECTED
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.landing.text_lines import (
    BLANK,
    LINE,
    oversized_reason,
    text_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
    scratch: Scratch,
    reading: Reading,
    files: Sequence[File],
    form: LineForm,
    max_line_bytes: int,
) -> DataFrame:
    """Return the rows of files: records and rejected lines.

    Args:
        scratch: Spark.
        reading: with an entry for each file; gets the missing bytes.
        files: files of lines.
        form: what a line is.
        max_line_bytes: longer lines are rejected.
    """
    decided: DataFrame | None = None
    for is_compressed in (False, True):
        paths = [file.readable_path for file in files if file.is_compressed is is_compressed]
        if paths:
            text = text_lines(scratch.session, paths, max_line_bytes, is_compressed=is_compressed)
            part = form.decide(text, max_line_bytes)
            decided = part if decided is None else decided.unionByName(part)
    assert decided is not None
    decided = scratch.cache(decided)
    # Most forms tell no place in Kafka: the names of the files do.
    placeless = decided.withColumns(
        {name: F.lit(None).cast(RECORD_COLUMNS[name]) for name in ("topic", "partition", "offset")}
    )
    groups = groups_of(scratch.statements, scratch.view(placeless), OF_LINES)
    blocks = blocks_of(groups)
    own_entries = {file.uri: reading.entries[file.uri] for file in files}
    reading.missing_bytes.update(missing_bytes(own_entries, blocks, ()))
    for path, of_file in blocks.items():
        reading.entries[path].lines = sum(block.lines for block in of_file)

    read = decided.where(~F.col("state").isin(BLANK, LINE)).drop("line", "bytes")
    unread = [group for group in groups if group.state == LINE]
    if unread and form.reader is not None:
        exact = read_exactly(
            scratch.session,
            decided.where(F.col("state") == LINE),
            sum(group.rows for group in unread),
            sum(group.line_bytes for group in unread),
            form.reader,
        )
        read = read.unionByName(exact.where(F.col("state") != BLANK), allowMissingColumns=True)
    places = scratch.session.sql(places_of(reading.entries, blocks))
    placed = read.join(F.broadcast(places), ["path", "block"])
    return as_rows(
        placed.withColumns(
            {
                "line": F.expr("seq + shift"),
                "place": F.expr(f"seq + shift - {1 + form.skipped}"),
                "reason": F.expr(CUT_LINE_REASON),
            }
        )
    )
