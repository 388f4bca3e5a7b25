"""`raw_<source>__files`: the versions of files that were read, and the offsets in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS, RUN_COLUMNS
from dbt_debezium_spark.landing.statements import Statements, moment, rows_as_sql
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class OffsetRange:
    """Lowest and highest offset of some records of one partition, both included."""

    topic: str
    partition: int
    min_offset: int
    max_offset: int
    records: int = 0


@dataclass
class Entry:
    """Counts of one version of a file.

    `remaining` is the number of offsets of a partition that the run left for later ones, None for
    an input without a limit.
    """

    file: File
    lines: int = 0
    records: int = 0
    landed: int = 0
    ranges: list[OffsetRange] = field(default_factory=list)
    remaining: int | None = None


def not_in_ledger(listing: DataFrame, entries: str) -> list[File]:
    """Return the files whose current version was never read, in order of name.

    Args:
        listing: files, as `listing.list_files` returns them.
        entries: the ledger.
    """
    read = listing.sparkSession.sql(f"select path as name, size, modified_at from {entries}")
    rows = listing.join(read, ["name", "size", "modified_at"], "left_anti").collect()
    return sorted(
        (File(row.name, row.uri, row.size, row.modified_at) for row in rows),
        key=lambda file: file.name,
    )


def add_entries(
    connection: Statements, table: str, entries: Collection[Entry], batch: int, now: datetime
) -> None:
    """Append entries to the ledger; later runs skip these file versions.

    Args:
        connection: where it is executed.
        table: the ledger.
        entries: may be none.
        batch: number of the run.
        now: time of the run.
    """
    if not entries:
        return
    columns = {name: kind for name, kind in LEDGER_COLUMNS.items() if name not in RUN_COLUMNS}
    rows = [
        (
            entry.file.name,
            entry.file.size,
            entry.file.modified_at.astimezone(UTC).isoformat(),
            entry.lines,
            entry.records,
            entry.landed,
            [asdict(offsets) for offsets in entry.ranges],
            entry.remaining,
        )
        for entry in entries
    ]
    names = ", ".join(map(quoted_name, columns))
    connection.execute(
        f"""\
insert into {table} ({names}, _cdc_batch_id, _cdc_landed_at)
select
    {", ".join(f"cast({quoted_name(name)} as {kind})" for name, kind in columns.items())},
    cast({batch} as bigint),
    {moment(now)}
from (
{rows_as_sql(rows, {**columns, "modified_at": "string"})}
)"""
    )
