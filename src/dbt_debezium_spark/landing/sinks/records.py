"""Give rows their place in Kafka, and join the keys and headers that were written beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.record_rows import text_problem
from dbt_debezium_spark.landing.record_values import INT_MAX
from dbt_debezium_spark.landing.sinks.file_sets import FileSet, SinkFile
from dbt_debezium_spark.landing.sinks.names import HEADERS, KEYS, SPREAD
from dbt_debezium_spark.landing.sinks.row_columns import ROW_COLUMNS, with_state
from dbt_debezium_spark.landing.sinks.value_line import NO_OFFSET
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_COLUMN = {KEYS: "key", HEADERS: "headers"}
_NAMES = (
    "path string, name_topic string, name_partition int, base_offset bigint, first_offset bigint,"
    " is_spread boolean"
)


def placed_by_name(session: SparkSession, rows: DataFrame, files: Sequence[SinkFile]) -> DataFrame:
    """Return rows with topic, partition and offset from the names of their files.

    An offset that the row itself has stays, if it can be one of its file.

    Args:
        session: Spark.
        rows: rows of values; those of `csv_fields` still have bytes.
        files: their files.
    """
    names = local_frame(
        session,
        [
            (
                one.file.uri,
                one.name.topic,
                one.name.partition,
                one.name.base_offset,
                one.name.first_offset,
                one.name.is_spread,
            )
            for one in files
        ],
        _NAMES,
    )
    named = rows.join(F.broadcast(names), "path")
    own = F.nullif("offset", F.lit(NO_OFFSET))
    reason = (
        F.when(F.col("reason").isNotNull(), F.col("reason"))
        .when(
            own < F.col("first_offset"),
            F.concat(
                F.lit("bad_value: offset: "),
                own.cast("string"),
                F.lit(" is before the first offset in the file's name (`input.file_name`)"),
            ),
        )
        .when(
            F.col("is_spread") & (F.col("place") >= SPREAD),
            F.lit(f"bad_value: offset: the file has over {SPREAD} records"),
        )
    )
    return named.select(
        *[name for name in rows.columns if name not in _PLACED],
        F.col("name_topic").alias("topic"),
        F.col("name_partition").alias("partition"),
        F.coalesce(own, F.col("base_offset") + F.col("place")).alias("offset"),
        reason.alias("reason"),
    )


_PLACED = ("topic", "partition", "offset", "reason")


def with_sidecars(
    session: SparkSession,
    rows: DataFrame,
    sets: Sequence[FileSet],
    sidecars: Mapping[str, DataFrame],
) -> DataFrame:
    """Return rows with the keys and headers that have the same place in files of their own.

    Args:
        session: Spark.
        rows: rows of values.
        sets: all sets of files.
        sidecars: by part its rows; `value` is the text of a key.
    """
    for part, frame in sidecars.items():
        pairs = [
            (one.sidecars[part].file.uri, one.values.file.uri, one.sidecars[part].file.name)
            for one in sets
            if part in one.sidecars
        ]
        of_values = local_frame(session, pairs, "path string, values string, sidecar string")
        column = _COLUMN[part]
        told = frame.where("reason is null").select(
            "path", "line", F.col("value" if part == KEYS else column).alias("beside")
        )
        found = told.join(F.broadcast(of_values), "path").select(
            F.col("values").alias("path"), "line", "beside", F.lit(True).alias("is_found")
        )
        expected = of_values.select(F.col("values").alias("path"), "sidecar")
        joined = rows.join(F.broadcast(expected), "path", "left").join(
            found, ["path", "line"], "left"
        )
        is_missing = F.col("sidecar").isNotNull() & F.col("is_found").isNull()
        missing = F.concat(
            F.lit(f"missing_column: {column}: "),
            F.col("sidecar"),
            F.lit(" has none for this line"),
        )
        rows = joined.withColumns(
            {
                column: F.coalesce("beside", column),
                "reason": F.coalesce("reason", F.when(is_missing, missing)),
            }
        ).select(*rows.columns)
    return rows


def checked(rows: DataFrame) -> DataFrame:
    """Return rows with the reasons why they cannot land, and no record's columns if there is one.

    Args:
        rows: rows with a place in Kafka, key and value as text.
    """
    topic, partition, offset = F.col("topic"), F.col("partition"), F.col("offset")
    reason = (
        F.when(F.col("reason").isNotNull(), F.col("reason"))
        .when(topic.isNull() | (topic == ""), F.lit("missing_column: topic"))
        .when(F.expr("not is_valid_utf8(topic)"), F.lit("bad_value: topic: not UTF-8"))
        .when(partition.isNull(), F.lit("missing_column: partition"))
        .when(
            ~partition.between(0, INT_MAX),
            F.concat(F.lit("bad_value: partition: "), partition.cast("string")),
        )
        .when(offset.isNull(), F.lit("missing_column: offset"))
        .when(offset < 0, F.concat(F.lit("bad_value: offset: "), offset.cast("string")))
        .otherwise(text_problem())
    )
    told = with_state(rows.withColumn("reason", reason))
    is_good = F.col("reason").isNull()
    kept = ("path", "place", "line", "state", "reason", "content_hash")
    return told.select(
        *[
            name
            if name in kept
            else F.when(~is_good, F.coalesce("content", F.make_valid_utf8("value"))).alias(name)
            if name == "content"
            else F.when(is_good, F.col(name)).alias(name)
            for name in ROW_COLUMNS
        ]
    )
