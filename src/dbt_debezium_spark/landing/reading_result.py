"""What an input gave in one run, whatever its type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.ledger import Entry

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass
class Reading:
    """What was read in one run. Frames are kept by Spark until `release`.

    Attributes:
        records: records with their place; None when there are none.
        entries: what goes into the ledger, by `path` of the records.
        rejections: rows for the rejected table.
        blocks: what gives lines of files their numbers; None for an input without files.
        kept: what `release` lets go.
        has_unique_offsets: whether no two of `records` can have one topic, partition and offset.
        files: names of the files read, as rejections of an earlier reading of them have them.
        missing_bytes: of files that are not compressed, by path: what no line accounts for.
    """

    records: DataFrame | None
    entries: dict[str, Entry]
    rejections: list[DataFrame] = field(default_factory=list)
    blocks: DataFrame | None = None
    kept: list[DataFrame] = field(default_factory=list)
    has_unique_offsets: bool = False
    files: list[str] = field(default_factory=list)
    missing_bytes: dict[str, int] = field(default_factory=dict)

    @property
    def record_count(self) -> int:
        """How many records there are together, repeated ones included."""
        return sum(entry.records for entry in self.entries.values())

    def located(self, records: DataFrame) -> DataFrame:
        """Add `file` and `line` to records: none where there are no files."""
        if self.blocks is not None:
            return numbered(records, self.blocks)
        return records.withColumn("file", F.lit(None).cast("string")).withColumn(
            "line", F.lit(None).cast("bigint")
        )

    def release(self) -> None:
        """Let Spark forget the frames."""
        for frame in self.kept:
            frame.unpersist()
        self.kept.clear()


def numbered(rows: DataFrame, blocks: DataFrame) -> DataFrame:
    """Add `file` and `line` (1-based) to rows that have a place."""
    located = rows.join(F.broadcast(blocks), ["path", "block"])
    return located.withColumn("line", F.col("seq") + F.col("shift"))
