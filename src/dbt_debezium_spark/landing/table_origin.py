"""A table or view that somebody else fills, as the origin of records.

Rows may arrive late and in any order, and rows may be deleted. For each partition, three numbers
that are cheap in columnar formats decide what a run reads: rows, lowest and highest offset.
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
from dbt_debezium_spark.landing.origin import LandingState
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.record_rows import missing_columns
from dbt_debezium_spark.landing.row_reading import read_rows
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.local_frames import local_frame
from dbt_debezium_spark.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KIND = "table"


_PLACE = ("_topic", "_partition", "_offset")


class Extent(NamedTuple):
    """A partition of the table, compared with its state in the last run that read it.

    Attributes:
        rows: number of rows.
        late: number of later rows up to the highest offset read. It is negative if rows were
            deleted; other rows may have been added as well.
        above: number of rows above the highest offset read.
        last: highest offset read; None if nothing was read.
    """

    topic: str | None
    partition: int | None
    rows: int
    late: int
    above: int
    last: int | None

    @property
    def is_new(self) -> bool:
        """Whether some of its rows may not have landed."""
        return self.late != 0 or self.above > 0

    @property
    def after(self) -> int | None:
        """The offset above which rows are read; None for all rows."""
        return None if self.late else self.last

    @property
    def rows_to_read(self) -> int:
        """The number of rows to read."""
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
        state: LandingState,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Read the rows above the highest offset read, or all rows of a changed partition.

        Raises:
            ValueError: the relation does not exist, or lacks a column.
        """
        # A row that lacks one of these is no record. Every run reads it until it is resolved.
        rows = self._rows(session).select(
            "*",
            F.make_valid_utf8(F.col("topic").cast("string")).alias("_topic"),
            F.col("partition").try_cast("int").alias("_partition"),
            F.col("offset").try_cast("bigint").alias("_offset"),
        )
        extents = _extents(rows, _progress(state))
        changed = [extent for extent in extents if extent.is_new]
        if not changed:
            report(f"{self.source}: no new rows in {self.input.relation}")
            return Reading(records=None, entries={})
        report(
            f"{self.source}: reading {counted(sum(one.rows_to_read for one in changed), 'row')} of"
            f" {self.input.relation}, {counted(len(changed), 'partition')}"
        )
        reading, counts = read_rows(
            session,
            _rows_to_read(session, rows, changed),
            kind=KIND,
            seq=F.monotonically_increasing_id(),
            avro=self.avro,
        )
        totals = {(one.topic, one.partition): one.rows for one in changed}
        for row in counts:
            # In entries of a table `size` is the number of rows of the partition: if a later run
            # finds more rows up to the highest offset, some are late.
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
        for column in COLUMNS:
            name = self.input.columns.get(column, column)
            if name.lower() in names:
                columns[column] = F.col(f"`{names[name.lower()]}`").alias(column)
            elif column in self.input.columns:
                raise ValueError(
                    f"debezium_spark: source `{self.source}`: `input.columns.{column}` is `{name}`,"
                    f" which {self.input.relation} does not have. It has:"
                    f" {', '.join(table.columns)}."
                )
        rows = table.select(*columns.values())
        missing = missing_columns(rows.schema)
        if missing:
            raise ValueError(
                f"debezium_spark: source `{self.source}`: {self.input.relation} has no column"
                f" `{missing[0]}`. Map it: input.columns.{missing[0]}. It has:"
                f" {', '.join(table.columns)}."
            )
        return rows


def _extents(rows: DataFrame, progress: DataFrame) -> list[Extent]:
    below = F.coalesce(F.col("_offset") <= F.col("last"), F.lit(False))
    counted_rows = (
        rows.join(F.broadcast(progress), ["_topic", "_partition"], "left")
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


def _progress(state: LandingState) -> DataFrame:
    """Return for each partition the highest offset read, and its number of rows at that time."""
    entries = state.ledger.where(F.startswith("path", F.lit(f"{KIND}:")))
    return (
        entries.select("size", "_cdc_landed_at", F.explode("ranges").alias("range"))
        .groupBy(F.col("range.topic").alias("_topic"), F.col("range.partition").alias("_partition"))
        .agg(
            F.max("range.max_offset").alias("last"),
            F.max_by("size", "_cdc_landed_at").alias("known"),
        )
    )


def _rows_to_read(session: SparkSession, rows: DataFrame, extents: list[Extent]) -> DataFrame:
    known = local_frame(
        session,
        [(extent.topic, extent.partition, extent.after) for extent in extents],
        "wanted_topic string, wanted_partition int, after bigint",
    )
    starts = [extent.after for extent in extents]
    if None not in starts:
        # The table format skips files by this condition.
        rows = rows.where(F.col("_offset") > min(start for start in starts if start is not None))
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
