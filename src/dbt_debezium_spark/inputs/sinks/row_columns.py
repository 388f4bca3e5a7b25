"""The rows that every form of file becomes, before they have a place in Kafka."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.schemas import RECORD_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# `place` is the number of a record in its file, from 0, `line` that of its line or row, from 1.
# Topic, partition and offset are null where the name of the file tells them.
ROW_COLUMNS = {
    "path": "string",
    "place": "bigint",
    "line": "bigint",
    "state": "string",
    **RECORD_COLUMNS,
    "reason": "string",
    "content": "string",
    "content_hash": "string",
}


def as_rows(frame: DataFrame) -> DataFrame:
    """Return a frame with all columns of rows; those that it lacks are null."""
    return frame.select(
        *[
            (F.col(f"`{name}`") if name in frame.columns else F.lit(None)).cast(kind).alias(name)
            for name, kind in ROW_COLUMNS.items()
        ]
    )


def numbered_rows(frame: DataFrame) -> DataFrame:
    """Return rows of files without lines, from `seq`: the number of a row in its file, from 0."""
    return frame.withColumn("place", F.col("seq")).withColumn("line", F.col("seq") + 1)
