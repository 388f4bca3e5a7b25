"""`raw_<source>__rejected`: what could not land, until it is resolved.

The table holds what is open *now*; a test that wants it empty passes again once all is resolved:

- a rejected line or file is a statement about one version of a file. When a changed version is
  read, statements that no longer hold are deleted: a cut last line that was completed, a line that
  was repaired, a foreign file that was replaced. A foreign file that is gone is forgotten;
- a conflicting record leaves when a boundary in `incarnations` explains it: it lands then;
- whatever a person deletes stays deleted until its file changes: that is how to accept a loss.

Nothing is written twice: `rejection_id` is a hash of file, line and content, or of topic,
partition, offset and content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.schemas import REJECTED_COLUMNS
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CONFLICT = "conflicting_record"
FOREIGN = "foreign_file"
IDS_PER_DELETE = 1_000
_IS_CONFLICT = f"reason like '{CONFLICT}%'"


def line_rejections(lines: DataFrame) -> DataFrame:
    """Give rejected lines and files their id.

    Args:
        lines: `file`, `line`, `reason`, `content`, and `content_hash` where `content` was cut.
    """
    return lines.withColumn(
        "rejection_id",
        F.sha2(
            F.concat_ws(
                "\x01",
                F.col("file"),
                F.coalesce(F.col("line").cast("string"), F.lit("")),
                # Of a foreign file the reason is all there is to tell versions apart.
                F.coalesce("content_hash", "content", "reason"),
            ),
            256,
        ),
    )


def conflict_rejections(records: DataFrame) -> DataFrame:
    """Give conflicting records their reason and id; one conflict met twice is one rejection.

    Args:
        records: `file`, `line` and the record's columns.
    """
    identity = ("topic", "partition", "offset", "key", "value")
    texts = [
        # Null and empty key or value are one and the same to `duplicates` as well.
        F.coalesce(F.col(name).cast("string"), F.lit(""))
        for name in identity
    ]
    return (
        records.withColumn(
            "reason",
            F.concat(
                F.lit(f"{CONFLICT}: another record landed as "),
                F.concat_ws(":", "topic", "partition", "offset"),
            ),
        )
        .withColumn("rejection_id", F.sha2(F.concat_ws("\x01", *texts), 256))
        .dropDuplicates(["rejection_id"])
    )


def write_rejections(
    session: SparkSession,
    table: str,
    rejections: Sequence[DataFrame],
    files_read: Iterable[str],
    batch_id: int,
    landed_at: datetime,
) -> int:
    """Add rejections that are not yet open, and drop those that files read again no longer give.

    Args:
        session: Spark.
        table: the rejected table.
        rejections: with `rejection_id` and some of the table's columns.
        files_read: names of all files of this run.
        batch_id: number of this run.
        landed_at: time of this run, UTC.

    Returns:
        How many rejections were added.
    """
    added = 0
    open_ids = session.table(table).select("rejection_id")
    found: DataFrame | None = None
    for one in rejections:
        found = one if found is None else found.unionByName(one, allowMissingColumns=True)
    if found is not None:
        found = found.withColumn("_cdc_batch_id", F.lit(batch_id)).withColumn(
            "_cdc_landed_at", F.lit(landed_at)
        )
        found = found.select(
            *[
                (F.col(name) if name in found.columns else F.lit(None)).cast(kind).alias(name)
                for name, kind in REJECTED_COLUMNS.items()
            ]
        ).persist()
        new = found.join(open_ids, "rejection_id", "left_anti")
        added = new.count()
    read = local_frame(session, [(name,) for name in files_read], "file string")
    stale = session.table(table).where(f"not ({_IS_CONFLICT})").join(read, "file", "left_semi")
    if found is not None:
        stale = stale.join(found.select("rejection_id"), "rejection_id", "left_anti")
    delete(session, table, [row.rejection_id for row in stale.select("rejection_id").collect()])
    if found is not None:
        if added:
            new.writeTo(table).append()
        found.unpersist()
    return added


def conflicts_aside(session: SparkSession, table: str) -> DataFrame:
    """Return the open conflicts as records again, with their place and `rejection_id`."""
    open_conflicts = session.table(table).where(_IS_CONFLICT)
    return open_conflicts.select(
        F.concat(F.lit("rejected:"), "rejection_id").alias("path"),
        F.lit(0).cast("bigint").alias("block"),
        F.lit(0).cast("bigint").alias("seq"),
        "topic",
        "partition",
        "offset",
        "timestamp",
        "timestampType",
        "key",
        "value",
        "headers",
        "rejection_id",
    )


def count_open(session: SparkSession, table: str) -> tuple[int, int]:
    """Return how many rejections are open, and how many of them are foreign files."""
    row = session.table(table).selectExpr("count(*)", f"count_if(reason like '{FOREIGN}%')").first()
    assert row is not None
    return row[0], row[1]


def forget_foreign_files(session: SparkSession, table: str, listing: DataFrame) -> None:
    """Drop the rejections of foreign files that are no longer there: nothing of them is missed."""
    foreign = session.table(table).where(f"reason like '{FOREIGN}%'")
    gone = foreign.join(listing, foreign["file"] == listing["name"], "left_anti")
    delete(session, table, [row.rejection_id for row in gone.select("rejection_id").collect()])


def delete(session: SparkSession, table: str, ids: Sequence[str]) -> None:
    """Delete rejections by id."""
    for start in range(0, len(ids), IDS_PER_DELETE):
        # Ids are hexadecimal digits: safe inside quotes.
        listed = ", ".join(f"'{one}'" for one in ids[start : start + IDS_PER_DELETE])
        session.sql(f"delete from {table} where rejection_id in ({listed})")
