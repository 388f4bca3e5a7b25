"""SQL that reads dates, and timestamps and times that are written as text."""

from __future__ import annotations


def decode_days(days: str) -> str:
    """Return SQL: DATE from days since 1970, of every year a source has.

    PostgreSQL counts from 4714 BC (day -2440588) to 5874897 (2145042905). Outside lie its infinite
    dates, day numbers that overflowed (spec §10.3, §16): of either sign, so nothing can be told
    from them but that they are infinite. They stay unread; for PostgreSQL the companion column
    keeps the number.

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
    """Return SQL: the text of a time of day without its Z, which says nothing of it."""
    return f"regexp_replace({text}, 'Z$', '')"


def decode_zoned_timestamp(text: str) -> str:
    """Return SQL: TIMESTAMP from text with an offset.

    PostgreSQL's infinities come as words; they become the instants that Debezium itself uses for
    infinities without a zone (spec §10.3), so that comparisons with them still hold.
    """
    return (
        f"case {text} when 'infinity' then timestamp_micros(9223372036825200000)"
        " when '-infinity' then timestamp_micros(-9223372036832400000)"
        f" else try_cast({text} as timestamp) end"
    )
