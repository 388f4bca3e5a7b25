"""Positions of an event, by connector."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.reference.record import canonical_json

if TYPE_CHECKING:
    from tests.reference.event import Config

# Sorts after every text a log sequence number can be.
AFTER_ALL_LSNS = "~"


@dataclass(frozen=True)
class Position:
    """Where an event lies among those of its row and in the stream; None: nowhere known.

    `content` is what a redelivery repeats of a streaming event without a position.
    """

    row: Any
    stream: Any
    content: Any = None


def content(envelope: Mapping[str, Any], members: list[str]) -> str:
    """Return what a redelivery repeats: members of the source block, and what is changed."""
    source = envelope.get("source") or {}
    transaction = envelope.get("transaction") or {}
    place = [source.get(member) for member in members] + [transaction.get("total_order")]
    return canonical_json(
        [None if part is None else str(part) for part in place]
        + [envelope.get("before"), envelope.get("after")]
    )


def _integer(value: Any) -> int | None:
    """Return a number that may be quoted."""
    return None if value is None else int(value)


def _postgresql(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (lsn, (last commit's lsn or 0, lsn)). Incremental reads have only the second."""
    source = envelope.get("source") or {}
    row = _integer(source.get("lsn"))
    commit, change = (_integer(part) for part in json.loads(source.get("sequence") or "[0,null]"))
    change = row if change is None else change
    return Position(row, None if change is None else (commit or 0, change))


def _sqlserver(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (commit_lsn, change_lsn, event_serial_no) for both.

    A read of an initial snapshot has no change_lsn: it saw every commit up to commit_lsn.
    """
    source = envelope.get("source") or {}
    commit, change = source.get("commit_lsn"), source.get("change_lsn")
    if commit is None:
        return Position(None, None)
    if change is None:
        position = (commit, AFTER_ALL_LSNS, 0)
    else:
        position = (commit, change, _integer(source.get("event_serial_no")) or 0)
    return Position(position, position)


def _binlog(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (number of the file, pos, row) for both.

    Changes of compressed transactions share it with others of their transaction.
    """
    source = envelope.get("source") or {}
    if source.get("file") is None or source.get("pos") is None:
        return Position(None, None)
    number = int(source["file"].rpartition(".")[2])
    position = (number, int(source["pos"]), _integer(source.get("row")) or 0)
    if not config.binlog_transaction_compression or envelope.get("op") not in ("c", "u", "d"):
        return Position(position, position)
    return Position(None, position, content(envelope, ["server_id", "gtid", "file", "pos", "row"]))


def _oracle(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (scn, rs_id, ssn) for both, of XStream the LCR position.

    No row's position have incremental reads and changes that the last two do not tell apart.
    """
    source = envelope.get("source") or {}
    incremental = source.get("snapshot") == "incremental"
    if source.get("lcr_position") is not None:
        stream = (1, int(source["lcr_position"], 16))
        return Position(None if incremental else stream, stream)
    scn = _integer(source.get("scn"))
    if scn is None:
        return Position(None, None)
    record = (source.get("rs_id") or "").strip().lower()
    statement = _integer(source.get("ssn")) or 0
    order = float("inf") if statement < 0 else statement
    place = (0, scn, record or AFTER_ALL_LSNS, order)
    if envelope.get("op") in ("c", "u", "d") and (not record or statement < 0):
        return Position(None, place, content(envelope, ["txId", "scn", "rs_id", "ssn"]))
    return Position(None if incremental else place, place)


POSITIONS: dict[str, Callable[[Mapping[str, Any], Config], Position]] = {
    "postgresql": _postgresql,
    "sqlserver": _sqlserver,
    "oracle": _oracle,
    "mysql": _binlog,
    "mariadb": _binlog,
}
