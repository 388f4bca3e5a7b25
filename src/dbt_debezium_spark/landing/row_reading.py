"""Read rows that already have Kafka's columns, from a broker or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dbt_debezium_spark.landing import rejection_rules
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.record_rows import as_records
from dbt_debezium_spark.landing.rejections import line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.landing.text_lines import RECORD, REJECTED
from dbt_debezium_spark.progress import counted

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

MAX_SAMPLE_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Sample:
    """The first records of an input.

    Attributes:
        looked: what was read, like `12 of 40 partitions`.
        records: topic and value of each; no topic if nothing tells it.
        problems: what could not be read, with the reason.
    """

    looked: str
    records: Sequence[tuple[str | None, str | None]]
    problems: Sequence[str] = ()


def first_values(
    rows: DataFrame, most: int | None = None
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Return topic and value of the first records, and why other rows are none.

    A long value is left out, because the driver holds all of them.

    Args:
        rows: with Kafka's columns.
        most: number of rows; None for all.
    """
    checked = as_records(rows, path=F.lit(""), seq=F.lit(0).cast("bigint"))
    is_short = F.octet_length("value") <= MAX_SAMPLE_BYTES
    told = checked.select("topic", F.when(is_short, F.col("value")).alias("value"), "reason")
    # A limit at the end reads no more of a large table than it needs.
    found = (told if most is None else told.limit(most)).collect()
    reasons = Counter(row.reason for row in found if row.reason is not None)
    return (
        [(row.topic, row.value) for row in found if row.reason is None],
        [f"{counted(count, 'row')}: {reason}" for reason, count in reasons.most_common()],
    )


def read_rows(
    session: SparkSession,
    frames: Mapping[int, DataFrame],
    *,
    kind: str,
    avro: AvroRows | None,
    seq: Column | None = None,
    labels: Sequence[str] | None = None,
) -> tuple[Reading, list[Any]]:
    """Read rows once, and count the records of each partition.

    Args:
        session: Spark.
        frames: by number of its table, rows with Kafka's columns.
        kind: type of input; the path of a row is `<kind>:<topic>/<partition>`.
        avro: decodes keys and values in Avro; None for text.
        seq: a number that is unique within a partition; None to number all rows.
        labels: by number of its table, what the reason of a rejection ends with.

    Returns:
        The reading, without entries, and for each partition with records a row with `path`,
        `topic`, `partition`, `rows`, `min_offset` and `max_offset`.
    """
    reading = Reading(records=None, entries={})
    try:
        parts = [
            as_records(
                _decoded(session, reading, rows, avro),
                path=_path(kind),
                seq=F.lit(0).cast("bigint") if seq is None else seq,
            ).withColumn("block", F.lit(number).cast("bigint"))
            for number, rows in frames.items()
        ]
        everything = reduce(DataFrame.union, parts)
        if seq is None:
            # In one table alone, a number would repeat in another.
            everything = everything.withColumn("seq", F.monotonically_increasing_id())
        everything = everything.persist()
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
        rejected = everything.where(F.col("state") == REJECTED)
        reading.rejections.append(_rejections(rejected, labels))
    return reading, with_records


def _decoded(
    session: SparkSession, reading: Reading, rows: DataFrame, avro: AvroRows | None
) -> DataFrame:
    if avro is None or not avro.applies(rows):
        return rows
    rows = rows.persist()
    reading.persisted.append(rows)
    return avro.decode(session, rows)


def _path(kind: str) -> Column:
    topic = F.make_valid_utf8(F.coalesce(F.col("topic").cast("string"), F.lit("")))
    partition = F.coalesce(F.col("partition").try_cast("int").cast("string"), F.lit(""))
    return F.concat(F.lit(f"{kind}:"), topic, F.lit("/"), partition)


def _rejections(rows: DataFrame, labels: Sequence[str] | None) -> DataFrame:
    reason = F.col("reason")
    if labels is not None:
        names = F.array(*[F.lit(f" in {label}") for label in labels])
        reason = F.concat(reason, F.element_at(names, F.col("block").cast("int") + 1))
    return line_rejections(
        rows.select(
            F.col("path").alias("file"),
            F.expr(rejection_rules.LINE_OF_ROW).alias("line"),
            reason.alias("reason"),
            "content",
            F.lit(None).cast("string").alias("content_hash"),
        )
    )
