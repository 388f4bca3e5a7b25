"""Rows with Kafka's columns, whatever types their writer chose, as records or rejections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.landing.avro_rows import BYTES, OWN_COLUMNS
from dbt_debezium_spark.landing.fast_lines import RECORD, REJECTED
from dbt_debezium_spark.landing.record_line import (
    JSON_BEGINS,
    LONE_SURROGATE,
    LONG_MAX,
    WHOLE_ESCAPES,
)
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE, RECORD_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

REQUIRED = ("topic", "partition", "offset", "value")
_ALIASES = {"timestamp": ("timestamp", "ts"), "timestampType": ("timestampType", "timestamp_type")}
_INT_MAX = 2**31 - 1
_MOST_MILLISECONDS = LONG_MAX // 1000


def missing_columns(schema: T.StructType) -> list[str]:
    """Return the columns without which rows are no records."""
    present = {name.lower() for name in schema.names}
    return [name for name in REQUIRED if name not in present]


def as_records(rows: DataFrame, *, path: Column, seq: Column) -> DataFrame:
    """Return rows as records, and those that are none with the reason.

    Args:
        rows: with Kafka's columns; key, value and headers as text or bytes. As `avro_rows` gives
            them, with a `reason` where they could not be read.
        path: what a row's place is called.
        seq: a number that no two rows of a path share.

    Returns:
        As `fast_lines.read_lines`; `state` is `record` or `rejected`, and a rejected row has its
        `reason` and `content`.
    """
    by_name = {field.name.lower(): field for field in rows.schema.fields}

    def column(name: str) -> tuple[Column, T.DataType | None]:
        for spelling in _ALIASES.get(name, (name,)):
            field = by_name.get(spelling.lower())
            if field is not None:
                return F.col(f"`{field.name}`"), field.dataType
        return F.lit(None), None

    raw_timestamp, timestamp_type = column("timestamp")
    if isinstance(timestamp_type, T.IntegralType):
        # Kafka's -1 says that there is none.
        raw_timestamp = F.nullif(raw_timestamp, F.lit(-1))
    timestamp = _timestamp(raw_timestamp, timestamp_type)
    # A cast keeps bytes as they are, valid text or not.
    text = {name: column(name)[0].cast("string") for name in ("topic", "key", "value")}
    numbers = {
        name: column(name)[0].try_cast("bigint")
        for name in ("partition", "offset", "timestampType")
    }
    headers, headers_type = column("headers")
    typed = rows.select(
        path.alias("path"),
        F.lit(0).cast("bigint").alias("block"),
        seq.alias("seq"),
        F.lit(0).cast("bigint").alias("bytes"),
        text["topic"].alias("topic"),
        numbers["partition"].alias("partition"),
        numbers["offset"].alias("offset"),
        timestamp.alias("timestamp"),
        raw_timestamp.isNotNull().alias("has_timestamp"),
        numbers["timestampType"].try_cast("int").alias("timestampType"),
        numbers["timestampType"].isNotNull().alias("has_timestamp_type"),
        text["key"].alias("key"),
        text["value"].alias("value"),
        _headers(headers, headers_type).alias("headers"),
        _content(rows.columns).alias("content"),
        (F.col("reason") if _is_decoded(rows.columns) else F.lit(None).cast("string")).alias(
            "unread"
        ),
    )
    reason = (
        F.when(F.col("unread").isNotNull(), F.col("unread"))
        .when(F.col("topic").isNull(), F.lit("missing_column: topic"))
        .when(F.col("topic") == "", F.lit("bad_value: topic: empty"))
        .when(F.expr("not is_valid_utf8(topic)"), F.lit("bad_value: topic: not UTF-8"))
        .when(F.col("partition").isNull(), F.lit("missing_column: partition"))
        .when(F.col("offset").isNull(), F.lit("missing_column: offset"))
        .when(
            ~F.col("partition").between(0, _INT_MAX),
            F.concat(F.lit("bad_value: partition: "), F.col("partition").cast("string")),
        )
        .when(
            F.col("offset") < 0,
            F.concat(F.lit("bad_value: offset: "), F.col("offset").cast("string")),
        )
        .when(F.col("has_timestamp") & F.col("timestamp").isNull(), F.lit("bad_value: timestamp"))
        .when(
            F.col("has_timestamp_type") & F.col("timestampType").isNull(),
            F.lit("bad_value: timestampType"),
        )
        .when(F.expr("not is_valid_utf8(key)"), F.lit("bad_value: key: not UTF-8"))
        .when(F.expr("not is_valid_utf8(value)"), F.lit("bad_value: value: not UTF-8"))
        .when(_half_pair("key") != "", _half_a_pair("key"))
        .when(_half_pair("value") != "", _half_a_pair("value"))
    )
    checked = typed.withColumn("reason", reason)
    good = F.col("reason").isNull()
    return checked.select(
        "path",
        "block",
        "seq",
        "bytes",
        F.when(good, F.lit(RECORD)).otherwise(F.lit(REJECTED)).alias("state"),
        *[
            F.when(good, F.col(name).cast(kind)).alias(name)
            for name, kind in RECORD_COLUMNS.items()
        ],
        "reason",
        F.when(~good, F.col("content")).alias("content"),
        F.lit(None).cast("binary").alias("line"),
    )


def _half_pair(name: str) -> Column:
    """Return an escape of half a surrogate pair in JSON: see `record_line.WHOLE_ESCAPES`."""
    text = F.col(name)
    may_hold = F.contains(text, F.lit("\\ud")) | F.contains(text, F.lit("\\uD"))
    without_whole = F.regexp_replace(text, WHOLE_ESCAPES, " ")
    return F.when(
        may_hold & F.rlike(text, F.lit(JSON_BEGINS)),
        F.regexp_extract(without_whole, LONE_SURROGATE, 0),
    )


def _half_a_pair(name: str) -> Column:
    return F.concat(F.lit(f"bad_value: {name}: half of a surrogate pair: "), _half_pair(name))


def _content(names: list[str]) -> Column:
    """Return a row as it came, as JSON; bytes are in base64."""
    if not _is_decoded(names):
        return F.to_json(F.struct(*[F.col(f"`{name}`") for name in names]))
    came = [F.col(copy).alias(name) for name, copy in BYTES.items()]
    others = [F.col(f"`{name}`") for name in names if name not in OWN_COLUMNS]
    return F.to_json(F.struct(*others, *came))


def _is_decoded(names: list[str]) -> bool:
    return set(BYTES.values()) <= set(names)


def _timestamp(value: Column, kind: T.DataType | None) -> Column:
    if kind is None or isinstance(kind, T.TimestampType):
        return value.cast("timestamp")
    if isinstance(kind, T.TimestampNTZType):
        # Without a zone it is the reading of a UTC clock, as everywhere in these records.
        return F.concat(value.cast("string"), F.lit("Z")).try_cast("timestamp")
    if isinstance(kind, T.IntegralType):
        # Beyond that an exception would end the run.
        fits = value.between(-_MOST_MILLISECONDS, _MOST_MILLISECONDS)
        return F.when(fits, F.timestamp_millis(value.cast("bigint")))
    return value.cast("string").try_cast("timestamp")


def _headers(value: Column, kind: T.DataType | None) -> Column:
    """Return an array of (key, value) structs or a map as headers; other types as none."""
    if isinstance(kind, T.MapType):
        value = F.map_entries(value)
    elif not (
        isinstance(kind, T.ArrayType)
        and isinstance(kind.elementType, T.StructType)
        and len(kind.elementType) == 2
    ):
        return F.lit(None).cast(HEADERS_TYPE)
    return value.cast(HEADERS_TYPE)
