"""Lines that are values or keys alone, with Spark's own expressions where that is certain.

Other lines get the state `line`, for `value_line`.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.fast_lines import JSON_OPTIONS, SURROGATE_ESCAPE
from dbt_debezium_spark.landing.row_rules import may_have_surrogate_escapes
from dbt_debezium_spark.landing.schemas import RECORD, REJECTED
from dbt_debezium_spark.landing.text_lines import BLANK, LINE, oversized_reason

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_BLANKS = " \t\r"
_BRACKETS = ("", "[", "]", "[]")
_TIMES = "ts_ms string, payload struct<ts_ms string>"
# A frame shows whether a line is exactly one value: see `fast_lines`.
_OBJECT_FRAME = f"line array<struct<{_TIMES}>>"
_MAX_EPOCH_MS = r"^[0-9]{1,15}$"


def value_lines(text: DataFrame, max_line_bytes: int, *, is_array: bool = False) -> DataFrame:
    """Return the value of every line.

    A line that is a string holds the text of the value, one that is null a tombstone.

    Args:
        text: result of `text_lines`.
        max_line_bytes: longer lines are rejected.
        is_array: whether a file is one JSON array with an item per line.

    Returns:
        `path`, `block`, `seq`, `bytes`, `state`, `timestamp`, `value`, `reason` and `content` of a
        rejected line, and `line`: the bytes of a line with the state `line`.
    """
    end_mark = uuid.uuid4().hex
    trimmed = F.trim("value", F.lit(_BLANKS))
    if is_array:
        trimmed = F.rtrim(trimmed, F.lit(","))
    lines = text.withColumn("text", trimmed)
    framed = F.concat(F.lit('{"line":['), F.col("text"), F.lit(f'],"end":"{end_mark}"}}'))
    is_object, is_string = F.col("text").startswith("{"), F.col("text").startswith('"')
    parsed = lines.select(
        "*",
        F.when(is_object, _parsed(framed, _OBJECT_FRAME)).alias("as_object"),
        F.when(is_string, _parsed(framed, "line array<string>")).alias("as_string"),
    )
    content = F.element_at("as_string.line", 1)
    times = F.coalesce(
        F.element_at("as_object.line", 1), F.from_json(content, _TIMES, JSON_OPTIONS)
    )
    read = parsed.select(
        "*",
        F.when(is_object, F.col("text")).otherwise(content).alias("content_text"),
        _timestamp(F.coalesce(times["ts_ms"], times["payload"]["ts_ms"])).alias("timestamp"),
        (_is_whole("as_object", end_mark) | _is_whole("as_string", end_mark)).alias("is_whole"),
    )
    is_certain = (
        F.expr("is_valid_utf8(value)")
        & ~(F.expr(may_have_surrogate_escapes("value")) & F.rlike("value", F.lit(SURROGATE_ESCAPE)))
        & (F.col("is_whole") | (F.col("text") == "null"))
    )
    blanks = _BRACKETS if is_array else _BRACKETS[:1]
    state = (
        F.when(F.col("value").isNull(), F.lit(REJECTED))
        .when(F.col("text").isin(*blanks), F.lit(BLANK))
        .when(F.coalesce(is_certain, F.lit(False)), F.lit(RECORD))
        .otherwise(F.lit(LINE))
    )
    return _decided(read, state, "content_text", max_line_bytes)


def raw_lines(text: DataFrame, max_line_bytes: int) -> DataFrame:
    """Return every line as the bytes of a value, as Connect's ByteArrayFormat writes them.

    An empty line is an empty value. Arguments and result: see `value_lines`.
    """
    content = F.rtrim("value", F.lit("\r"))
    times = F.from_json(content, _TIMES, JSON_OPTIONS)
    read = text.select(
        "*",
        content.alias("text"),
        _timestamp(F.coalesce(times["ts_ms"], times["payload"]["ts_ms"])).alias("timestamp"),
    )
    is_certain = F.expr("is_valid_utf8(value)") & ~(
        F.expr(may_have_surrogate_escapes("value")) & F.rlike("value", F.lit(SURROGATE_ESCAPE))
    )
    state = (
        F.when(F.col("value").isNull(), F.lit(REJECTED))
        .when(is_certain, F.lit(RECORD))
        .otherwise(F.lit(LINE))
    )
    return _decided(read, state, "text", max_line_bytes)


def _decided(read: DataFrame, state: Column, content: str, max_line_bytes: int) -> DataFrame:
    decided = read.withColumn("state", state)
    is_record = F.col("state") == RECORD
    return decided.select(
        "path",
        "block",
        "seq",
        "bytes",
        "state",
        F.when(is_record, F.col("timestamp")).alias("timestamp"),
        F.when(is_record, F.col(content)).alias("value"),
        F.when(F.col("state") == REJECTED, oversized_reason(max_line_bytes)).alias("reason"),
        F.col("beginning").alias("content"),
        F.when(F.col("state") == LINE, F.col("value").cast("binary")).alias("line"),
    )


def _parsed(framed: Column, schema: str) -> Column:
    return F.from_json(framed, f"{schema}, end string, broken string", JSON_OPTIONS)


def _is_whole(name: str, end_mark: str) -> Column:
    return F.coalesce(
        F.col(f"{name}.broken").isNull()
        & (F.col(f"{name}.end") == end_mark)
        & (F.size(f"{name}.line") == 1)
        & F.element_at(f"{name}.line", 1).isNotNull(),
        F.lit(False),
    )


def _timestamp(milliseconds: Column) -> Column:
    """Return the `ts_ms` of an envelope as a timestamp; the files have none of the record."""
    return F.when(
        F.rlike(milliseconds, F.lit(_MAX_EPOCH_MS)),
        F.timestamp_millis(milliseconds.try_cast("bigint")),
    )
