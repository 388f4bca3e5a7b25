"""The result of reading an input once, whatever its type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.ledger import Entry

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass
class Reading:
    """The records and rejections of one run. Spark keeps the frames until `release`.

    Attributes:
        records: records with their place; None if there are none.
        entries: new entries of the ledger, by `path` of the records.
        rejections: rows for the rejected table.
        blocks: result of `block_numbers.block_frame`; None for an input without files.
        persisted: frames that Spark keeps until `release`.
        has_unique_offsets: whether (topic, partition, offset) is unique in `records`.
        files: names of the files read; their earlier rejections have the same names.
        missing_bytes: by path of an uncompressed file the number of bytes that were not read.
        content: what is equal in equal records; None for key and value as they are.
    """

    records: DataFrame | None
    entries: dict[str, Entry]
    rejections: list[DataFrame] = field(default_factory=list)
    blocks: DataFrame | None = None
    persisted: list[DataFrame] = field(default_factory=list)
    has_unique_offsets: bool = False
    files: list[str] = field(default_factory=list)
    missing_bytes: dict[str, int] = field(default_factory=dict)
    content: Column | None = None

    @property
    def record_count(self) -> int:
        """The number of records, including repeated ones."""
        return sum(entry.records for entry in self.entries.values())

    def located(self, records: DataFrame) -> DataFrame:
        """Add `file` and `line` to records; both are null for an input without files."""
        if self.blocks is not None:
            return numbered(records, self.blocks)
        return records.withColumn("file", F.lit(None).cast("string")).withColumn(
            "line", F.lit(None).cast("bigint")
        )

    def release(self) -> None:
        """Unpersist the frames, the last first: Spark would keep it by computing it again."""
        for frame in reversed(self.persisted):
            frame.unpersist()
        self.persisted.clear()


def numbered(rows: DataFrame, blocks: DataFrame) -> DataFrame:
    """Add `file` and `line` (1-based) to rows with a place."""
    located = rows.join(F.broadcast(blocks), ["path", "block"])
    return located.withColumn("line", F.col("seq") + F.col("shift"))
