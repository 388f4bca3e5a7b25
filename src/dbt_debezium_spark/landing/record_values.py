"""What a record is: the values of its members, and the reasons why a line or row is none.

Here the values come from the JSON text in which a line contains them. `row_rules` has the same
rules for columns, with the same reasons: they are made by `missing` and `bad`.

No value passes through a number type: `1.10` and integers of any length stay as they are.
Standard library only: the text of this module runs on Spark's workers (`exact_lines`).
"""

from __future__ import annotations

import datetime as dt
import json
import re
from decimal import Decimal, InvalidOperation

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
# In the order in which they are checked.
REQUIRED = ("topic", "partition", "offset")
HIGHEST = {"partition": INT_MAX, "offset": LONG_MAX}
MAX_MILLISECONDS = LONG_MAX // 1000
SHOWN_CHARACTERS = 100
EMPTY, NOT_UTF8, HALF_PAIR = "empty", "not UTF-8", "half of a surrogate pair"
# In the JSON text of a key or value: first what is not a lone surrogate is removed, then each match
# of the second pattern is one. Spark uses the same patterns with Java's regular expressions.
WHOLE_ESCAPES = r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
LONE_SURROGATE = r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
# A text that begins like this is read as JSON.
JSON_BEGINS = r"^[ \t\r\n]*[{\[\"]"

_STRING_OR_SPACE = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\n\r]+')
_WHOLE_NUMBER = re.compile(r"(-?\d+)(?:\.0*)?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DATE_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_DIGITS = len(str(LONG_MAX))
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_WHOLE_ESCAPES, _LONE_SURROGATE = re.compile(WHOLE_ESCAPES), re.compile(LONE_SURROGATE)
_JSON_BEGINS = re.compile(JSON_BEGINS)


class LineError(ValueError):
    """A line that contains no record; the text begins with the code of the reason."""


def missing(name: str) -> str:
    """Return the reason for a record without a member."""
    return f"missing_column: {name}"


def bad(name: str, value: str) -> str:
    """Return the reason for a value that a record cannot have; a value is shown without quotes."""
    return f"bad_value: {name}: {value[:SHOWN_CHARACTERS]}"


def is_absent(raw: str | None) -> bool:
    """Return whether a member is missing or null."""
    return raw is None or raw == "null"


def text_of(raw: str | None, name: str) -> str | None:
    """Return the content of a string, or the compact JSON text of any other value.

    Raises:
        LineError: the string contains half of a surrogate pair.
    """
    if raw is None or raw == "null":
        return None
    if not raw.startswith('"'):
        return _STRING_OR_SPACE.sub(lambda match: match.group(1) or "", raw)
    content: str = json.loads(raw)
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LineError(bad(name, f"{HALF_PAIR} at character {error.start + 1}")) from error
    return content


def json_or_text(raw: str | None, name: str) -> str | None:
    """Return a key or value. It is JSON if it begins like JSON.

    Raises:
        LineError: it contains half of a surrogate pair, which JSON parsers replace by `?`.
    """
    content = text_of(raw, name)
    return None if content is None else without_half_pairs(content, name)


def without_half_pairs(content: str, name: str) -> str:
    """Return the text of a key or value as it is.

    Raises:
        LineError: it is JSON and contains half of a surrogate pair.
    """
    if "\\u" in content and _JSON_BEGINS.match(content):
        half = _LONE_SURROGATE.search(_WHOLE_ESCAPES.sub(" ", content))
        if half:
            raise LineError(bad(name, f"{HALF_PAIR}: {half.group()}"))
    return content


def _plain(raw: str) -> str:
    return json.loads(raw) if raw.startswith('"') else raw


def topic_of(raw: str) -> str:
    """Return a topic.

    Raises:
        LineError: it is empty, or no string.
    """
    topic = text_of(raw, "topic")
    if not topic or not raw.startswith('"'):
        raise LineError(bad("topic", topic or EMPTY))
    return topic


def whole_number(raw: str, name: str) -> int:
    """Return a partition or an offset; `1.0` and `"1"` are allowed, too.

    Raises:
        LineError: the value is another one.
    """
    match = _WHOLE_NUMBER.fullmatch(_plain(raw))
    # Every 64-bit integer has at most 20 characters; Python refuses to read very long ones.
    number = int(match.group(1)) if match and len(match.group(1)) <= 20 else -1
    if not 0 <= number <= HIGHEST[name]:
        raise LineError(bad(name, _plain(raw)))
    return number


def timestamp_us(raw: str | None) -> int | None:
    """Return microseconds since 1970, UTC, of milliseconds or ISO text; None for Kafka's -1.

    Raises:
        LineError: the value is no timestamp, or too large.
    """
    if raw is None or raw == "null":
        return None
    content = _plain(raw).strip()
    error = LineError(bad("timestamp", _plain(raw)))
    if _NUMBER.fullmatch(content):
        try:
            exact = Decimal(content)
        except InvalidOperation as cause:  # the exponent is too large for a Decimal
            raise error from cause
        # Checked before any arithmetic, which raises other exceptions for a huge exponent.
        if exact.adjusted() > _MOST_DIGITS or abs(exact) > MAX_MILLISECONDS:
            raise error
        # Kafka writes -1 for a record without a timestamp.
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


def timestamp_type(raw: str | None) -> int | None:
    """Return Kafka's number of a timestamp type.

    Raises:
        LineError: the name or number is unknown.
    """
    if raw is None or raw == "null":
        return None
    kind = TIMESTAMP_TYPES.get(_plain(raw).strip().lower())
    if kind is None:
        raise LineError(bad("timestampType", _plain(raw)))
    return kind
