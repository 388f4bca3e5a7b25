"""Give rows their place in Kafka, and join the keys and headers that were written beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.inputs.sinks.file_sets import FileSet, SinkFile
from dbt_debezium_spark.inputs.sinks.names import HEADERS, KEYS, SPREAD
from dbt_debezium_spark.inputs.sinks.value_line import NO_OFFSET
from dbt_debezium_spark.landing import row_rules
from dbt_debezium_spark.landing.schemas import CANDIDATE_COLUMNS, RECORD, RECORD_COLUMNS, REJECTED
from dbt_debezium_spark.spark.local_frames import local_frame
from dbt_debezium_spark.text.sql_text import quoted_name

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
                file.file.uri,
                file.name.topic,
                file.name.partition,
                file.name.base_offset,
                file.name.first_offset,
                file.name.is_spread,
            )
            for file in files
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
            (group.sidecars[part].file.uri, group.values.file.uri, group.sidecars[part].file.name)
            for group in sets
            if part in group.sidecars
        ]
        of_values = local_frame(session, pairs, "path string, values string, sidecar string")
        column = _COLUMN[part]
        beside = frame.where("reason is null").select(
            "path", "line", F.col("value" if part == KEYS else column).alias("beside")
        )
        found = beside.join(F.broadcast(of_values), "path").select(
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
    """Return rows as candidates with their numbers, by the rules of any other row.

    Args:
        rows: rows with a place in Kafka, key and value as text.
    """
    named = {name: quoted_name(name) for name in rows.columns}
    typed = rows.withColumnRenamed("reason", row_rules.DECODE_ERROR).selectExpr(
        "*", *row_rules.named(row_rules.given_columns(named))
    )
    return typed.selectExpr("*", f"{row_rules.REASON} as reason").selectExpr(
        "path",
        "cast(0 as bigint) as block",
        "line - 1 as seq",
        f"if(reason is null, '{RECORD}', '{REJECTED}') as state",
        *row_rules.record_columns(),
        "reason",
        "if(reason is null, null, coalesce(content, make_valid_utf8(value))) as content",
        "content_hash",
    )


def rejected_rows(rows: DataFrame) -> DataFrame:
    """Return those rows of keys or headers that cannot be read, as candidates."""
    nothing = {name: F.lit(None).cast(kind) for name, kind in RECORD_COLUMNS.items()}
    wrong = rows.where("reason is not null").withColumns(
        {
            **nothing,
            "block": F.lit(0).cast("bigint"),
            "seq": F.col("line") - 1,
            "state": F.lit(REJECTED),
        }
    )
    return wrong.select(*CANDIDATE_COLUMNS)
