"""Read the lines of files with Spark, with the place of each, before anything interprets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.record_line import MAX_CONTENT_CHARACTERS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# Lines that are no candidates: blank ones, and those that `exact_lines` reads.
BLANK, LINE = "blank", "line"
OVERSIZED = "oversized_line"
# Each step of Spark's reading copies a line. A line of up to so many times the limit is read, so
# that its rejection has its number. Spark's reader skips longer lines.
_LIMIT_FACTOR = 2
_SKIP_LONGER = "mapreduce.input.linerecordreader.line.maxlength"


def spark_line_limit(max_line_bytes: int) -> int:
    """Return the number of bytes above which Spark skips lines of uncompressed files."""
    return _LIMIT_FACTOR * max_line_bytes


def text_lines(
    session: SparkSession, paths: list[str], max_line_bytes: int, *, is_compressed: bool
) -> DataFrame:
    """Return every line of files.

    Args:
        session: Spark.
        paths: files, wildcard characters escaped.
        max_line_bytes: a longer line has no value. Lines above `spark_line_limit` are missing,
            which the size of their file shows.
        is_compressed: whether Spark decompresses the files; then no line is missing.

    Returns:
        `path`, `block`, `seq` (see `schemas.PLACE_COLUMNS`), `bytes` (length of the line without
        its newline), `value`, and `beginning`: the first characters of a line without value.
    """
    reader = session.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    if not is_compressed:
        reader = reader.option(_SKIP_LONGER, str(spark_line_limit(max_line_bytes)))
    return reader.text(paths).select(
        F.col("_metadata.file_path").alias("path"),
        F.col("_metadata.file_block_start").alias("block"),
        F.monotonically_increasing_id().alias("seq"),
        F.octet_length("value").cast("bigint").alias("bytes"),
        # Cut here, because each later step copies it.
        F.when(F.octet_length("value") <= max_line_bytes, F.col("value")).alias("value"),
        F.when(
            F.octet_length("value") > max_line_bytes,
            F.make_valid_utf8(F.substring("value", 1, MAX_CONTENT_CHARACTERS)),
        ).alias("beginning"),
    )


def oversized_reason(max_line_bytes: int) -> Column:
    """Return the reason why a line without value is rejected."""
    return F.concat(
        F.lit(f"{OVERSIZED}: "),
        F.col("bytes").cast("string"),
        F.lit(f" bytes; at most {max_line_bytes} are read (`max_line_bytes`)"),
    )
