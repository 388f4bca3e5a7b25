"""Read rows that have Kafka's columns already: from a broker or from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.fast_lines import RECORD, REJECTED
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.record_rows import as_records
from dbt_debezium_spark.landing.rejected import line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_PLACE = ("topic", "partition")


def read_rows(
    session: SparkSession, rows: DataFrame, *, kind: str, seq: Column, avro: AvroRows | None
) -> tuple[Reading, list[Any]]:
    """Read rows once, and say what there is of each partition.

    Args:
        session: Spark.
        rows: with Kafka's columns.
        kind: of input; the place of a row is called `<kind>:<topic>/<partition>`.
        seq: a number that no two rows of a partition share.
        avro: how keys and values in Avro are read; None for text.

    Returns:
        The reading, still without entries, and rows `path`, `topic`, `partition`, `rows`,
        `min_offset`, `max_offset`, one for each partition with records.
    """
    reading = Reading(records=None, entries={})
    if avro is not None:
        rows = rows.persist()
        reading.kept.append(rows)
    topic, partition = (
        F.make_valid_utf8(F.coalesce(F.col(one).cast("string"), F.lit(""))) for one in _PLACE
    )
    path = F.concat(F.lit(f"{kind}:"), topic, F.lit("/"), partition)
    try:
        if avro is not None:
            rows = avro.decoded(session, rows)
        everything = as_records(rows, path=path, seq=seq).persist()
        reading.kept.append(everything)
        counts = (
            everything.groupBy("path", "topic", "partition", "state")
            .agg(
                F.count("*").alias("rows"),
                F.min("offset").alias("min_offset"),
                F.max("offset").alias("max_offset"),
            )
            .collect()
        )
    except BaseException:
        reading.release()
        raise
    found = [row for row in counts if row.state == RECORD]
    if found:
        reading.records = everything.where(F.col("state") == RECORD).select(
            *PLACE_COLUMNS, *RECORD_COLUMNS
        )
    if len(found) < len(counts):
        reading.rejections.append(_rejections(everything.where(F.col("state") == REJECTED)))
    return reading, found


def _rejections(rows: DataFrame) -> DataFrame:
    # `content` is the row as JSON, bytes in base64.
    offset = F.get_json_object("content", "$.offset").try_cast("bigint")
    return line_rejections(
        rows.select(
            F.col("path").alias("file"),
            offset.alias("line"),
            "reason",
            "content",
            F.lit(None).cast("string").alias("content_hash"),
        )
    )
