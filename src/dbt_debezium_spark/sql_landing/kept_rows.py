"""The rows of a run, counted in the table to which they were written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dbt_debezium_spark.landing import table_progress
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.table_progress import Extent
from dbt_debezium_spark.sql_landing.input_rows import REJECTED, RETRIED
from dbt_debezium_spark.sql_landing.statements import Statements


class _Count(NamedTuple):
    """The records of one partition."""

    topic: str
    partition: int
    rows: int
    min_offset: int
    max_offset: int


@dataclass
class KeptRows:
    """The rows of a run.

    Attributes:
        entries: new entries of the ledger, by path.
        reread: paths of the partitions of which all rows were read: other rejections of theirs are
            resolved.
        ranges: offsets of the records, one range for each partition.
        has_retried: whether open conflicts are compared again.
        has_rejected: whether a row is no record.
        total: number of records, with repeated ones.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    reread: list[str] = field(default_factory=list)
    ranges: list[OffsetRange] = field(default_factory=list)
    has_retried: bool = False
    has_rejected: bool = False
    total: int = 0


def count_rows(connection: Statements, records: str, read: Sequence[Extent]) -> KeptRows:
    """Count the rows of a run.

    Args:
        connection: where it is executed.
        records: table of the run's rows.
        read: the partitions that were read.
    """
    rows = KeptRows(reread=[extent.path for extent in read if extent.after is None])
    counts = []
    merged: dict[tuple[str, int], OffsetRange] = {}
    for group in connection.objects(
        f"""\
select
    path,
    topic,
    `partition`,
    state,
    count(*) as row_count,
    min(`offset`) as min_offset,
    max(`offset`) as max_offset
from {records}
group by path, topic, `partition`, state"""
    ):
        if group["state"] == REJECTED:
            rows.has_rejected = True
            continue
        count = _Count(
            group["topic"],
            group["partition"],
            group["row_count"],
            group["min_offset"],
            group["max_offset"],
        )
        rows.total += count.rows
        if group["path"].startswith(RETRIED):
            rows.has_retried = True
        else:
            counts.append(count)
        other = merged.get((count.topic, count.partition))
        merged[count.topic, count.partition] = OffsetRange(
            count.topic,
            count.partition,
            min(count.min_offset, other.min_offset if other else count.min_offset),
            max(count.max_offset, other.max_offset if other else count.max_offset),
        )
    rows.ranges = list(merged.values())
    rows.entries = table_progress.entries(read, counts)
    return rows
