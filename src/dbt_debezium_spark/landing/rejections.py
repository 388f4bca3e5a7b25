"""`raw_<source>__rejected`: lines, files and records that cannot land until they are resolved.

The table contains the open rejections. A test that expects no rows passes once all are resolved:

- A rejected line or file belongs to one version of a file. When a later version is read, landing
  deletes the rejections that no longer apply: a cut last line is complete, a line is repaired, a
  foreign file is replaced or removed.
- A conflicting record lands when a boundary in `incarnations` explains it.
- A rejection that a person deletes stays deleted until its file changes. This accepts a loss.

Nothing is stored twice: `rejection_id` is a hash of file, line and content, or of topic,
partition, offset and content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import rejection_rules
from dbt_debezium_spark.landing.rejection_rules import IS_CONFLICT, IS_FOREIGN
from dbt_debezium_spark.landing.schemas import REJECTED_COLUMNS
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FOREIGN = rejection_rules.FOREIGN
FOREIGN_RELATION = "foreign_relation"
IDS_PER_DELETE = 1_000


def line_rejections(lines: DataFrame) -> DataFrame:
    """Add the id to rejected lines and files.

    Args:
        lines: `file`, `line`, `reason`, `content`, and `content_hash` if `content` is cut.
    """
    return lines.withColumn("rejection_id", F.expr(rejection_rules.LINE_ID))


def conflict_rejections(records: DataFrame) -> DataFrame:
    """Add reason and id to conflicting records; a repeated conflict is one rejection.

    Args:
        records: `file`, `line`, the record's place and its columns.
    """
    return (
        records.withColumn("reason", F.expr(rejection_rules.CONFLICT_REASON))
        .withColumn("rejection_id", F.expr(rejection_rules.CONFLICT_ID))
        .withColumn("copy", F.expr(rejection_rules.COPY))
        .where("copy = 1")
        .drop("copy")
    )


def write_rejections(
    session: SparkSession,
    table: str,
    rejections: Sequence[DataFrame],
    files_read: Iterable[str],
    batch_id: int,
    landed_at: datetime,
) -> int:
    """Add new rejections, and delete old ones that no longer apply to the files read.

    Args:
        session: Spark.
        table: the rejected table.
        rejections: frames with `rejection_id` and some of the table's columns.
        files_read: names of all files of this run.
        batch_id: number of this run.
        landed_at: time of this run, UTC.

    Returns:
        The number of rejections added.
    """
    added = 0
    open_ids = session.table(table).select("rejection_id")
    current: DataFrame | None = None
    for frame in rejections:
        current = frame if current is None else current.unionByName(frame, allowMissingColumns=True)
    if current is not None:
        current = current.withColumn("_cdc_batch_id", F.lit(batch_id)).withColumn(
            "_cdc_landed_at", F.lit(landed_at)
        )
        # No cache: Spark would compute it anew when the table of which it reads conflicts changes.
        current = current.select(
            *[
                (F.col(name) if name in current.columns else F.lit(None)).cast(kind).alias(name)
                for name, kind in REJECTED_COLUMNS.items()
            ]
        ).localCheckpoint()
        new = current.join(open_ids, "rejection_id", "left_anti")
        added = new.count()
    read = local_frame(session, [(name,) for name in files_read], "file string")
    stale = session.table(table).where(f"not ({IS_CONFLICT})").join(read, "file", "left_semi")
    if current is not None:
        stale = stale.join(current.select("rejection_id"), "rejection_id", "left_anti")
    delete(session, table, [row.rejection_id for row in stale.select("rejection_id").collect()])
    if added:
        new.writeTo(table).append()
    return added


def open_conflicts(session: SparkSession, table: str, now: datetime) -> DataFrame:
    """Return the open conflicts as records, with a place and `rejection_id`.

    Args:
        session: Spark.
        table: the rejected table.
        now: time of this run. Spark reads the table again and again, also after this run added
            conflicts; those are not of earlier runs.
    """
    conflicts = session.table(table).where(IS_CONFLICT).where(F.col("_cdc_landed_at") != F.lit(now))
    return conflicts.select(
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
    """Return the number of open rejections, and how many are of foreign files and relations."""
    foreign = f"{IS_FOREIGN} or reason like '{FOREIGN_RELATION}%'"
    row = session.table(table).selectExpr("count(*)", f"count_if({foreign})").first()
    assert row is not None
    return row[0], row[1]


def delete_missing_foreign_files(session: SparkSession, table: str, listing: DataFrame) -> None:
    """Delete the rejections of foreign files that do not exist any more."""
    foreign = session.table(table).where(IS_FOREIGN)
    missing = foreign.join(listing, foreign["file"] == listing["name"], "left_anti")
    delete(session, table, [row.rejection_id for row in missing.select("rejection_id").collect()])


def delete_other_relations(session: SparkSession, table: str, unread: Iterable[str]) -> None:
    """Delete the rejections of relations that can be read again, or do not exist any more.

    Args:
        session: Spark.
        table: the rejected table.
        unread: `file` of the relations that this run could not read.
    """
    foreign = session.table(table).where(f"reason like '{FOREIGN_RELATION}%'")
    rows = foreign.where(~F.col("file").isin(list(unread))).select("rejection_id").collect()
    delete(session, table, [row.rejection_id for row in rows])


def delete(session: SparkSession, table: str, ids: Sequence[str]) -> None:
    """Delete rejections by id."""
    for start in range(0, len(ids), IDS_PER_DELETE):
        # Ids are hexadecimal digits: safe inside quotes.
        id_list = ", ".join(f"'{one}'" for one in ids[start : start + IDS_PER_DELETE])
        session.sql(f"delete from {table} where rejection_id in ({id_list})")
