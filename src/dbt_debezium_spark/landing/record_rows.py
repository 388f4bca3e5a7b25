"""Turn rows with Kafka's columns, of any types, into records or rejections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.landing.avro_rows import BYTES, OWN_COLUMNS
from dbt_debezium_spark.landing.fast_lines import RECORD, REJECTED
from dbt_debezium_spark.landing.record_values import (
    JSON_BEGINS,
    LONE_SURROGATE,
    LONG_MAX,
    WHOLE_ESCAPES,
)
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE, RECORD_COLUMNS
from dbt_debezium_spark.landing.surrogate_escapes import may_have_surrogate_escapes

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

REQUIRED = ("topic", "partition", "offset", "value")
_ALIASES = {"timestamp": ("timestamp", "ts"), "timestampType": ("timestampType", "timestamp_type")}
_INT_MAX = 2**31 - 1
_MAX_MILLISECONDS = LONG_MAX // 1000


def missing_columns(schema: T.StructType) -> list[str]:
    """Return the required columns that a schema lacks."""
    present = {name.lower() for name in schema.names}
    return [name for name in REQUIRED if name not in present]


def as_records(rows: DataFrame, *, path: Column, seq: Column) -> DataFrame:
    """Return rows as records, or with the reason for their rejection.

    Args:
        rows: Kafka's columns, with key, value and headers as text or bytes. Rows from `avro_rows`
            have a `reason` if they could not be decoded.
        path: path of a row's place.
        seq: a number that is unique within a path.

    Returns:
        The columns of `fast_lines.read_lines`; `state` is `record` or `rejected`, and a rejected
        row has a `reason` and its `content`.
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
        # Kafka writes -1 for a record without a timestamp.
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
            "decode_error"
        ),
    )
    reason = (
        F.when(F.col("decode_error").isNotNull(), F.col("decode_error"))
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
        .when(_half_pair("key") != "", _half_pair_reason("key"))
        .when(_half_pair("value") != "", _half_pair_reason("value"))
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
    """Return the first half of a surrogate pair in JSON: see `record_values.WHOLE_ESCAPES`."""
    text = F.col(name)
    without_whole = F.regexp_replace(text, WHOLE_ESCAPES, " ")
    return F.when(
        may_have_surrogate_escapes(text) & F.rlike(text, F.lit(JSON_BEGINS)),
        F.regexp_extract(without_whole, LONE_SURROGATE, 0),
    )


def _half_pair_reason(name: str) -> Column:
    return F.concat(F.lit(f"bad_value: {name}: half of a surrogate pair: "), _half_pair(name))


def _content(names: list[str]) -> Column:
    """Return a row as JSON, with bytes in base64."""
    if not _is_decoded(names):
        return F.to_json(F.struct(*[F.col(f"`{name}`") for name in names]))
    originals = [F.col(copy).alias(name) for name, copy in BYTES.items()]
    others = [F.col(f"`{name}`") for name in names if name not in OWN_COLUMNS]
    return F.to_json(F.struct(*others, *originals))


def _is_decoded(names: list[str]) -> bool:
    return set(BYTES.values()) <= set(names)


def _timestamp(value: Column, kind: T.DataType | None) -> Column:
    if kind is None or isinstance(kind, T.TimestampType):
        return value.cast("timestamp")
    if isinstance(kind, T.TimestampNTZType):
        # A timestamp without a zone is in UTC, as everywhere in these records.
        return F.concat(value.cast("string"), F.lit("Z")).try_cast("timestamp")
    if isinstance(kind, T.IntegralType):
        # Spark raises an exception for values out of range, which would end the run.
        fits = value.between(-_MAX_MILLISECONDS, _MAX_MILLISECONDS)
        return F.when(fits, F.timestamp_millis(value.cast("bigint")))
    return value.cast("string").try_cast("timestamp")


def _headers(value: Column, kind: T.DataType | None) -> Column:
    """Return an array of (key, value) structs or a map as headers; null for other types."""
    if isinstance(kind, T.MapType):
        value = F.map_entries(value)
    elif not (
        isinstance(kind, T.ArrayType)
        and isinstance(kind.elementType, T.StructType)
        and len(kind.elementType) == 2
    ):
        return F.lit(None).cast(HEADERS_TYPE)
    return value.cast(HEADERS_TYPE)
