"""Append to the raw table only what no other run has landed meanwhile.

A run looks at the raw table, reads what is new, and appends it under the next batch number. Two
runs that looked at the same moment would append the same records twice, or under one number, of
which staging would then read only what was there when it looked. The lock of `run_lock` keeps runs
of one machine apart; here the table formats do, wherever the runs are: the append is committed only
while the table is as it was before this run read anything.

* Iceberg: an overwrite of "batches above the highest one I saw", of which there are none, so that
  it is an append; it fails when any commit since the snapshot I saw added such rows.
* Delta: the number of the batch is the version of an application's transaction. Of two with one
  version the second is refused when they overlap, and skipped when they do not; so the commit is
  looked for afterwards.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BATCH = "_cdc_batch_id"
_APPLICATION = "debezium_spark.landing"
_REFUSED = ("Found conflicting files", "ConcurrentTransaction", "DELTA_CONCURRENT")
_LOOKED_AT_COMMITS = 50


class OverlappingRunError(RuntimeError):
    """Another run landed records into the same raw table; nothing of this one was appended."""


@dataclass(frozen=True)
class RawState:
    """A raw table as a run found it: its highest batch, and of Iceberg its snapshot."""

    table: str
    file_format: str
    batch: int
    snapshot: int | None = None


def look(session: SparkSession, table: str, file_format: str) -> RawState:
    """Return how the raw table stands; both formats answer from their metadata.

    Args:
        session: Spark.
        table: quoted name of the existing raw table.
        file_format: `iceberg` or `delta`.
    """
    snapshot = None
    if file_format == "iceberg":
        # before the batch: what is committed between the two is then noticed
        found = session.sql(f"select snapshot_id from {table}.refs where name = 'main'").collect()
        snapshot = found[0][0] if found else None
    batch = session.sql(f"select max({BATCH}) from {table}").collect()[0][0]
    return RawState(table, file_format, batch or 0, snapshot)


def append(session: SparkSession, frame: DataFrame, before: RawState) -> None:
    """Append new records by name, all or none.

    Args:
        session: Spark.
        frame: rows with the raw table's columns; every batch number is above `before.batch`.
        before: the table as it was before anything of this run was read.

    Raises:
        OverlappingRunError: another run has appended since.
    """
    if look(session, before.table, before.file_format).batch != before.batch:
        raise _overlap(before)
    try:
        if before.file_format == "iceberg":
            _append_to_iceberg(frame, before)
        else:
            _append_to_delta(session, frame, before)
    except OverlappingRunError:
        raise
    except Exception as error:  # py4j's or Spark's, as the session is local or remote
        if any(text in str(error) for text in _REFUSED):
            raise _overlap(before) from error
        raise


def _append_to_iceberg(frame: DataFrame, before: RawState) -> None:
    from pyspark.sql import functions as f

    writer = frame.writeTo(before.table).option("isolation-level", "serializable")
    if before.snapshot is not None:
        # without one the table was empty, and every commit counts as later
        writer = writer.option("validate-from-snapshot-id", str(before.snapshot))
    writer.overwrite(f.col(BATCH) > before.batch)


def _append_to_delta(session: SparkSession, frame: DataFrame, before: RawState) -> None:
    from pyspark.sql import functions as f

    mark = str(uuid.uuid4())
    (
        frame.writeTo(before.table)
        .option("txnAppId", _APPLICATION)
        .option("txnVersion", str(before.batch + 1))
        .option("userMetadata", mark)
        .append()
    )
    commits = session.sql(f"describe history {before.table} limit {_LOOKED_AT_COMMITS}")
    if commits.where(f.col("userMetadata") == mark).isEmpty():
        raise _overlap(before)


def _overlap(before: RawState) -> OverlappingRunError:
    return OverlappingRunError(
        f"debezium_spark: another run landed records into {before.table} while this one was "
        "reading; nothing of this one was appended. Run it again. Runs on several machines are not "
        "locked against each other: let the scheduler start one at a time (docs/operations.md)."
    )
