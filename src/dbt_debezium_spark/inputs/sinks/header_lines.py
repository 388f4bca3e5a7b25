"""Lines of the headers that Confluent's sinks write beside the values, with Spark's expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.fast_lines import JSON_OPTIONS
from dbt_debezium_spark.landing.record_line import MAX_CONTENT_CHARACTERS
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE, RECORD, REJECTED
from dbt_debezium_spark.landing.text_lines import BLANK, oversized_reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def header_lines(text: DataFrame, max_line_bytes: int) -> DataFrame:
    """Return the headers of every line, `{"headers":[{"key":…,"value":…}]}` or the list alone.

    Arguments and result: see `LineForm.decide`.
    """
    schema = f"headers {HEADERS_TYPE}, broken string"
    whole = F.when(
        F.ltrim("value").startswith("["), F.concat(F.lit('{"headers":'), "value", F.lit("}"))
    ).otherwise(F.col("value"))
    parsed = text.withColumn("parsed", F.from_json(whole, schema, JSON_OPTIONS))
    is_whole = F.col("parsed.broken").isNull() & F.col("parsed.headers").isNotNull()
    state = (
        F.when(F.col("value").isNull(), F.lit(REJECTED))
        .when(F.trim("value", F.lit(" \t\r")) == "", F.lit(BLANK))
        .when(F.coalesce(is_whole, F.lit(False)), F.lit(RECORD))
        .otherwise(F.lit(REJECTED))
    )
    decided = parsed.withColumn("state", state)
    reason = F.when(F.col("value").isNull(), oversized_reason(max_line_bytes)).otherwise(
        F.lit("malformed_line: no list of headers with key and value")
    )
    line = F.make_valid_utf8(F.substring("value", 1, MAX_CONTENT_CHARACTERS))
    is_rejected = F.col("state") == REJECTED
    return decided.select(
        "path",
        "block",
        "seq",
        "bytes",
        "state",
        F.when(F.col("state") == RECORD, F.col("parsed.headers")).alias("headers"),
        F.when(is_rejected, reason).alias("reason"),
        F.when(is_rejected, F.coalesce("beginning", line)).alias("content"),
        F.lit(None).cast("binary").alias("line"),
    )
