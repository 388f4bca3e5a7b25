"""Two runs that write a table at a time: how a table format refuses one, and what its user reads.

No lock keeps runs apart, because none reaches every machine. What a run writes requires that the
table is as the run found it: see `macros/tables/concurrent_runs.sql` and `raw_append`.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

# How each format refuses a commit because of another one, and how Spark refuses a MERGE whose
# rows above the watermark match all new ones.
_REFUSED = (
    "Found conflicting files",
    "Found new conflicting delete files",
    "CommitFailedException",
    "ConcurrentTransaction",
    "DELTA_CONCURRENT",
    "DELTA_METADATA_CHANGED",
    "DELTA_PROTOCOL_CHANGED",
    "MERGE_CARDINALITY_VIOLATION",
    "MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW",
)
_OWN = "another run wrote"
# only a table that this run was about to create
_EXISTS = ("TABLE_OR_VIEW_ALREADY_EXISTS", "DELTA_TABLE_ALREADY_EXISTS")
# columns of Delta's `describe history`
_DELTA_TIME, _DELTA_METADATA = 1, 13
_QUOTED = r"(?:`(?:[^`]|``)*`|\w+)"
_WRITE = re.compile(
    r"\s*(merge into|insert into|create table|create or replace table|update|delete from)\s+"
    rf"(?:if not exists\s+)?({_QUOTED}(?:\.{_QUOTED})*)",
    re.IGNORECASE,
)

THIS_RUN = "process {} on {}, since {}".format(
    os.getpid(), socket.gethostname(), datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
)
# Settings of a session that name its process in each commit.
COMMIT_SETTINGS = {
    "spark.sql.iceberg.snapshot-property.debezium_spark.run": THIS_RUN,
    "spark.databricks.delta.commitInfo.userMetadata": THIS_RUN,
}

Rows = Sequence[Sequence[Any]]


def is_overlap(error: BaseException | str) -> bool:
    """Return whether a write was refused because another run wrote its table."""
    text = str(error)
    return _OWN in text or any(refusal in text for refusal in _REFUSED)


def written_table(sql: str, error: BaseException) -> str | None:
    """Return the table that a statement was to write, if another run wrote it meanwhile."""
    found = _WRITE.match(sql)
    if found is None:
        return None
    creates = found[1].lower() == "create table"
    exists = creates and any(text in str(error) for text in _EXISTS)
    return found[2] if exists or is_overlap(error) else None


def overlap_text(table: str, other: str | None = None) -> str:
    """Return the sentence for a run whose write was refused.

    Args:
        table: quoted name of the table.
        other: the other run, from `last_writer`; None if it is unknown.
    """
    return (
        f"{_OWN} {table} while this one was at work{f': {other}' if other else ''}. This run"
        " wrote nothing there. Run it again: it goes on from what is there."
    )


def last_writer(query: Callable[[str], Rows], table: str) -> str | None:
    """Return who committed last to a table, as its history has it, or None.

    Args:
        query: runs a query and returns its rows.
        table: quoted name of the table.
    """
    for sql, name, time in (
        (
            "select coalesce(summary['debezium_spark.run'], summary['spark.app.id']), committed_at"
            f" from {table}.snapshots order by committed_at desc limit 1",
            0,
            1,
        ),
        (f"describe history {table} limit 1", _DELTA_METADATA, _DELTA_TIME),
    ):
        try:
            rows = query(sql)
        except Exception:  # of py4j or Spark: the other format's table has no such history
            continue
        if rows and rows[0][name]:
            printable = "".join(char for char in str(rows[0][name]) if char.isprintable())
            return f"{printable}; its last commit was at {rows[0][time]}"
    return None


def refusal(query: Callable[[str], Rows], table: str) -> str:
    """Return the whole message for a run whose write to a table another one overtook."""
    return f"debezium_spark: {overlap_text(table, last_writer(query, table))}"
