"""Turn rows with Kafka's columns, of any types, into records or rejections: see `row_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import row_rules
from dbt_debezium_spark.landing.avro_rows import BYTES, OWN_COLUMNS, PLACE
from dbt_debezium_spark.landing.nested_records import PROBLEM
from dbt_debezium_spark.landing.schemas import RECORD_COLUMNS
from dbt_debezium_spark.landing.text_lines import RECORD, REJECTED
from dbt_debezium_spark.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql import types as T


def missing_columns(schema: T.StructType) -> list[str]:
    """Return the required columns that a schema lacks."""
    return row_rules.missing_columns(schema.names)


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
    types = {field.name: field.dataType.simpleString() for field in rows.schema.fields}
    typed = rows.select(
        path.alias("path"),
        F.lit(0).cast("bigint").alias("block"),
        seq.alias("seq"),
        F.lit(0).cast("bigint").alias("bytes"),
        *[F.expr(sql).alias(name) for name, sql in row_rules.typed_columns(types).items()],
        _content(rows.columns).alias("content"),
        _decode_error(rows.columns).alias("decode_error"),
    )
    checked = typed.withColumn("reason", F.expr(row_rules.REASON))
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


def text_problem() -> Column:
    """Return the reason why the texts `key` and `value` cannot land, null if they can."""
    return F.expr(row_rules.TEXT_REASON)


def _decode_error(names: list[str]) -> Column:
    """Return the reason of `avro_rows` or `nested_records` not to read a row."""
    reasons = [F.col(PROBLEM)] if PROBLEM in names else []
    if _is_decoded(names):
        reasons.append(F.col("reason"))
    return F.coalesce(*reasons, F.lit(None).cast("string"))


def _content(names: list[str]) -> Column:
    """Return a row as JSON, with bytes in base64."""
    names = [name for name in names if name not in (PROBLEM, *PLACE.values())]
    if not _is_decoded(names):
        return F.expr(row_rules.content(names))
    originals = [F.col(copy).alias(name) for name, copy in BYTES.items()]
    others = [F.col(quoted_name(name)) for name in names if name not in OWN_COLUMNS]
    return F.to_json(F.struct(*others, *originals))


def _is_decoded(names: list[str]) -> bool:
    return set(BYTES.values()) <= set(names)
