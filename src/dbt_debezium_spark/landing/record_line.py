"""Read one line of a record file, exactly: the careful way, and the reference for the fast one.

Values of members are taken from the line as they are written, never through a number type:
`1.10` and integers of any length survive. Standard library only: its text runs on Spark's workers.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, NoReturn

# Members that say something about a record, in Kafka's, Spark's and kcat's spelling.
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
SAME_AS = {"ts": "timestamp", "tstype": "timestamptype", "payload": "value"}
TIMESTAMP_TYPES = {
    "-1": -1,
    "0": 0,
    "1": 1,
    "notimestamptype": -1,
    "createtime": 0,
    "logappendtime": 1,
    "unknown": -1,
    "create": 0,
    "logappend": 1,
}
INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
BYTE_ORDER_MARK = "\ufeff"
MAX_CONTENT_CHARACTERS = 65_536
MAX_REASON_CHARACTERS = 300
# In the JSON of a key or value: what is no lone surrogate, and what is one once that is gone.
# Java's regular expressions, in which Spark looks for them, mean the same.
WHOLE_ESCAPES = r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
LONE_SURROGATE = r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
# What a text begins with that is read as JSON.
JSON_BEGINS = r"^[ \t\r\n]*[{\[\"]"

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING_OR_SPACE = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\n\r]+')
_WHOLE_NUMBER = re.compile(r"(-?\d+)(?:\.0*)?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DATE_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_DIGITS = len(str(LONG_MAX))
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_WHOLE_ESCAPES, _LONE_SURROGATE = re.compile(WHOLE_ESCAPES), re.compile(LONE_SURROGATE)
_JSON_BEGINS = re.compile(JSON_BEGINS)


class Record(NamedTuple):
    """A record with Kafka's columns; the timestamp in microseconds since 1970, UTC."""

    topic: str
    partition: int
    offset: int
    timestamp_us: int | None
    timestamp_type: int | None
    key: str | None
    value: str | None
    headers: list[tuple[str, str | None]] | None


class LineError(ValueError):
    """A line that holds no record; the text begins with the reason's code."""


def read_line(line: bytes) -> Record | None:
    """Return the record of a line, or None for a blank line.

    Args:
        line: the bytes between two newlines; a carriage return at the end is not part of it.

    Raises:
        LineError: the line is not one JSON object with a record's members.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(
            f"malformed_line: not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}"
        ) from error
    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip(" \t\r\n"):
        return None
    try:
        members = _members(text)
    except json.JSONDecodeError as error:
        raise LineError(
            f"malformed_line: not JSON: {error.msg} at character {error.pos + 1}"
        ) from error
    except RecursionError as error:
        raise LineError("malformed_line: nested too deeply") from error
    return _record(_by_known_name(members), unknown=_unknown(members))


def read_row(path: str, block: int, seq: int, line: bytes) -> dict[str, Any]:
    """Return what a line holds as one row of `exact_lines.read_exactly`.

    Nothing is raised, whatever the line holds: one line must not keep the others from landing.
    """
    row: dict[str, Any] = {"path": path, "block": block, "seq": seq, "state": "blank"}
    row |= dict.fromkeys(("topic", "partition", "offset", "timestampType", "key", "value"))
    row |= dict.fromkeys(("headers", "timestamp_us", "reason", "content", "content_hash"))
    try:
        record = read_line(line)
    except Exception as error:
        row["state"] = "rejected"
        why = str(error) if isinstance(error, LineError) else _unforeseen(error)
        # Names in it may hold half of a surrogate pair, which no column takes.
        why = why.encode("utf-8", errors="backslashreplace").decode("utf-8")
        row["reason"] = why[:MAX_REASON_CHARACTERS]
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


def _unforeseen(error: Exception) -> str:
    return f"malformed_line: cannot be read: {type(error).__name__}: {error}"


def _record(raw: dict[str, str], unknown: list[str]) -> Record:
    for name in ("topic", "partition", "offset"):
        if _is_absent(raw.get(name)):
            raise LineError(f"missing_column: {name}")
    for name in ("key_error", "payload_error"):
        if not _is_absent(raw.get(name)):
            raise LineError(f"bad_value: {name}: {_text(raw[name], name)}")
    if "value" not in raw and "payload" not in raw and unknown:
        # A tombstone may leave its null value out. But a line with members of other names may
        # carry the value under one of them: taken for a tombstone, it would delete a row.
        raise LineError(f"missing_column: value (the line has `{unknown[0]}` instead)")
    if not _is_absent(raw.get("value")) and not _is_absent(raw.get("payload")):
        raise LineError("bad_value: both `value` and `payload` are given")
    topic = _text(raw["topic"], "topic")
    if not topic or not raw["topic"].startswith('"'):
        raise LineError(f"bad_value: topic: {raw['topic']}")
    when = raw["timestamp"] if not _is_absent(raw.get("timestamp")) else raw.get("ts")
    kind = raw["timestamptype"] if not _is_absent(raw.get("timestamptype")) else raw.get("tstype")
    value = raw["value"] if not _is_absent(raw.get("value")) else raw.get("payload")
    return Record(
        topic=topic,
        partition=_whole(raw["partition"], "partition", INT_MAX),
        offset=_whole(raw["offset"], "offset", LONG_MAX),
        timestamp_us=_timestamp(when),
        timestamp_type=_timestamp_type(kind),
        key=_json_or_text(raw.get("key"), "key"),
        value=_json_or_text(value, "value"),
        headers=_headers(raw.get("headers")),
    )


# -- members and items as written -----------------------------------------------------------------


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


# Numbers stay text: only where a value ends matters here, and Python refuses very long integers.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


def _members(text: str) -> list[tuple[str, str]]:
    """Return name and raw text of each member of the one object that `text` is."""
    start = _skip(text, 0)
    if text[start : start + 1] != "{":
        raise json.JSONDecodeError("Expecting an object", text, start)
    members, end = _object_at(text, start)
    end = _skip(text, end)
    if end != len(text):
        raise json.JSONDecodeError("Extra data after the object", text, end)
    return members


def _object_at(text: str, start: int) -> tuple[list[tuple[str, str]], int]:
    members: list[tuple[str, str]] = []
    position = _skip(text, start + 1)
    if text[position : position + 1] == "}":
        return members, position + 1
    while True:
        if text[position : position + 1] != '"':
            raise json.JSONDecodeError("Expecting a member name in double quotes", text, position)
        name, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise json.JSONDecodeError("Expecting ':'", text, position)
        begin = _skip(text, position + 1)
        _, end = _DECODER.raw_decode(text, begin)
        members.append((name, text[begin:end]))
        position = _skip(text, end)
        after = text[position : position + 1]
        if after == "}":
            return members, position + 1
        if after != ",":
            raise json.JSONDecodeError("Expecting ',' or '}'", text, position)
        position = _skip(text, position + 1)


def _items(text: str) -> Iterator[str]:
    """Yield the raw text of each item of a JSON array that is known to be well-formed."""
    position = _skip(text, 1)
    while text[position] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield text[position:end]
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _by_known_name(members: list[tuple[str, str]]) -> dict[str, str]:
    """Return the raw values by known name in lower case.

    The spelling of Kafka, Spark and kcat wins; others (`VALUE`, `timestamp_type`) count when the
    line has no member that says the same in that spelling.
    """
    exact = {_folded(name): value for name, value in members if name in EXACT_MEMBERS}
    said = {SAME_AS.get(name, name) for name in exact}
    raw: dict[str, str] = {}
    for name, value in members:
        folded = _folded(name)
        if name not in EXACT_MEMBERS and SAME_AS.get(folded, folded) not in said:
            raw[folded] = value
    return raw | exact


def _unknown(members: list[tuple[str, str]]) -> list[str]:
    return [name for name, _ in members if _folded(name) not in KNOWN_MEMBERS]


def _folded(name: str) -> str:
    lower = name.lower()
    return "timestamptype" if lower == "timestamp_type" else lower


# -- values ---------------------------------------------------------------------------------------


def _is_absent(raw: str | None) -> bool:
    return raw is None or raw == "null"


def _text(raw: str | None, name: str) -> str | None:
    """Return a string's content, or anything else as the compact JSON text it is written as."""
    if raw is None or raw == "null":
        return None
    if not raw.startswith('"'):
        return _STRING_OR_SPACE.sub(lambda match: match.group(1) or "", raw)
    content: str = json.loads(raw)
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LineError(
            f"bad_value: {name}: half of a surrogate pair at character {error.start + 1}"
        ) from error
    return content


def _json_or_text(raw: str | None, name: str) -> str | None:
    """Return a key or value, which is JSON when it begins like that.

    Raises:
        LineError: a text in it is none: what reads it would put `?` for half of a pair.
    """
    content = _text(raw, name)
    if content is not None and "\\u" in content and _JSON_BEGINS.match(content):
        half = _LONE_SURROGATE.search(_WHOLE_ESCAPES.sub(" ", content))
        if half:
            raise LineError(f"bad_value: {name}: half of a surrogate pair: {half.group()}")
    return content


def _plain(raw: str) -> str:
    return json.loads(raw) if raw.startswith('"') else raw


def _whole(raw: str, name: str, highest: int) -> int:
    match = _WHOLE_NUMBER.fullmatch(_plain(raw))
    # 20 characters hold every 64-bit integer; Python refuses to read very long ones.
    number = int(match.group(1)) if match and len(match.group(1)) <= 20 else -1
    if not 0 <= number <= highest:
        raise LineError(f"bad_value: {name}: {raw[:100]}")
    return number


def _timestamp(raw: str | None) -> int | None:
    if raw is None or raw == "null":
        return None
    content = _plain(raw).strip()
    error = LineError(f"bad_value: timestamp: {raw[:100]}")
    if _NUMBER.fullmatch(content):
        try:
            exact = Decimal(content)
        except InvalidOperation as cause:  # an exponent that no Decimal holds
            raise error from cause
        # Looked at first: arithmetic on a huge exponent ends in an exception of its own.
        if exact.adjusted() > _MOST_DIGITS or abs(exact) > LONG_MAX // 1000:
            raise error
        # Kafka's -1 says that there is none.
        return None if exact == -1 else int(exact * 1000)
    if not _DATE_FIRST.match(content):
        raise error
    try:
        moment = dt.datetime.fromisoformat(content)
    except ValueError as cause:
        raise error from cause
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)


def _timestamp_type(raw: str | None) -> int | None:
    if raw is None or raw == "null":
        return None
    kind = TIMESTAMP_TYPES.get(_plain(raw).strip().lower())
    if kind is None:
        raise LineError(f"bad_value: timestampType: {raw[:100]}")
    return kind


def _headers(raw: str | None) -> list[tuple[str, str | None]] | None:
    """Return headers from any of the forms in which tools write them.

    Objects `{"key": k, "value": v}`; an object of name to value, or to a list of values; pairs
    `[k, v]`; objects of one member; and kcat's flat list `k, v, k, v`.
    """
    if raw is None or raw == "null":
        return None
    if raw.startswith("{"):
        return [pair for name, value in _object_at(raw, 0)[0] for pair in _named(name, value)]
    if not raw.startswith("["):
        raise LineError(f"bad_value: headers: {raw[:100]}")
    items = list(_items(raw))
    if all(item.startswith("{") for item in items):
        return [_header_object(item) for item in items]
    if all(item.startswith("[") for item in items):
        return [_pair(list(_items(item)), raw) for item in items]
    if len(items) % 2:
        raise LineError(f"bad_value: headers: {raw[:100]}")
    return [_pair(items[at : at + 2], raw) for at in range(0, len(items), 2)]


def _named(name: str, value: str) -> Iterator[tuple[str, str | None]]:
    if value.startswith("["):
        for item in _items(value):
            yield name, _text(item, "headers")
    else:
        yield name, _text(value, "headers")


def _header_object(raw: str) -> tuple[str, str | None]:
    members = _object_at(raw, 0)[0]
    by_name = {name.lower(): value for name, value in members}
    if "key" in by_name and set(by_name) <= {"key", "value"}:
        return _pair([by_name["key"], by_name.get("value", "null")], raw)
    if len(members) == 1:
        name, value = members[0]
        return name, _text(value, "headers")
    raise LineError(f"bad_value: headers: {raw[:100]}")


def _pair(items: list[str], raw: str) -> tuple[str, str | None]:
    if len(items) != 2 or not items[0].startswith('"'):
        raise LineError(f"bad_value: headers: {raw[:100]}")
    name = _text(items[0], "headers")
    return name or "", _text(items[1], "headers")
