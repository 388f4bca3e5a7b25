"""Read rows that already have Kafka's columns, from a broker or a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.fast_lines import RECORD, REJECTED
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.record_rows import as_records
from dbt_debezium_spark.landing.rejections import line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_PLACE = ("topic", "partition")


def read_rows(
    session: SparkSession, rows: DataFrame, *, kind: str, seq: Column, avro: AvroRows | None
) -> tuple[Reading, list[Any]]:
    """Read rows once, and count the records of each partition.

    Args:
        session: Spark.
        rows: rows with Kafka's columns.
        kind: type of input; the path of a row is `<kind>:<topic>/<partition>`.
        seq: a number that is unique within a partition.
        avro: decodes keys and values in Avro; None for text.

    Returns:
        The reading, without entries, and for each partition with records a row with `path`,
        `topic`, `partition`, `rows`, `min_offset` and `max_offset`.
    """
    reading = Reading(records=None, entries={})
    if avro is not None:
        rows = rows.persist()
        reading.persisted.append(rows)
    topic, partition = (
        F.make_valid_utf8(F.coalesce(F.col(name).cast("string"), F.lit(""))) for name in _PLACE
    )
    path = F.concat(F.lit(f"{kind}:"), topic, F.lit("/"), partition)
    try:
        if avro is not None:
            rows = avro.decode(session, rows)
        everything = as_records(rows, path=path, seq=seq).persist()
        reading.persisted.append(everything)
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
    with_records = [row for row in counts if row.state == RECORD]
    if with_records:
        reading.records = everything.where(F.col("state") == RECORD).select(
            *PLACE_COLUMNS, *RECORD_COLUMNS
        )
    if len(with_records) < len(counts):
        reading.rejections.append(_rejections(everything.where(F.col("state") == REJECTED)))
    return reading, with_records


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
