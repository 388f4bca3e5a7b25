"""Find the records of a run that repeat or contradict a landed record.

A record's identity is (topic, incarnation, partition, offset). Two records of one identity are
- a redelivery if key and value are equal; one copy lands. Null and empty are equal, because landing
  layers store a tombstone either way;
- a conflict otherwise: the topic was deleted and created again. The landed record stays. Within one
  run the record with the earlier timestamp lands, then by file and line, because it came first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from dbt_debezium_spark.landing.incarnations import incarnation
from dbt_debezium_spark.landing.ledger import OffsetRange

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

IDENTITY = ["topic", "incarnation", "partition", "offset"]
REDELIVERED, CONFLICTING = "redelivered", "conflicting"
# For more ranges, a filter by topic and by lowest and highest offset is faster to plan.
MAX_RANGES_IN_FILTER = 200


def content_hash() -> Column:
    """Return a hash of key and value, 128 bits in two words."""
    key = F.coalesce("key", F.lit(""))
    value = F.coalesce("value", F.lit(""))
    return F.concat_ws(
        ".", F.xxhash64(key, value).cast("string"), F.xxhash64(value, key, F.lit(1)).cast("string")
    )


def has_repeated_identity(records: DataFrame, boundaries: Sequence[str]) -> bool:
    """Return whether two records of a run have the same identity."""
    identities = records.select(
        "topic", incarnation(boundaries).alias("incarnation"), "partition", "offset"
    )
    return not identities.groupBy(*IDENTITY).count().where("count > 1").limit(1).isEmpty()


def landed_records(raw: DataFrame, ranges: Sequence[OffsetRange]) -> DataFrame:
    """Return the landed records of some offset ranges; no other files of the raw table are read."""
    if len(ranges) <= MAX_RANGES_IN_FILTER:
        filters = [
            (F.col("topic") == offset_range.topic)
            & (F.col("partition") == offset_range.partition)
            & F.col("offset").between(offset_range.min_offset, offset_range.max_offset)
            for offset_range in ranges
        ]
        return raw.where(reduce(or_, filters))
    return raw.where(
        F.col("topic").isin(sorted({offset_range.topic for offset_range in ranges}))
        & (F.col("offset") >= min(offset_range.min_offset for offset_range in ranges))
        & (F.col("offset") <= max(offset_range.max_offset for offset_range in ranges))
    )


def repeated_records(
    records: DataFrame, landed: DataFrame | None, boundaries: Sequence[str]
) -> DataFrame:
    """Return the places of records that must not land.

    Args:
        records: the run's records with their place.
        landed: landed records that may have the same identities; None if there are none.
        boundaries: start of each later incarnation, ISO timestamps in UTC.

    Returns:
        `path`, `seq` and `verdict`: `redelivered` or `conflicting`.
    """
    identities = records.select(
        "path",
        "block",
        "seq",
        "timestamp",
        "topic",
        incarnation(boundaries).alias("incarnation"),
        "partition",
        "offset",
        content_hash().alias("hash"),
    )
    arrival = Window.partitionBy(*IDENTITY).orderBy(
        F.col("timestamp").asc_nulls_last(), "path", "block", "seq"
    )
    ranked = identities.withColumn("rank", F.row_number().over(arrival)).withColumn(
        "first_hash", F.first("hash").over(arrival)
    )
    if landed is None:
        compared = ranked.withColumn("landed", F.lit(None).cast("array<string>"))
    else:
        before = (
            landed.withColumn("incarnation", incarnation(boundaries))
            .groupBy(*IDENTITY)
            .agg(F.collect_set(content_hash()).alias("landed"))
        )
        compared = ranked.join(before, IDENTITY, "left")
    same = F.when(F.col("landed").isNotNull(), F.array_contains("landed", F.col("hash"))).otherwise(
        F.col("hash") == F.col("first_hash")
    )
    is_new = F.col("landed").isNull() & (F.col("rank") == 1)
    verdict = F.when(same, F.lit(REDELIVERED)).otherwise(F.lit(CONFLICTING))
    return compared.where(~is_new).select("path", "seq", verdict.alias("verdict"))
