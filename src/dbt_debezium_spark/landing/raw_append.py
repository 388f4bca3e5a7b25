"""Append records to the raw table only if no other run landed any meanwhile.

A run reads the state of the raw table, then new records, and appends them with the next batch
number. Two concurrent runs would append the same records twice, or different records with the same
number, of which staging might miss some. So the append is committed only if the table has not
changed since this run read its state (`overlap`).

* Iceberg: the run overwrites all batches above the highest one that it read. There are none, so
  nothing is removed. The commit fails if a later commit added such batches.
* Delta: the batch number is the version of an application transaction. Of two transactions with the
  same version, Delta refuses the second one if they overlap, and skips it otherwise. So the run
  checks afterwards whether its commit exists.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt_debezium_spark.spark.overlap import THIS_RUN, is_overlap, refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BATCH = "_cdc_batch_id"
_APPLICATION = "debezium_spark.landing"
_CHECKED_COMMITS = 50


class OverlappingRunError(RuntimeError):
    """Another run landed records into the same raw table; this run appended nothing."""


@dataclass(frozen=True)
class RawState:
    """The state of a raw table: its highest batch, and the snapshot of an Iceberg table."""

    table: str
    file_format: str
    batch: int
    snapshot: int | None = None


def raw_state(session: SparkSession, table: str, file_format: str) -> RawState:
    """Return the state of a raw table, which both formats read from metadata.

    Args:
        session: Spark.
        table: quoted name of the existing raw table.
        file_format: `iceberg` or `delta`.
    """
    snapshot = None
    if file_format == "iceberg":
        # The snapshot is read first, so that a commit between the two queries is noticed.
        rows = session.sql(f"select snapshot_id from {table}.refs where name = 'main'").collect()
        snapshot = rows[0][0] if rows else None
    batch = session.sql(f"select max({BATCH}) from {table}").collect()[0][0]
    return RawState(table, file_format, batch or 0, snapshot)


def append(session: SparkSession, frame: DataFrame, before: RawState) -> None:
    """Append new records by column name, all or none.

    Args:
        session: Spark.
        frame: rows with the raw table's columns; every batch number is above `before.batch`.
        before: state of the table before this run read any records.

    Raises:
        OverlappingRunError: another run appended records meanwhile.
    """
    if raw_state(session, before.table, before.file_format).batch != before.batch:
        raise overlap(session, before.table)
    with naming_another_run(session, before.table):
        if before.file_format == "iceberg":
            _append_to_iceberg(frame, before)
        else:
            _append_to_delta(session, frame, before)


def _append_to_iceberg(frame: DataFrame, before: RawState) -> None:
    from pyspark.sql import functions as f

    writer = frame.writeTo(before.table).option("isolation-level", "serializable")
    if before.snapshot is not None:
        # Without a snapshot the table was empty, and every commit is a later one.
        writer = writer.option("validate-from-snapshot-id", str(before.snapshot))
    writer.overwrite(f.col(BATCH) > before.batch)


def _append_to_delta(session: SparkSession, frame: DataFrame, before: RawState) -> None:
    from pyspark.sql import functions as f

    mark = f"{THIS_RUN} ({uuid.uuid4()})"
    (
        frame.writeTo(before.table)
        .option("txnAppId", _APPLICATION)
        .option("txnVersion", str(before.batch + 1))
        .option("userMetadata", mark)
        .append()
    )
    commits = session.sql(f"describe history {before.table} limit {_CHECKED_COMMITS}")
    if commits.where(f.col("userMetadata") == mark).isEmpty():
        raise overlap(session, before.table)


def overlap(session: SparkSession, table: str) -> OverlappingRunError:
    """Return the error of a run that another one overtook."""
    return OverlappingRunError(refusal(lambda sql: session.sql(sql).collect(), table))


@contextmanager
def naming_another_run(session: SparkSession, table: str) -> Iterator[None]:
    """Raise OverlappingRunError for a write that another run overtook."""
    try:
        yield
    except OverlappingRunError:
        raise
    except Exception as error:  # of py4j in a local session, of Spark in a remote one
        if is_overlap(error):
            raise overlap(session, table) from error
        raise
