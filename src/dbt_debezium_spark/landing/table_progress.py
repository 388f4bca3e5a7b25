"""What a run reads of tables that somebody else fills: new, late and unplaced rows by partition.

For each partition, a few numbers that are cheap in columnar formats are compared with those of the
last run that read it. A row without an offset has no place: it is no record, and it is read again
only when the number of such rows changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.relations import (
    NO_PARTITION,
    OFFSET,
    PARTITION,
    RELATION,
    TOPIC,
)
from dbt_debezium_spark.local_frames import ddl, local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KIND = "table"
# Below every offset: the range of rows without one.
NO_OFFSET = -(2**63)
_WANTED = {
    "_wanted_topic": "string",
    "_wanted_partition": "int",
    "_wanted_after": "bigint",
    "_wanted_highest": "bigint",
    "_wanted_unplaced": "boolean",
}


class Extent(NamedTuple):
    """A partition of the tables, compared with its state in the last run that read it.

    Attributes:
        placed: number of rows with an offset.
        late: number of later rows up to the highest offset read. It is negative if rows were
            deleted; other rows may have been added as well.
        above: number of rows above the highest offset read.
        unplaced: number of rows without an offset.
        new_unplaced: how many more they are than in the last run that read the partition.
        last: highest offset read; None if nothing was read.
        highest: highest offset; None if no row has one.
        relations: numbers of the relations with its rows.
    """

    topic: str
    partition: int
    placed: int
    late: int
    above: int
    unplaced: int
    new_unplaced: int
    last: int | None
    highest: int | None
    relations: tuple[int, ...]

    @property
    def path(self) -> str:
        """The path of its rows, as in `row_reading`."""
        return f"{KIND}:{self.topic}/{'' if self.partition == NO_PARTITION else self.partition}"

    @property
    def is_new(self) -> bool:
        """Whether some of its rows may not have landed."""
        return self.late != 0 or self.above > 0 or self.new_unplaced != 0

    @property
    def after(self) -> int | None:
        """The offset above which rows are read; None for all rows."""
        return None if self.late else self.last

    @property
    def reads_unplaced(self) -> bool:
        """Whether the rows without an offset are read."""
        return self.after is None or self.new_unplaced != 0

    @property
    def rows_to_read(self) -> int:
        """The number of rows to read."""
        unplaced = self.unplaced if self.reads_unplaced else 0
        return (self.placed if self.late else self.above) + unplaced


def progress(ledger: DataFrame) -> DataFrame:
    """Return for each partition the highest offset read, and its numbers of rows at that time."""
    entries = ledger.where(F.startswith("path", F.lit(f"{KIND}:")))
    return (
        entries.select(
            "size", "lines", "records", "_cdc_landed_at", F.explode("ranges").alias("range")
        )
        .groupBy(F.col("range.topic").alias(TOPIC), F.col("range.partition").alias(PARTITION))
        .agg(
            F.max("range.max_offset").alias("last"),
            F.max_by("size", "_cdc_landed_at").alias("known"),
            F.max_by(F.col("lines") - F.col("records"), "_cdc_landed_at").alias("known_unplaced"),
        )
    )


def extents(places: DataFrame, known: DataFrame) -> list[Extent]:
    """Compare each partition with its state in the last run that read it.

    Args:
        places: the place of each row, and the number of its relation.
        known: result of `progress`.
    """
    offset = F.col(OFFSET)
    below = F.coalesce(offset <= F.col("last"), F.lit(False))
    rows = (
        places.join(F.broadcast(known), [TOPIC, PARTITION], "left")
        .groupBy(TOPIC, PARTITION, "last")
        .agg(
            F.count(offset).alias("placed"),
            (F.count_if(below) - F.coalesce(F.max("known"), F.lit(0))).alias("late"),
            F.count_if(offset.isNotNull() & ~below).alias("above"),
            F.count_if(offset.isNull()).alias("unplaced"),
            F.coalesce(F.max("known_unplaced"), F.lit(0)).alias("known_unplaced"),
            F.max(offset).alias("highest"),
            F.collect_set(RELATION).alias("relations"),
        )
        .collect()
    )
    return [
        Extent(
            row[TOPIC],
            row[PARTITION],
            row.placed,
            row.late,
            row.above,
            row.unplaced,
            row.unplaced - row.known_unplaced,
            row.last,
            row.highest,
            tuple(sorted(row.relations)),
        )
        for row in rows
    ]


def rows_to_read(session: SparkSession, rows: DataFrame, wanted: Sequence[Extent]) -> DataFrame:
    """Return the rows to read of some partitions, without their place.

    Rows that came after the partitions were counted are left to the next run.
    """
    places = local_frame(
        session,
        [(one.topic, one.partition, one.after, one.highest, one.reads_unplaced) for one in wanted],
        ddl(_WANTED),
    )
    topic, partition, after, highest, unplaced = (F.col(name) for name in _WANTED)
    offset = F.col(OFFSET)
    starts = [extent.after for extent in wanted]
    if None not in starts:
        # The table format skips files by this condition.
        is_wanted = offset > min(start for start in starts if start is not None)
        if any(extent.reads_unplaced for extent in wanted):
            is_wanted = is_wanted | offset.isNull()
        rows = rows.where(is_wanted)
    is_new = (after.isNull() | (offset > after)) & (offset <= highest)
    return (
        rows.join(
            F.broadcast(places),
            (F.col(TOPIC) == topic) & (F.col(PARTITION) == partition),
        )
        .where(F.when(offset.isNull(), unplaced).otherwise(is_new))
        .drop(TOPIC, PARTITION, OFFSET, *_WANTED)
    )


def entries(read: Sequence[Extent], counts: Sequence[Any]) -> dict[str, Entry]:
    """Return an entry of the ledger for each partition that was read.

    Its `size` is the number of rows with an offset, and `lines` exceeds `records` by that of rows
    without one. The range ends at the highest offset, also if the row there is no record.

    Args:
        read: the partitions.
        counts: of each partition with records `topic`, `partition`, `rows`, `min_offset` and
            `max_offset`.
    """
    now = datetime.now(UTC)
    by_place = {(row.topic, row.partition): row for row in counts}
    found = {}
    for extent in read:
        row = by_place.get((extent.topic, extent.partition))
        records = 0 if row is None else row.rows
        highest = NO_OFFSET if extent.highest is None else extent.highest
        lowest = highest if row is None else row.min_offset
        file = File(extent.path, extent.path, extent.placed, now)
        entry = Entry(file, lines=records + extent.unplaced, records=records)
        entry.ranges.append(OffsetRange(extent.topic, extent.partition, lowest, highest, records))
        found[extent.path] = entry
    return found
