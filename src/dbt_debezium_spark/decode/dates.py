"""SQL that decodes dates, and timestamps and times in text form."""

from __future__ import annotations


def decode_days(days: str) -> str:
    """Return SQL: DATE from days since 1970, for all years of the databases.

    The dates of PostgreSQL are from 4714 BC (day -2440588) to 5874897 (2145042905). Numbers outside
    are its infinite dates after an overflow (spec §10.3, §16), which can have either sign. They are
    not decoded; for PostgreSQL the companion column has the number.

    Args:
        days: SQL: an INT.
    """
    return (
        f"case when {days} between -2440600 and 2145042905 then date_add(date'1970-01-01', {days})"
        " end"
    )


def decode_iso_date(text: str) -> str:
    """Return SQL: DATE from its text."""
    return f"try_cast({decode_iso_time(text)} as date)"


def decode_iso_timestamp(text: str) -> str:
    """Return SQL: TIMESTAMP_NTZ from its text."""
    return f"try_cast({decode_iso_time(text)} as timestamp_ntz)"


def decode_iso_time(text: str) -> str:
    """Return SQL: the text of a time of day without its Z, which has no meaning."""
    return f"regexp_replace({text}, 'Z$', '')"


def decode_zoned_timestamp(text: str) -> str:
    """Return SQL: TIMESTAMP from text with an offset.

    PostgreSQL's infinities arrive as words. They become the instants that Debezium uses for
    infinities without a time zone (spec §10.3), so that comparisons still work.
    """
    return (
        f"case {text} when 'infinity' then timestamp_micros(9223372036825200000)"
        " when '-infinity' then timestamp_micros(-9223372036832400000)"
        f" else try_cast({text} as timestamp) end"
    )
