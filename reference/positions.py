"""Positions of an event, by connector."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference.record import canonical_json

if TYPE_CHECKING:
    from reference.config import Config

# Sorts after every text a log sequence number can be.
AFTER_ALL_LSNS = "~"


@dataclass(frozen=True)
class Position:
    """Where an event lies among those of its row and in the stream; None: nowhere known.

    `content` is what a redelivery repeats of a streaming event without a position; `told` what
    tells one with a position apart, where that is not the position. Changes of one connector run
    can share it when it is not `unique`.
    """

    row: Any
    stream: Any
    content: Any = None
    told: Any = None
    unique: bool = True


OWN = {"mysql": ("mysql", "mariadb"), "mariadb": ("mysql", "mariadb")}


def is_own(source: Mapping[str, Any], config: Config) -> bool:
    """Tell whether the configured connector wrote a record; one that names none counts as such."""
    name = str(source.get("connector") or config.connector).lower()
    return name in OWN.get(config.connector, (config.connector,))


def position_of(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return the position of an event of a row or a table."""
    if not is_own(envelope.get("source") or {}, config):
        return Position(None, None)
    return POSITIONS[config.connector](envelope, config)


def _number(value: Any) -> int | None:
    """Return a number above 0, which may be quoted; None for what else a writer says."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and int(text) else None


def _lsn(value: Any) -> str | None:
    """Return an LSN of SQL Server above 0."""
    text = str(value)
    return text if set(text) <= set("0123456789abcdefABCDEF:") and text.strip("0:") else None


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


def version_of(source: Mapping[str, Any]) -> tuple[int, int]:
    """Return the major and minor version of the connector, (0, 0) where it is not told."""
    numbers = re.match(r"(\d+)[.](\d+)", str(source.get("version") or ""))
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


def _pair(sequence: Any) -> tuple[int | None, int | None]:
    """Return the halves of `sequence`; what is no pair has none."""
    try:
        commit, change = json.loads(sequence or "[0,null]")
        return _integer(commit), _integer(change)
    except ValueError:
        return None, None


def _postgresql(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (last commit's lsn, lsn) for both; for the row, lsn stands for what is not told.

    Where the first is not told, nothing orders a change among commits. Incremental reads have
    only the second. Before 2.0 the plugin wal2json could give all changes of a transaction one
    lsn.
    """
    source = envelope.get("source") or {}
    lsn, op = _number(source.get("lsn")), envelope.get("op")
    if lsn is None and (op != "r" or source.get("sequence") is None):
        return Position(None, None)
    commit, change = _pair(source.get("sequence"))
    change = lsn if change is None else change
    row = None if lsn is None else (commit or lsn, lsn)
    shares_lsn = (0, 1) <= version_of(source) < (2, 0)
    told = (lsn, canonical_json(envelope.get("after")) if shares_lsn else None)
    is_told = bool(source.get("sequence")) and commit is not None
    is_change = op in ("c", "u", "d")
    stream = None if change is None or (is_change and not is_told) else (commit or 0, change)
    return Position(row, stream, told=told, unique=False)


def _sqlserver(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (commit_lsn) for the row, (commit_lsn, change_lsn, event_serial_no) for the stream.

    Within a commit nothing of the record orders a row's changes; all three tell them apart. A read
    of an initial snapshot has no change_lsn: it saw every commit up to commit_lsn.
    """
    source = envelope.get("source") or {}
    commit, change = _lsn(source.get("commit_lsn")), source.get("change_lsn")
    changes = envelope.get("op") in ("c", "u", "d")
    if commit is None or (changes and _lsn(change) is None):
        return Position(None, None)
    if change is None:
        stream = (commit, AFTER_ALL_LSNS, 0)
    else:
        stream = (commit, change, _integer(source.get("event_serial_no")) or 0)
    return Position((commit,), stream, told=stream)


def _binlog(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (number of the file, pos, row) for both.

    Changes of compressed transactions share it with others of their transaction.
    """
    source = envelope.get("source") or {}
    number = re.search("[.]([0-9]+)$", str(source.get("file")))
    place = _number(source.get("pos"))
    if number is None or place is None:
        return Position(None, None)
    position = (int(number[1]), place, _integer(source.get("row")) or 0)
    if not config.binlog_transaction_compression or envelope.get("op") not in ("c", "u", "d"):
        return Position(position, position)
    what = content(envelope, ["server_id", "gtid", "file", "pos", "row"])
    return Position(None, position, what, unique=False)


def _oracle(envelope: Mapping[str, Any], config: Config) -> Position:
    """Return (scn, rs_id, ssn) for both, of XStream the LCR position.

    No row's position have incremental reads and changes that the last two do not tell apart. What
    LogMiner says of a change does not tell the order of commits: others have no stream's position.
    """
    source = envelope.get("source") or {}
    incremental = source.get("snapshot") == "incremental"
    if source.get("lcr_position") is not None:
        stream = (1, int(source["lcr_position"], 16))
        return Position(None if incremental else stream, stream)
    scn = _number(source.get("scn"))
    if scn is None:
        return Position(None, None)
    record = (source.get("rs_id") or "").strip().lower()
    statement = _integer(source.get("ssn")) or 0
    order = float("inf") if statement < 0 else statement
    place = (0, scn, record or AFTER_ALL_LSNS, order)
    if envelope.get("op") in ("c", "u", "d") and (not record or statement < 0):
        what = content(envelope, ["txId", "scn", "rs_id", "ssn"])
        return Position(None, place, what, unique=False)
    changes = envelope.get("op") in ("c", "u", "d")
    return Position(None if incremental else place, None if changes else place)


POSITIONS: dict[str, Callable[[Mapping[str, Any], Config], Position]] = {
    "postgresql": _postgresql,
    "sqlserver": _sqlserver,
    "oracle": _oracle,
    "mysql": _binlog,
    "mariadb": _binlog,
}
