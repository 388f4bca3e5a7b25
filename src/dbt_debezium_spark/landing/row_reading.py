"""Read rows that already have Kafka's columns, from a broker or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.reading_result import Group, Reading, groups_of
from dbt_debezium_spark.landing.row_rules import as_candidates
from dbt_debezium_spark.landing.schemas import RECORD, REJECTED
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.text.progress import counted

MAX_SAMPLE_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Sample:
    """The first records of an input.

    Attributes:
        looked: what was read, like `12 of 40 partitions`.
        records: topic and value of each; no topic if nothing tells it.
        problems: what could not be read, with the reason.
    """

    looked: str
    records: Sequence[tuple[str | None, str | None]]
    problems: Sequence[str] = ()


def first_values(
    rows: DataFrame, most: int | None = None
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Return topic and value of the first records, and why other rows are none.

    A long value is left out, because the driver holds all of them.

    Args:
        rows: with Kafka's columns.
        most: number of rows; None for all.
    """
    checked = as_candidates(rows, path="''", seq="0")
    is_short = F.octet_length("value") <= MAX_SAMPLE_BYTES
    shown = checked.select("topic", F.when(is_short, F.col("value")).alias("value"), "reason")
    # A limit at the end reads no more of a large table than it needs.
    found = (shown if most is None else shown.limit(most)).collect()
    reasons = Counter(row.reason for row in found if row.reason is not None)
    return (
        [(row.topic, row.value) for row in found if row.reason is None],
        [f"{counted(count, 'row')}: {reason}" for reason, count in reasons.most_common()],
    )


def path_of_row(kind: str) -> str:
    """Return the SQL of the path of a row, `<kind>:<topic>/<partition>`."""
    return (
        f"concat('{kind}:', make_valid_utf8(coalesce(cast(topic as string), '')), '/',"
        " coalesce(cast(try_cast(`partition` as int) as string), ''))"
    )


def read_rows(
    scratch: Scratch,
    frames: Mapping[int, DataFrame],
    *,
    kind: str,
    decoder: Decoder | None,
    seq: str | None = None,
    labels: Sequence[str] | None = None,
) -> tuple[Reading, list[Group]]:
    """Read rows once, and count the records of each partition.

    Args:
        scratch: Spark.
        frames: by number of its table, rows with Kafka's columns.
        kind: type of input: see `path_of_row`.
        decoder: decodes keys and values in Avro; None for text.
        seq: SQL: a number that is unique within a partition; None to number all rows.
        labels: by number of its table, what the reason of a rejection ends with.

    Returns:
        The reading, without entries, and the records of each partition.
    """
    parts = [
        as_candidates(
            _decoded(scratch, rows, decoder),
            path=path_of_row(kind),
            seq=seq or "0",
            block=number,
            where="" if labels is None else f" in {labels[number]}",
        )
        for number, rows in frames.items()
    ]
    everything = reduce(DataFrame.union, parts)
    if seq is None:
        # In one table alone, a number would repeat in another.
        everything = everything.withColumn("seq", F.monotonically_increasing_id())
    reading = Reading(rows=scratch.view(scratch.cache(everything)))
    groups = groups_of(scratch.statements, str(reading.rows))
    reading.has_rejected = any(group.state == REJECTED for group in groups)
    return reading, [group for group in groups if group.state == RECORD]


def _decoded(scratch: Scratch, rows: DataFrame, decoder: Decoder | None) -> DataFrame:
    if decoder is None or not decoder.applies(rows):
        return rows
    return decoder.decode(scratch.session, scratch.cache(rows))
