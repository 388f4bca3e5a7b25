"""Rows of Parquet files of the sinks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.config.inputs import FilesInput
from dbt_debezium_spark.config.table_input import NestedConfig
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.sinks import avro_rows
from dbt_debezium_spark.inputs.sinks.avro_blocks import AvroItems
from dbt_debezium_spark.inputs.sinks.file_sets import SinkFile
from dbt_debezium_spark.inputs.sinks.names import KEYS
from dbt_debezium_spark.inputs.sinks.parquet_footers import Footer, read_footers
from dbt_debezium_spark.inputs.sinks.parquet_items import avro_items
from dbt_debezium_spark.inputs.sinks.row_columns import as_rows, numbered_rows
from dbt_debezium_spark.landing.file_problems import short
from dbt_debezium_spark.landing.nested.records import PROBLEM, with_texts
from dbt_debezium_spark.landing.nested.value_types import UnsupportedType
from dbt_debezium_spark.landing.parquet_files import open_parquet
from dbt_debezium_spark.landing.record_values import LONG_MAX
from dbt_debezium_spark.landing.rejections import FOREIGN
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_KAFKA_PLACE = ("topic", "partition", "offset")
_KAFKA_COLUMNS = (*_KAFKA_PLACE, "timestamp", "key", "value", "headers")
# `path`, `seq`, and the columns of the files in the struct `item`.
_RowReader = Callable[["DataFrame"], "DataFrame"]


class ParquetProblem(ValueError):  # noqa: N818 - it says what the schema is, not what failed
    """Parquet files whose rows cannot be read; the text is the reason."""


def file_rows(
    session: SparkSession,
    files: Sequence[SinkFile],
    reasons: dict[str, str],
    options: FilesInput,
    reader: Callable[[AvroItems], DataFrame],
) -> list[DataFrame]:
    """Return the rows of values.

    Args:
        session: Spark.
        files: Parquet files of values.
        reasons: by uri the reason to reject a whole file; gets those that cannot be read.
        options: the source's input.
        reader: reads files whose footers have the Avro schema of their rows.
    """

    def rows_of(rows: DataFrame) -> DataFrame:
        if options.layout == layouts.LENSES:
            return _with_texts(_envelopes(rows), options.nested)
        if options.layout == layouts.AIVEN and options.envelope:
            if "value" not in _names(rows):
                raise ParquetProblem("its rows have no column `value` (`input.envelope`)")
            return _with_texts(_fields(rows, "item", _KAFKA_COLUMNS), options.nested)
        return _with_texts(_values(rows), options.nested)

    return _frames(session, files, reasons, reader, rows_of)


def sidecar_rows(
    session: SparkSession, files: Sequence[SinkFile], reasons: dict[str, str], part: str
) -> list[DataFrame]:
    """Return the rows of keys, whose text is the `value`, or of headers; see `file_rows`."""
    column = "key" if part == KEYS else "headers"
    why = f"it has no column `{column}`"

    def of_avro(items: AvroItems) -> DataFrame:
        return avro_rows.wrapped_rows(items, column)

    def of_columns(rows: DataFrame) -> DataFrame:
        if column not in _names(rows):
            raise ParquetProblem(why)
        named = _fields(rows, "item", (column,))
        if part != KEYS:
            return named
        return _with_texts(named, NestedConfig()).withColumnRenamed("key", "value")

    return _frames(session, files, reasons, of_avro, of_columns)


def _frames(
    session: SparkSession,
    files: Sequence[SinkFile],
    reasons: dict[str, str],
    of_avro: Callable[[AvroItems], DataFrame],
    of_columns: _RowReader,
) -> list[DataFrame]:
    """Return rows of the files, those of one footer together."""
    footers, problems = read_footers(session, [file.file.readable_path for file in files])
    reasons |= {path: f"{FOREIGN}: {why}" for path, why in problems.items()}
    readable = {file.file.uri: file.file.readable_path for file in files}
    frames: list[DataFrame] = []
    without: dict[str, list[str]] = defaultdict(list)
    for footer in footers:
        if footer.avro is None:
            without[footer.columns] += footer.paths
            continue
        paths = [readable[path] for path in footer.paths]
        try:
            frames.append(of_avro(avro_items(session, Footer(footer.avro, footer.columns, paths))))
        except (UnsupportedSchema, ParquetProblem) as error:
            why = f"{FOREIGN}: its schema cannot be read: {error}"
            reasons |= dict.fromkeys(footer.paths, why)
    for ours in without.values():
        try:
            rows = _items(open_parquet(session, [readable[path] for path in ours]))
            frames.append(as_rows(numbered_rows(of_columns(rows))))
        except (ParquetProblem, UnsupportedType) as error:
            reasons |= dict.fromkeys(ours, f"{FOREIGN}: {error}")
        except Exception as error:  # of py4j or Spark: a type that Spark does not read
            reasons |= dict.fromkeys(ours, f"{FOREIGN}: cannot be read as Parquet: {short(error)}")
    return frames


def _items(rows: DataFrame) -> DataFrame:
    """Return rows of files as structs: their columns may have any name."""
    return rows.select(
        F.col("_metadata.file_path").alias("path"),
        F.col("_metadata.row_index").alias("seq"),
        F.struct(*[F.col(quoted_name(name)) for name in rows.columns]).alias("item"),
    )


def _kind(rows: DataFrame) -> T.StructType:
    kind = rows.schema["item"].dataType
    assert isinstance(kind, T.StructType)
    return kind


def _names(rows: DataFrame) -> list[str]:
    return _kind(rows).names


def _values(rows: DataFrame) -> DataFrame:
    """Return rows whose columns are the value, which alone tells the time: see docs/inputs.md."""
    times = F.lit(None).cast("timestamp")
    if "ts_ms" in _names(rows):
        times = _moment(F.col("item").getField("ts_ms"), _kind(rows)["ts_ms"].dataType)
    return rows.select("path", "seq", F.col("item").alias("value"), times.alias("timestamp"))


def _envelopes(rows: DataFrame) -> DataFrame:
    """Return rows of Lenses' envelopes, with the place that their metadata tell."""
    names = _names(rows)
    if "metadata" not in names:
        raise ParquetProblem("it has no column `metadata` (`store.envelope` of the sink)")
    named = _fields(rows, "item", ("key", "value", "headers"), kept=("item",))
    return _fields(
        named,
        "item.metadata",
        (*_KAFKA_PLACE, "timestamp"),
        kept=[name for name in named.columns if name not in ("path", "seq", "item")],
    )


def _fields(
    rows: DataFrame, parent: str, wanted: Sequence[str], *, kept: Sequence[str] = ()
) -> DataFrame:
    """Return rows with those fields of a struct that it has, with the types of a record."""
    kind = rows.select(parent).schema.fields[0].dataType
    if not isinstance(kind, T.StructType):
        raise ParquetProblem(f"its column `{parent.rpartition('.')[2]}` is no struct")
    columns: list[Column] = []
    for name in wanted:
        if name not in kind.names:
            continue
        field = F.col(parent).getField(name)
        if name == "timestamp":
            field = _moment(field, kind[name].dataType)
        elif name == "headers":
            field = _headers(field, kind[name].dataType)
        columns.append(field.alias(name))
    return rows.select("path", "seq", *kept, *columns)


def _with_texts(rows: DataFrame, nested: NestedConfig) -> DataFrame:
    """Return rows with `key` and `value` as text, and the `reason` why a text is not exact.

    Raises:
        UnsupportedType: a column is of a type that no record has.
    """
    written = with_texts(rows, nested)
    texts = {
        name: F.col(name).cast("string") for name in ("key", "value") if name in written.columns
    }
    return written.withColumns(texts).withColumnRenamed(PROBLEM, "reason")


def _moment(time: Column, kind: T.DataType) -> Column:
    """Return a number of milliseconds as a timestamp, null for one that is out of range."""
    if isinstance(kind, T.TimestampType | T.TimestampNTZType):
        return time.cast("timestamp")
    number = time.try_cast("bigint")
    return F.when(number.between(0, LONG_MAX // 1000), F.timestamp_millis(number))


def _headers(headers: Column, kind: T.DataType) -> Column:
    if isinstance(kind, T.MapType):
        return F.map_entries(headers).cast(HEADERS_TYPE)
    if isinstance(kind, T.StructType):
        return F.array(
            *[
                F.struct(
                    F.lit(field.name).alias("key"),
                    headers.getField(field.name).cast("string").alias("value"),
                )
                for field in kind.fields
            ]
        ).cast(HEADERS_TYPE)
    return headers.cast(HEADERS_TYPE)
