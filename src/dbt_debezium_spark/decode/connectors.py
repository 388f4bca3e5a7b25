"""What differs between connectors: a row each.

What makes a position stands in `macros/sequence/<connector>_position.sql`, how a database writes
its types in `catalog/<connector>_types.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Connector:
    """A connector, with what most of them share as defaults.

    Attributes:
        writers: names that its records can have as `source.connector`.
        table: members of a source block that name a table, from the outermost.
        counted: those of them by which boundaries of transactions name it.
        log: members that make its positions and identities (spec §4, §5.4).
        source: all other members that it can write, besides those of every connector.
        placed_by: alternatives, each enough to place a flattened record among the others.
        recommended: members that flattened records should have besides.
        before: whether images before a change are complete: always, as the option
            `replica_identity` says, or never.
        may_omit: which values an event may leave out: none, those of any column that can have the
            placeholder, or those that are stored outside of a row.
        time_precision_mode: Debezium's default.
        time_digits: digits of a TIME whose type names none; None if times are not cut.
        has_exact_zones: whether times with a zone have more digits than Spark's.
        has_infinite_times: whether dates and times can be infinite.
        counts_100_ns: whether nanoseconds that overflowed 64 bits can be told.
        has_unsigned: whether integers can be unsigned.
        hides_bytes: whether a text in a binary handling mode looks like any text.
        has_documents: whether it writes documents, which have no columns.
        reports_ends: whether only the schema-change topic tells that a table was dropped.
        reads_at_once: whether a snapshot reads all rows as of one position; others read them while
            they change.
        no_cut: why its tables cannot be read as of one commit; None if they can.
    """

    writers: tuple[str, ...]
    log: tuple[str, ...]
    source: tuple[str, ...]
    placed_by: tuple[tuple[str, ...], ...]
    recommended: tuple[str, ...]
    table: tuple[str, ...] = ("name", "db", "schema", "table")
    counted: tuple[str, ...] = ("db", "schema", "table")
    before: Literal["complete", "declared", "none"] = "complete"
    may_omit: Literal["nothing", "unavailable", "large"] = "nothing"
    time_precision_mode: str = "adaptive"
    time_digits: int | None = None
    has_exact_zones: bool = False
    has_infinite_times: bool = False
    counts_100_ns: bool = False
    has_unsigned: bool = False
    hides_bytes: bool = False
    has_documents: bool = False
    reports_ends: bool = False
    reads_at_once: bool = False
    no_cut: str | None = None


_MYSQL = Connector(
    writers=("mysql", "mariadb"),
    table=("name", "db", "table"),
    counted=("db", "table"),
    log=("file", "pos", "row", "server_id", "gtid"),
    source=("table", "server_id", "gtid", "file", "pos", "row", "thread", "query"),
    placed_by=(("file", "pos", "row"),),
    recommended=("file", "pos", "row", "gtid", "server_id", "table"),
    # TIME can exceed a day, and the adaptive int32
    time_precision_mode="adaptive_time_microseconds",
    time_digits=0,
    has_unsigned=True,
    reports_ends=True,
)

_UNKNOWN = Connector((), (), (), (), ())

CONNECTORS = {
    "sqlserver": Connector(
        writers=("sqlserver",),
        log=("commit_lsn", "change_lsn", "event_serial_no"),
        source=("schema", "table", "change_lsn", "commit_lsn", "event_serial_no"),
        placed_by=(("commit_lsn", "change_lsn", "event_serial_no"),),
        recommended=("commit_lsn", "change_lsn", "event_serial_no", "schema", "table"),
        may_omit="large",
        time_digits=7,
        has_exact_zones=True,
        counts_100_ns=True,
    ),
    "postgresql": Connector(
        writers=("postgresql",),
        counted=("schema", "table"),
        log=("lsn", "sequence"),
        source=("schema", "table", "txId", "lsn", "xmin", "origin", "origin_lsn"),
        placed_by=(("lsn",),),
        recommended=("lsn", "sequence", "schema", "table"),
        before="declared",
        may_omit="unavailable",
        has_infinite_times=True,
        reads_at_once=True,
    ),
    "oracle": Connector(
        writers=("oracle",),
        log=("scn", "rs_id", "ssn", "lcr_position", "txId"),
        source=(
            "schema", "table", "txId", "scn", "commit_scn", "lcr_position", "rs_id", "ssn",
            "redo_thread", "user_name", "redo_sql", "row_id", "commit_ts_ms", "start_scn",
            "start_ts_ms", "txSeq",
        ),
        placed_by=(("scn", "rs_id", "ssn"), ("lcr_position",)),
        recommended=("scn", "rs_id", "ssn", "txId", "schema", "table"),
        may_omit="large",
        has_exact_zones=True,
        hides_bytes=True,
        reports_ends=True,
        reads_at_once=True,
        no_cut="records of LogMiner do not show the order of commits",
    ),
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
    "mongodb": Connector(
        writers=("mongodb",),
        table=("name", "db", "collection"),
        counted=("db", "collection"),
        log=(),
        source=(
            "rs", "collection", "ord", "h", "tord", "stxnid", "lsid", "txnNumber", "wallTime",
        ),
        placed_by=(("ts_ms", "ord"),),
        recommended=("ord", "wallTime", "lsid", "txnNumber", "collection"),
        before="none",
        has_documents=True,
        no_cut=(
            "operations outside of transactions have no boundaries, and records do not show their"
            " order"
        ),
    ),
}  # fmt: skip


def connector_of(config: Mapping[str, Any]) -> Connector:
    """Return what is particular to the connector of a source; nothing if it is unknown."""
    return CONNECTORS.get(str(config.get("connector")), _UNKNOWN)
