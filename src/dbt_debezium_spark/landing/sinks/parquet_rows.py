"""Rows of Parquet files of the sinks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.landing.file_problems import PARALLEL_FILES, short
from dbt_debezium_spark.landing.parquet_files import read_rows_of, schema_of
from dbt_debezium_spark.landing.rejections import FOREIGN
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE
from dbt_debezium_spark.landing.sinks.file_sets import SinkFile
from dbt_debezium_spark.landing.sinks.names import KEYS
from dbt_debezium_spark.landing.sinks.row_columns import as_rows, numbered_rows

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_PLAIN = (T.StringType, T.BinaryType)
_KAFKA_PLACE = ("topic", "partition", "offset")


class ParquetProblem(ValueError):  # noqa: N818 - it says what the schema is, not what failed
    """Parquet files whose rows cannot be read; the text is the reason."""


def file_rows(
    session: SparkSession, files: Sequence[SinkFile], reasons: dict[str, str], layout: str
) -> list[DataFrame]:
    """Return the rows of values.

    Args:
        session: Spark.
        files: Parquet files of values.
        reasons: by uri the reason to reject a whole file; gets those that cannot be read.
        layout: layout of the files.
    """

    def rows_of(rows: DataFrame) -> DataFrame:
        names = set(rows.columns)
        if layout == layouts.LENSES:
            if "metadata" not in names:
                raise ParquetProblem("it has no column `metadata` (`store.envelope` of the sink)")
            place = F.col("metadata")
            told = {name: place.getField(name) for name in (*_KAFKA_PLACE, "timestamp")}
            rows = _with_kafka_columns(rows.withColumns(told).drop("metadata"))
        elif layout == layouts.AIVEN and "value" in names:
            rows = _with_kafka_columns(rows)
        elif "ts_ms" in names:
            # The columns are the value, which alone tells the time: see docs/inputs.md.
            rows = rows.withColumn("timestamp", F.timestamp_millis(F.col("ts_ms").cast("bigint")))
        return with_texts(rows)

    return _frames(session, files, reasons, rows_of)


def sidecar_rows(
    session: SparkSession, files: Sequence[SinkFile], reasons: dict[str, str], part: str
) -> list[DataFrame]:
    """Return the rows of keys, whose text is the `value`, or of headers; see `file_rows`."""
    column = "key" if part == KEYS else "headers"

    def rows_of(rows: DataFrame) -> DataFrame:
        if column not in rows.columns:
            raise ParquetProblem(f"it has no column `{column}`")
        if part == KEYS:
            return with_texts(rows.withColumnRenamed("key", "value"))
        return rows.withColumn("headers", _headers(rows, "headers"))

    return _frames(session, files, reasons, rows_of)


def _with_kafka_columns(rows: DataFrame) -> DataFrame:
    """Return rows with the types of a record's timestamp and headers."""
    typed = {}
    if "timestamp" in rows.columns:
        typed["timestamp"] = F.timestamp_millis(F.col("timestamp").cast("bigint"))
    if "headers" in rows.columns:
        typed["headers"] = _headers(rows, "headers")
    return rows.withColumns(typed)


def with_texts(rows: DataFrame) -> DataFrame:
    """Return rows with `key` and `value` as text.

    Args:
        rows: `path`, `seq`, and the columns of files. Without a column `value`, the others are the
            members of the value.

    Raises:
        ParquetProblem: a key or value cannot be read.
    """
    by_name = {field.name: field.dataType for field in rows.schema.fields}
    if "value" not in by_name:
        raise ParquetProblem("its value is in nested columns, which are not read yet")
    for name in ("key", "value"):
        if name in by_name and not isinstance(by_name[name], _PLAIN):
            raise ParquetProblem(f"its `{name}` is in nested columns, which are not read yet")
    return rows.withColumns(
        {name: F.col(name).cast("string") for name in ("key", "value") if name in by_name}
    )


def _frames(
    session: SparkSession,
    files: Sequence[SinkFile],
    reasons: dict[str, str],
    rows_of: Callable[[DataFrame], DataFrame],
) -> list[DataFrame]:
    """Return rows of the files, those of one schema together."""

    def schema_and_problem(one: SinkFile) -> tuple[str, str]:
        try:
            return schema_of(session, [one.file.readable_path]).simpleString(), ""
        except Exception as error:  # of py4j or Spark
            return "", f"cannot be read as Parquet: {short(error)}"

    groups: dict[str, list[SinkFile]] = defaultdict(list)
    with ThreadPoolExecutor(max_workers=PARALLEL_FILES) as pool:
        for one, (schema, why) in zip(files, pool.map(schema_and_problem, files), strict=True):
            if why:
                reasons[one.file.uri] = f"{FOREIGN}: {why}"
            else:
                groups[schema].append(one)
    frames = []
    for group in groups.values():
        try:
            rows = rows_of(read_rows_of(session, [one.file.readable_path for one in group]))
        except ParquetProblem as error:
            reasons |= {one.file.uri: f"{FOREIGN}: {error}" for one in group}
            continue
        frames.append(as_rows(numbered_rows(rows)))
    return frames


def _headers(rows: DataFrame, name: str) -> Column:
    kind = rows.schema[name].dataType
    if isinstance(kind, T.MapType):
        return F.map_entries(name).cast(HEADERS_TYPE)
    if isinstance(kind, T.StructType):
        return F.array(
            *[
                F.struct(
                    F.lit(field.name).alias("key"),
                    F.col(name).getField(field.name).cast("string").alias("value"),
                )
                for field in kind.fields
            ]
        ).cast(HEADERS_TYPE)
    return F.col(name).cast(HEADERS_TYPE)
