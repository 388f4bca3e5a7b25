"""Zoneless dates, times and timestamps under every `time.precision.mode` (spec §10.1), for all connectors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.type_cases import quoted

MODES = (
    "adaptive",
    "adaptive_time_microseconds",
    "connect",
    "microseconds",
    "nanoseconds",
    "isostring",
)
# encoding, JSON, Spark type, shown, beside
Encoded = tuple[str, str, str, str | None, str | None]

DAY = 86_400


def days_of(iso: str) -> int:
    """Return the days since 1970 of a date of any year, as the proleptic Gregorian calendar counts."""
    year, month, day = re.fullmatch(r"([-+]?\d+)-(\d\d)-(\d\d)", iso).groups()
    shifted = int(year) - (int(month) <= 2)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * ((int(month) + 9) % 12) + 2) // 5 + int(day) - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def seconds_of(iso: str) -> int:
    """Return the seconds since 1970 of a date and time of any year."""
    date, time = iso.split("T")
    hours, minutes, seconds = map(int, time.split(":"))
    return days_of(date) * DAY + hours * 3600 + minutes * 60 + seconds


def dates(iso: str) -> Iterator[tuple[str, Encoded]]:
    """Yield each mode with how it writes a date and what becomes of it."""
    for mode in MODES:
        if mode == "isostring":
            yield mode, ("string t.IsoDate", quoted(f"{iso}Z"), "date", iso, None)
        else:
            semantic = "k.Date" if mode == "connect" else "t.Date"
            yield mode, (f"int32 {semantic}", str(days_of(iso)), "date", iso, None)


def times(digits: int, nanoseconds: int) -> Iterator[tuple[str, Encoded]]:
    """Yield each mode with how it writes a time of day of a column with so many digits."""
    for mode in MODES:
        if mode == "isostring":
            if nanoseconds < 0 or nanoseconds >= DAY * 10**9:
                continue  # no text of a time of day says that
            plain = clock(nanoseconds, digits)
            text = plain.rstrip("0").rstrip(".") if "." in plain else plain
            yield mode, ("string t.IsoTime", quoted(f"{text}Z"), "string", text, None)
            continue
        if mode == "connect":
            unit, encoding = 3, "int32 k.Time"
        elif mode == "nanoseconds" or (mode == "adaptive" and digits > 6):
            unit, encoding = 9, "int64 t.NanoTime"
        elif mode == "adaptive" and digits <= 3:
            unit, encoding = 3, "int32 t.Time"
        else:
            unit, encoding = 6, "int64 t.MicroTime"
        number = nanoseconds // 10 ** (9 - unit)
        kept = number * 10 ** (9 - unit)
        yield mode, (encoding, str(number), "string", clock(kept, unit), None)


def timestamps(
    digits: int, iso: str, nanoseconds: int, *, is_cut: bool = False
) -> Iterator[tuple[str, Encoded]]:
    """Yield each mode with how it writes a timestamp.

    Args:
        digits: of the column's type.
        iso: date and time without a fraction.
        nanoseconds: of the second.
        is_cut: whether the type has more than six digits, so that companions are needed.
    """
    total = seconds_of(iso) * 10**9 + nanoseconds
    for mode in MODES:
        if mode == "isostring":
            fraction = f"{nanoseconds:09d}".rstrip("0")
            text = f"{iso}.{fraction}" if fraction else iso
            beside = f"{text}Z" if is_cut and len(fraction) > 6 else None
            value = quoted(f"{text}Z")
            yield (
                mode,
                ("string t.IsoTimestamp", value, "timestamp_ntz", moment(iso, nanoseconds), beside),
            )
            continue
        if mode == "connect":
            unit, encoding = 3, "int64 k.Timestamp"
        elif mode == "microseconds":
            unit, encoding = 6, "int64 t.MicroTimestamp"
        elif mode == "nanoseconds" or digits > 6:
            unit, encoding = 9, "int64 t.NanoTimestamp"
        elif digits <= 3:
            unit, encoding = 3, "int64 t.Timestamp"
        else:
            unit, encoding = 6, "int64 t.MicroTimestamp"
        number = total // 10 ** (9 - unit)
        kept = (number * 10 ** (9 - unit)) % 10**9
        beside = f"{iso}.{kept:09d}" if unit == 9 else None
        yield mode, (encoding, str(number), "timestamp_ntz", moment(iso, kept), beside)


def clock(nanoseconds: int, digits: int) -> str:
    """Return a time of day with so many digits of the fraction."""
    sign = "-" if nanoseconds < 0 else ""
    seconds, rest = divmod(abs(nanoseconds), 10**9)
    text = f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{text}.{rest // 10 ** (9 - digits):0{digits}d}" if digits else text


def moment(iso: str, nanoseconds: int) -> str:
    """Return a timestamp as Spark prints it: cut to microseconds, without trailing zeros."""
    fraction = f"{nanoseconds // 1000:06d}".rstrip("0")
    return iso.replace("T", " ") + (f".{fraction}" if fraction else "")
