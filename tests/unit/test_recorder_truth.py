from __future__ import annotations

from typing import Any

import pytest

from dev.recorder.errors import RecorderError
from dev.recorder.truth import canonical, column_expression, interval_micros


@pytest.mark.parametrize(
    ("text", "pg_type", "expected"),
    [
        (None, "integer", None),
        ("true", "boolean", True),
        ("false", "boolean", False),
        ("-32768", "smallint", -32768),
        ("9223372036854775807", "bigint", 9223372036854775807),
        ("0.1", "real", 0.1),
        ("NaN", "double precision", "NaN"),
        ("-Infinity", "real", "-Infinity"),
        ("-9999999999999999.9999", "numeric(20,4)", "-9999999999999999.9999"),
        ("1.500", "numeric", "1.500"),
        ("\\x00ff", "bytea", "00ff"),
        ("\\x", "bytea", ""),
        ("1969-07-20 20:17:40.1", "timestamp without time zone", "1969-07-20T20:17:40.100000"),
        ("2026-02-03 04:05:06", "timestamp(3) without time zone", "2026-02-03T04:05:06.000"),
        ("2026-02-03 04:05:06", "timestamp(0) without time zone", "2026-02-03T04:05:06"),
        (
            "1969-12-31 23:59:59.999999+00",
            "timestamp with time zone",
            "1969-12-31T23:59:59.999999Z",
        ),
        ("23:59:59.9", "time(3) without time zone", "23:59:59.900"),
        ("05:00:00", "time with time zone", "05:00:00.000000Z"),
        ("0001-01-01", "date", "0001-01-01"),
        ('{"a": 1}', "jsonb", '{"a": 1}'),
        ('["x",null,"NULL"]', "text[]", ["x", None, "NULL"]),
        ("[]", "integer[]", []),
        ("000000000101", "bit(12)", "000000000101"),
        ("on hold", "order_status", "on hold"),
        ("PT0S", "interval", {"text": "PT0S", "micros": 0}),
    ],
)
def test_each_type_has_one_canonical_form(text: str | None, pg_type: str, expected: Any) -> None:
    assert canonical(text, pg_type) == expected


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("PT0S", 0),
        ("PT0.000001S", 1),
        ("PT-3H", -10_800_000_000),
        ("P3DT4H5M6.789S", 3 * 86_400_000_000 + 14_706_789_000),
        # A month is 365.25 / 12 days.
        ("P1M", 2_629_800_000_000),
        ("P1Y", 31_557_600_000_000),
        ("P-1M2DT-3H", -2_629_800_000_000 + 2 * 86_400_000_000 - 10_800_000_000),
    ],
)
def test_an_interval_is_counted_as_debezium_counts_it(text: str, micros: int) -> None:
    assert interval_micros(text) == micros


def test_what_is_no_interval_is_refused() -> None:
    with pytest.raises(RecorderError, match="`1 year` is not an interval"):
        interval_micros("1 year")


def test_a_timestamp_of_another_zone_is_refused() -> None:
    with pytest.raises(RecorderError, match="not in UTC"):
        canonical("2026-01-01 00:00:00+02", "timestamp with time zone")


def test_names_are_quoted_and_zoned_times_are_read_in_utc() -> None:
    assert column_expression('a "b"', "integer") == '"a ""b"""::text'
    assert column_expression("tags", "text[]") == 'array_to_json("tags")::text'
    assert column_expression("tz", "time(3) with time zone") == (
        "(\"tz\" at time zone 'UTC')::time(3)::text"
    )
