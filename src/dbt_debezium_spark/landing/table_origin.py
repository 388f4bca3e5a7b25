"""A table or view of the team's own as the origin of records.

Rows may come late and in any order, and rows may be deleted. What a run reads is decided by
partition, from three numbers that columnar formats give cheaply: rows, lowest and highest offset.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from dbt_debezium_spark.config import TableInput
from dbt_debezium_spark.config.input_table import COLUMNS
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.origin import Landed
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.record_rows import missing_columns
from dbt_debezium_spark.landing.row_reading import read_rows
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.local_frames import local_frame
from dbt_debezium_spark.progress import counted, say

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KIND = "table"


_PLACE = ("_topic", "_partition", "_offset")


class Extent(NamedTuple):
    """A partition of the table now, against what it was when it was read last.

    Attributes:
        rows: how many there are.
        late: how many rows up to the highest offset read were not there then; negative when rows
            were deleted since, among which others may have come.
        above: rows above the highest offset read.
        last: that offset; None when nothing was read.
    """

    topic: str | None
    partition: int | None
    rows: int
    late: int
    above: int
    last: int | None

    @property
    def is_new(self) -> bool:
        """Whether something in it may not have landed."""
        return self.late != 0 or self.above > 0

    @property
    def after(self) -> int | None:
        """The offset above which to read; None for all rows."""
        return None if self.late else self.last

    @property
    def to_read(self) -> int:
        """How many rows to read."""
        return self.rows if self.late else self.above


@dataclass(frozen=True)
class TableOrigin:
    """The table or view of one source."""

    source: str
    input: TableInput
    avro: AvroRows | None = None

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        landed: Landed,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Read the rows above the highest offset read, or all rows of a partition that changed.

        Raises:
            ValueError: the relation is not there, or lacks a column.
        """
        # What can be no record lacks one of these, and is read in every run until it is resolved.
        rows = self._rows(session).select(
            "*",
            F.make_valid_utf8(F.col("topic").cast("string")).alias("_topic"),
            F.col("partition").try_cast("int").alias("_partition"),
            F.col("offset").try_cast("bigint").alias("_offset"),
        )
        found = _extent(rows, _seen(landed))
        wanted = [one for one in found if one.is_new]
        if not wanted:
            say(f"{self.source}: no new rows in {self.input.relation}")
            return Reading(records=None, entries={})
        say(
            f"{self.source}: reading {counted(sum(one.to_read for one in wanted), 'row')} of"
            f" {self.input.relation}, {counted(len(wanted), 'partition')}"
        )
        reading, counts = read_rows(
            session,
            _wanted_rows(session, rows, wanted),
            kind=KIND,
            seq=F.monotonically_increasing_id(),
            avro=self.avro,
        )
        totals = {(one.topic, one.partition): one.rows for one in wanted}
        for row in counts:
            # `size` is how many rows the partition holds now: more of them below its highest
            # offset are late ones.
            file = File(row.path, row.path, totals[row.topic, row.partition], datetime.now(UTC))
            entry = Entry(file, lines=row.rows, records=row.rows)
            entry.ranges.append(
                OffsetRange(row.topic, row.partition, row.min_offset, row.max_offset, row.rows)
            )
            reading.entries[row.path] = entry
        return reading

    def _rows(self, session: SparkSession) -> DataFrame:
        try:
            table = session.table(self.input.relation)
            names = {name.lower(): name for name in table.columns}
        except AnalysisException as error:
            raise ValueError(
                f"debezium_spark: source `{self.source}` reads `{self.input.relation}`, which Spark"
                f" cannot: {str(error).splitlines()[0]} Correct `input.relation`, or create it."
            ) from error
        columns = {}
        for ours in COLUMNS:
            theirs = self.input.columns.get(ours, ours)
            if theirs.lower() in names:
                columns[ours] = F.col(f"`{names[theirs.lower()]}`").alias(ours)
            elif ours in self.input.columns:
                raise ValueError(
                    f"debezium_spark: source `{self.source}`: `input.columns.{ours}` is `{theirs}`,"
                    f" which {self.input.relation} does not have. It has:"
                    f" {', '.join(table.columns)}."
                )
        rows = table.select(*columns.values())
        missing = missing_columns(rows.schema)
        if missing:
            raise ValueError(
                f"debezium_spark: source `{self.source}`: {self.input.relation} has no column"
                f" `{missing[0]}`. Name the one that holds it: input.columns.{missing[0]}. It has:"
                f" {', '.join(table.columns)}."
            )
        return rows


def _extent(rows: DataFrame, seen: DataFrame) -> list[Extent]:
    below = F.coalesce(F.col("_offset") <= F.col("last"), F.lit(False))
    counted_rows = (
        rows.join(F.broadcast(seen), ["_topic", "_partition"], "left")
        .groupBy("_topic", "_partition", "last")
        .agg(
            F.count("*").alias("rows"),
            (F.count_if(below) - F.coalesce(F.max("known"), F.lit(0))).alias("late"),
            F.count_if(~below).alias("above"),
        )
        .collect()
    )
    return [
        Extent(row._topic, row._partition, row.rows, row.late, row.above, row.last)
        for row in counted_rows
    ]


def _seen(landed: Landed) -> DataFrame:
    """Return per partition the highest offset read, and how many rows there were then."""
    mine = landed.history.where(F.startswith("path", F.lit(f"{KIND}:")))
    return (
        mine.select("size", "_cdc_landed_at", F.explode("ranges").alias("range"))
        .groupBy(F.col("range.topic").alias("_topic"), F.col("range.partition").alias("_partition"))
        .agg(
            F.max("range.max_offset").alias("last"),
            F.max_by("size", "_cdc_landed_at").alias("known"),
        )
    )


def _wanted_rows(session: SparkSession, rows: DataFrame, wanted: list[Extent]) -> DataFrame:
    known = local_frame(
        session,
        [(one.topic, one.partition, one.after) for one in wanted],
        "wanted_topic string, wanted_partition int, after bigint",
    )
    starts = [one.after for one in wanted]
    if None not in starts:
        # Seen by the table's format, which leaves out files.
        rows = rows.where(F.col("_offset") > min(one for one in starts if one is not None))
    return (
        rows.join(
            F.broadcast(known),
            F.col("_topic").eqNullSafe(F.col("wanted_topic"))
            & F.col("_partition").eqNullSafe(F.col("wanted_partition")),
        )
        .where(
            F.col("after").isNull()
            | F.col("_offset").isNull()
            | (F.col("_offset") > F.col("after"))
        )
        .drop(*_PLACE, "wanted_topic", "wanted_partition", "after")
    )
