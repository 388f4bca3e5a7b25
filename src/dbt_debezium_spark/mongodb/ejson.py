"""Canonical Extended JSON, from every dialect that a connector writes.

Debezium writes documents in the strict dialect, updated fields and keys in the relaxed one, and
keys before 1.4 in the strict one with other blanks (spec §7.1, §7.5). This module converts all to
the relaxed dialect: plain numbers, dates as ISO text, and the newer form of binaries and regular
expressions. Values that a JSON number cannot represent stay wrapped: NaN, infinities, and
Decimal128, which JSON parsers would read as a double.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from typing import Any

DAY_MS = 86_400_000
_INTEGER = re.compile(r"-?\d+")
_HEX = re.compile(r"[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_MOMENT = re.compile(
    r"([+-]?\d{4,9})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?"
)


class NotEjson(ValueError):
    """A text that is not JSON."""


def parse(text: str) -> Any:
    """Return the canonical value of a text.

    Raises:
        NotEjson: the text is not JSON.
    """
    try:
        return normalise(json.loads(text, parse_constant=float))
    except (ValueError, RecursionError) as error:
        raise NotEjson(f"no JSON: {text[:200]}") from error


def document_text(value: Any) -> str:
    """Return the canonical text of a document, with sorted members and without blanks."""
    return _text(value, sort=True)


def key_text(text: str) -> str:
    """Return the canonical text of an `_id`, or a text that is not JSON without outer blanks.

    Members keep their order, because `{a: 1, b: 2}` and `{b: 2, a: 1}` are different ids.
    """
    try:
        return _text(parse(text), sort=False)
    except NotEjson:
        return text.strip()


def normalise(value: Any) -> Any:
    """Return the canonical form of a parsed JSON value; members keep their order."""
    if isinstance(value, dict):
        wrapped = _unwrap(value)
        if wrapped is not None:
            return wrapped[0]
        return {name: normalise(member) for name, member in value.items()}
    if isinstance(value, list):
        return [normalise(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return _not_finite(value)
    return value


def is_document(value: Any) -> bool:
    """Return whether a value is a document, and not a scalar that JSON wraps in an object."""
    return isinstance(value, dict) and _unwrap(value) is None


def moment_text(milliseconds: int) -> str:
    """Return milliseconds since 1970 as ISO text in UTC, of any year."""
    days, rest = divmod(milliseconds, DAY_MS)
    year, month, day = _date_of(days)
    seconds, fraction = divmod(rest, 1000)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    year_text = f"{year:04d}" if 0 <= year <= 9999 else f"{year:+05d}"
    text = f"{year_text}-{month:02d}-{day:02d}T{hours:02d}:{minutes:02d}:{seconds:02d}"
    return f"{text}.{fraction:03d}Z" if fraction else f"{text}Z"


def moment_ms(text: str) -> int | None:
    """Return an ISO text as milliseconds since 1970, None for another text."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute = (int(part) for part in match.groups()[:5])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour <= 24 and minute <= 59):
        return None
    seconds = int(match[6] or 0) + 60 * (minute + 60 * hour)
    zone = match[8] or "Z"
    if zone != "Z":
        offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        seconds += -offset if zone[0] == "+" else offset
    return (
        _days_of(year, month, day) * DAY_MS
        + seconds * 1000
        + int((match[7] or "")[:3].ljust(3, "0"))
    )


def _text(value: Any, *, sort: bool) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort)
    try:
        text.encode()
    except UnicodeEncodeError:
        # half of a surrogate pair, which UTF-8 cannot encode
        return json.dumps(value, separators=(",", ":"), sort_keys=sort)
    return text


def _unwrap(value: dict[str, Any]) -> tuple[Any] | None:
    """Return the canonical form of a wrapped scalar, None for a document."""
    names = value.keys()
    if not names or len(names) > 2 or not all(name.startswith("$") for name in names):
        return None
    if len(names) == 1:
        ((name, inner),) = value.items()
        unwrap = _SINGLE.get(name)
        return unwrap(inner) if unwrap else None
    if names == {"$binary", "$type"}:
        return _binary({"base64": value["$binary"], "subType": value["$type"]})
    if names == {"$regex", "$options"}:
        return _regex({"pattern": value["$regex"], "options": value["$options"]})
    if names == {"$code", "$scope"} and isinstance(value["$scope"], dict):
        return ({"$code": value["$code"], "$scope": normalise(value["$scope"])},)
    return None


def _integer(inner: Any) -> tuple[Any] | None:
    if isinstance(inner, bool) or not isinstance(inner, int | str):
        return None
    return (int(inner),) if _INTEGER.fullmatch(str(inner)) else None


def _double(inner: Any) -> tuple[Any] | None:
    if isinstance(inner, bool) or not isinstance(inner, int | float | str):
        return None
    try:
        number = float(inner)
    except ValueError:
        return None
    return (number if math.isfinite(number) else _not_finite(number),)


def _not_finite(number: float) -> dict[str, str]:
    if math.isnan(number):
        return {"$numberDouble": "NaN"}
    return {"$numberDouble": "Infinity" if number > 0 else "-Infinity"}


def _date(inner: Any) -> tuple[Any] | None:
    if isinstance(inner, dict) and set(inner) == {"$numberLong"}:
        inner = (_integer(inner["$numberLong"]) or (None,))[0]
    if isinstance(inner, str):
        inner = moment_ms(inner)
    if isinstance(inner, bool) or not isinstance(inner, int):
        return None
    return ({"$date": moment_text(inner)},)


def _binary(inner: Any) -> tuple[Any] | None:
    if not isinstance(inner, dict) or set(inner) != {"base64", "subType"}:
        return None
    content, subtype = inner["base64"], inner["subType"]
    if isinstance(subtype, int) and not isinstance(subtype, bool) and 0 <= subtype <= 255:
        subtype = f"{subtype:02x}"
    if not isinstance(content, str) or not isinstance(subtype, str) or not _HEX.fullmatch(subtype):
        return None
    return ({"$binary": {"base64": content, "subType": subtype.lower().rjust(2, "0")}},)


def _uuid(inner: Any) -> tuple[Any] | None:
    if not isinstance(inner, str) or not _UUID.fullmatch(inner):
        return None
    content = base64.b64encode(binascii.unhexlify(inner.replace("-", ""))).decode()
    return ({"$binary": {"base64": content, "subType": "04"}},)


def _regex(inner: Any) -> tuple[Any] | None:
    if not isinstance(inner, dict) or set(inner) != {"pattern", "options"}:
        return None
    pattern, options = inner["pattern"], inner["options"]
    if not isinstance(pattern, str) or not isinstance(options, str):
        return None
    return ({"$regularExpression": {"pattern": pattern, "options": "".join(sorted(options))}},)


def _text_only(name: str) -> Callable[[Any], tuple[Any] | None]:
    return lambda inner: ({name: inner},) if isinstance(inner, str) else None


def _oid(inner: Any) -> tuple[Any] | None:
    if isinstance(inner, str) and len(inner) == 24 and _HEX.fullmatch(inner):
        return ({"$oid": inner.lower()},)
    return None


def _timestamp(inner: Any) -> tuple[Any] | None:
    if not isinstance(inner, dict) or set(inner) != {"t", "i"}:
        return None
    parts = [_integer(normalise(inner[name])) for name in ("t", "i")]
    if None in parts:
        return None
    return ({"$timestamp": {"t": parts[0][0], "i": parts[1][0]}},)  # type: ignore[index]


def _limit(name: str) -> Callable[[Any], tuple[Any] | None]:
    return lambda inner: ({name: 1},) if normalise(inner) == 1 else None


_SINGLE: dict[str, Callable[[Any], tuple[Any] | None]] = {
    "$numberInt": _integer,
    "$numberLong": _integer,
    "$numberDouble": _double,
    "$numberDecimal": _text_only("$numberDecimal"),
    "$oid": _oid,
    "$date": _date,
    "$binary": _binary,
    "$uuid": _uuid,
    "$regularExpression": _regex,
    "$timestamp": _timestamp,
    "$symbol": _text_only("$symbol"),
    "$code": _text_only("$code"),
    "$undefined": lambda inner: ({"$undefined": True},) if inner is True else None,
    "$minKey": _limit("$minKey"),
    "$maxKey": _limit("$maxKey"),
}


def _date_of(days: int) -> tuple[int, int, int]:
    """Return year, month and day of a number of days since 1970, in the Gregorian calendar."""
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (1 if month <= 2 else 0)
    return year, month, day_of_year - (153 * shifted + 2) // 5 + 1


def _days_of(year: int, month: int, day: int) -> int:
    """Return the number of days since 1970; the reverse of `_date_of`."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468
