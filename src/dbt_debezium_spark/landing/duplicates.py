"""Find the records of a run that repeat or contradict a landed record.

A record's identity is (topic, incarnation, partition, offset). Two records of one identity are
- a redelivery if key and value are equal; one copy lands. Null and empty are equal, because landing
  layers store a tombstone either way;
- a conflict otherwise: the topic was deleted and created again. The landed record stays. Within one
  run the record with the earlier timestamp lands, then by file and line, because it came first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import identity_rules
from dbt_debezium_spark.landing.incarnations import incarnation
from dbt_debezium_spark.landing.ledger import OffsetRange

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

IDENTITY = list(identity_rules.IDENTITY)
REDELIVERED, CONFLICTING = identity_rules.REDELIVERED, identity_rules.CONFLICTING


def content_hash() -> Column:
    """Return a hash of key and value, 128 bits in two words."""
    return F.expr(identity_rules.CONTENT_HASH)


def hash_of(key: Column, value: Column) -> Column:
    """Return a hash of two texts that are not null, 128 bits in two words."""
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
    return raw.where(identity_rules.in_ranges(ranges))


def repeated_records(
    records: DataFrame,
    landed: DataFrame | None,
    boundaries: Sequence[str],
    content: Column | None = None,
) -> DataFrame:
    """Return the places of records that must not land.

    Args:
        records: the run's records with their place.
        landed: landed records that may have the same identities; None if there are none.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
        content: what is equal in equal records; by default `content_hash`.

    Returns:
        `path`, `seq` and `verdict`: `redelivered` or `conflicting`.
    """
    content = content_hash() if content is None else content
    identities = records.select(
        "path",
        "block",
        "seq",
        "timestamp",
        "topic",
        incarnation(boundaries).alias("incarnation"),
        "partition",
        "offset",
        content.alias("hash"),
    )
    ranked = identities.withColumn("rank", F.expr(identity_rules.RANK)).withColumn(
        "first_hash", F.expr(identity_rules.FIRST_HASH)
    )
    if landed is None:
        compared = ranked.withColumn("landed", F.lit(None).cast("array<string>"))
    else:
        before = (
            landed.withColumn("incarnation", incarnation(boundaries))
            .groupBy(*IDENTITY)
            .agg(F.collect_set(content).alias("landed"))
        )
        compared = ranked.join(before, IDENTITY, "left")
    verdict = F.expr(identity_rules.VERDICT)
    return compared.where(f"not ({identity_rules.IS_NEW})").select(
        "path", "seq", verdict.alias("verdict")
    )
