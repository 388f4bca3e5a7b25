"""`raw_<source>__files`: the versions of files that were read, and the offsets in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS
from dbt_debezium_spark.local_frames import ddl, local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class OffsetRange:
    """Lowest and highest offset of some records of one partition, both included."""

    topic: str
    partition: int
    min_offset: int
    max_offset: int
    records: int = 0


@dataclass
class Entry:
    """Counts of one version of a file.

    `remaining` is the number of offsets of a partition that the run left for later ones, None for
    an input without a limit.
    """

    file: File
    lines: int = 0
    records: int = 0
    landed: int = 0
    ranges: list[OffsetRange] = field(default_factory=list)
    remaining: int | None = None


def not_in_ledger(listing: DataFrame, ledger: DataFrame) -> list[File]:
    """Return the files whose current version was never read, in order of name."""
    version = ["name", "size", "modified_at"]
    read = ledger.select(F.col("path").alias("name"), "size", "modified_at")
    rows = listing.join(read, version, "left_anti").collect()
    return sorted(
        (File(row.name, row.uri, row.size, row.modified_at) for row in rows),
        key=lambda file: file.name,
    )


def last_batch(ledger: DataFrame) -> tuple[int, int]:
    """Return the highest batch number of the ledger, and the number of landed records."""
    row = ledger.agg(F.max("_cdc_batch_id").alias("batch"), F.sum("landed").alias("landed")).first()
    assert row is not None
    return row.batch or 0, row.landed or 0


def overlapping(
    session: SparkSession, ledger: DataFrame, ranges: Iterable[OffsetRange]
) -> list[OffsetRange]:
    """Return those of `ranges` in which a file of the ledger contained records."""
    ranges = list(ranges)
    if not ranges:
        return []
    new = F.broadcast(
        local_frame(
            session,
            [
                (
                    offset_range.topic,
                    offset_range.partition,
                    offset_range.min_offset,
                    offset_range.max_offset,
                )
                for offset_range in ranges
            ],
            "topic string, partition int, lowest bigint, highest bigint",
        )
    )
    known = ledger.where(F.col("records") > 0).select(F.explode("ranges").alias("range"))
    known = known.select("range.*")
    hits = (
        known.join(new, ["topic", "partition"])
        .where("min_offset <= highest and max_offset >= lowest")
        .select("topic", "partition", "lowest", "highest")
        .distinct()
        .collect()
    )
    return [OffsetRange(row.topic, row.partition, row.lowest, row.highest) for row in hits]


def add_entries(
    session: SparkSession,
    table: str,
    entries: Iterable[Entry],
    batch_id: int,
    landed_at: datetime,
) -> None:
    """Append entries to the ledger; later runs skip these file versions."""
    rows = [
        (
            entry.file.name,
            entry.file.size,
            entry.file.modified_at,
            entry.lines,
            entry.records,
            entry.landed,
            [asdict(offset_range) for offset_range in entry.ranges],
            entry.remaining,
            batch_id,
            landed_at,
        )
        for entry in entries
    ]
    if rows:
        local_frame(session, rows, ddl(LEDGER_COLUMNS)).writeTo(table).append()
