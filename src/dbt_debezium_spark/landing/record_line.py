"""Read one line of a record file exactly; `fast_lines` must agree with the result.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dbt_debezium_spark.landing.json_members import members_of
from dbt_debezium_spark.landing.record_headers import headers_of
from dbt_debezium_spark.landing.record_values import (
    REQUIRED,
    LineError,
    is_absent,
    json_or_text,
    missing,
    text_of,
    timestamp_type,
    timestamp_us,
    topic_of,
    whole_number,
)

# Members that describe a record, in the spelling of Kafka, Spark and kcat.
EXACT_MEMBERS = frozenset(
    {
        "topic",
        "partition",
        "offset",
        "timestamp",
        "ts",
        "timestampType",
        "tstype",
        "key",
        "value",
        "payload",
        "headers",
        "broker",
        "key_error",
        "payload_error",
        "key_schema_id",
        "value_schema_id",
    }
)
KNOWN_MEMBERS = frozenset(name.lower() for name in EXACT_MEMBERS)
SYNONYMS = {"ts": "timestamp", "tstype": "timestamptype", "payload": "value"}
BYTE_ORDER_MARK = "\ufeff"
MAX_CONTENT_CHARACTERS = 65_536
MAX_REASON_CHARACTERS = 300


class Record(NamedTuple):
    """A record with Kafka's columns; the timestamp is in microseconds since 1970, UTC."""

    topic: str
    partition: int
    offset: int
    timestamp_us: int | None
    timestamp_type: int | None
    key: str | None
    value: str | None
    headers: list[tuple[str, str | None]] | None


def read_line(line: bytes) -> Record | None:
    """Return the record of a line, or None for a blank line.

    Args:
        line: the bytes between two newlines; a carriage return at the end is ignored.

    Raises:
        LineError: the line is not one JSON object with a record's members.
    """
    text = text_of_line(line)
    if not text:
        return None
    members = members_of_line(text)
    return _record(_by_known_name(members), unknown=_unknown(members))


def text_of_line(line: bytes) -> str:
    """Return a line without a byte order mark, and without blanks around it.

    Raises:
        LineError: the line is not UTF-8.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(
            f"malformed_line: not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}"
        ) from error
    return text.removeprefix(BYTE_ORDER_MARK).strip(" \t\r\n")


def members_of_line(text: str) -> list[tuple[str, str]]:
    """Return the name and raw text of each member of a line.

    Raises:
        LineError: the line is not one JSON object.
    """
    try:
        return members_of(text)
    except json.JSONDecodeError as error:
        raise LineError(
            f"malformed_line: not JSON: {error.msg} at character {error.pos + 1}"
        ) from error
    except RecursionError as error:
        raise LineError("malformed_line: nested too deeply") from error


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return the record of a line as one row of `exact_lines.read_exactly`."""
    return row_of(read_line, path, block, seq, line)


def row_of(
    read: Callable[[bytes], Record | None], path: str, block: int, seq: int, line: bytes
) -> dict[str, Any]:
    """Return the result of a reader of lines as one row of `exact_lines.read_exactly`.

    No line raises an error, because one line must not keep the others from landing.
    """
    row: dict[str, Any] = {"path": path, "block": block, "seq": seq, "state": "blank"}
    row |= dict.fromkeys(("topic", "partition", "offset", "timestampType", "key", "value"))
    row |= dict.fromkeys(("headers", "timestamp_us", "reason", "content", "content_hash"))
    try:
        record = read(line)
    except Exception as error:
        row["state"] = "rejected"
        reason = str(error) if isinstance(error, LineError) else _unexpected_reason(error)
        # Names in it may contain half of a surrogate pair, which no column can store.
        reason = reason.encode("utf-8", errors="backslashreplace").decode("utf-8")
        row["reason"] = reason[:MAX_REASON_CHARACTERS]
        row["content"] = line.decode("utf-8", errors="replace")[:MAX_CONTENT_CHARACTERS]
        row["content_hash"] = hashlib.sha256(line).hexdigest()
        return row
    if record is not None:
        row["state"] = "record"
        row["topic"], row["partition"], row["offset"] = record[:3]
        row["timestamp_us"], row["timestampType"] = record.timestamp_us, record.timestamp_type
        row["key"], row["value"] = record.key, record.value
        if record.headers is not None:
            row["headers"] = [{"key": key, "value": value} for key, value in record.headers]
    return row


def _unexpected_reason(error: Exception) -> str:
    return f"malformed_line: cannot be read: {type(error).__name__}: {error}"


def _record(raw: dict[str, str], unknown: list[str]) -> Record:
    check_place(raw)
    for name in ("key_error", "payload_error"):
        if not is_absent(raw.get(name)):
            raise LineError(f"bad_value: {name}: {text_of(raw[name], name)}")
    if "value" not in raw and "payload" not in raw and unknown:
        # A tombstone may omit its null value. But a line with unknown members may contain the
        # value under one of them. If it were read as a tombstone, it would delete a row.
        raise LineError(f"{missing('value')} (the line has `{unknown[0]}` instead)")
    if not is_absent(raw.get("value")) and not is_absent(raw.get("payload")):
        raise LineError("bad_value: both `value` and `payload` are given")
    for name, synonym in (("timestamp", "ts"), ("timestamptype", "tstype"), ("value", "payload")):
        if is_absent(raw.get(name)) and synonym in raw:
            raw[name] = raw[synonym]
    return record_of_members(raw)


def check_place(raw: Mapping[str, str]) -> None:
    """Check that a record has a place in Kafka.

    Raises:
        LineError: a member is missing.
    """
    for name in REQUIRED:
        if is_absent(raw.get(name)):
            raise LineError(missing(name))


def record_of_members(raw: Mapping[str, str]) -> Record:
    """Return the record with some members, by name in lower case, as JSON.

    Raises:
        LineError: a value is none that a record has.
    """
    return Record(
        topic=topic_of(raw["topic"]),
        partition=whole_number(raw["partition"], "partition"),
        offset=whole_number(raw["offset"], "offset"),
        timestamp_us=timestamp_us(raw.get("timestamp")),
        timestamp_type=timestamp_type(raw.get("timestamptype")),
        key=json_or_text(raw.get("key"), "key"),
        value=json_or_text(raw.get("value"), "value"),
        headers=headers_of(raw.get("headers")),
    )


def _by_known_name(members: list[tuple[str, str]]) -> dict[str, str]:
    """Return the raw values by known name in lower case.

    The spelling of Kafka, Spark and kcat wins. Another spelling (`VALUE`, `timestamp_type`) counts
    if the line has no member of the same meaning in that spelling.
    """
    exact = {_folded_name(name): value for name, value in members if name in EXACT_MEMBERS}
    meanings = {SYNONYMS.get(name, name) for name in exact}
    raw: dict[str, str] = {}
    for name, value in members:
        folded = _folded_name(name)
        if name not in EXACT_MEMBERS and SYNONYMS.get(folded, folded) not in meanings:
            raw[folded] = value
    return raw | exact


def _unknown(members: list[tuple[str, str]]) -> list[str]:
    return [name for name, _ in members if _folded_name(name) not in KNOWN_MEMBERS]


def _folded_name(name: str) -> str:
    lower = name.lower()
    return "timestamptype" if lower == "timestamp_type" else lower
