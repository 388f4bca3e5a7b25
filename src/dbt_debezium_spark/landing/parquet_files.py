"""Read Parquet files with Kafka's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.avro_rows import PLACE, AvroRows
from dbt_debezium_spark.landing.record_rows import as_records

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import types as T


def schema_of(session: SparkSession, paths: list[str]) -> T.StructType:
    """Return the merged schema of Parquet files.

    Raises:
        Exception: Spark's error, if one file is not Parquet or two types differ.
    """
    return _reader(session, paths).schema


def read_parquet(
    session: SparkSession, paths: list[str], avro: AvroRows | None = None
) -> DataFrame:
    """Return every row of Parquet files with compatible schemas.

    Args:
        session: Spark.
        paths: files, wildcard characters escaped.
        avro: decodes keys and values that are bytes.

    Returns:
        The columns of `fast_lines.read_lines`; `state` is `record` or `rejected`, and a rejected
        row has a `reason` and its `content`. `seq` is the row's number in its file, from 0.
    """
    rows = _reader(session, paths)
    path, seq = F.col("_metadata.file_path"), F.col("_metadata.row_index")
    if avro is None or not avro.has_bytes(rows):
        return as_records(rows, path=path, seq=seq)
    placed = rows.select("*", path.alias(PLACE["path"]), seq.alias(PLACE["seq"]))
    return as_records(
        avro.decode(session, placed), path=F.col(PLACE["path"]), seq=F.col(PLACE["seq"])
    )


def _reader(session: SparkSession, paths: list[str]) -> DataFrame:
    # Without recursiveFileLookup, a folder `date=2026-01-01` would add a column.
    options = {"mergeSchema": "true", "recursiveFileLookup": "true"}
    return session.read.options(**options).parquet(*paths)
