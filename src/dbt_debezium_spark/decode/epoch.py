"""SQL that decodes zoneless timestamps from milli-, micro- and nanoseconds since 1970."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Encoding
from dbt_debezium_spark.decode.let import let

_EPOCH = "timestamp_ntz'1970-01-01 00:00:00'"
_MICROSECOND = "interval '0.000001' second"


def decode_epoch(encoding: Encoding, number: str) -> str:
    """Return SQL: TIMESTAMP_NTZ, read as if UTC (spec §10.1).

    Interval arithmetic keeps every microsecond of years far outside 1 to 9999 (PostgreSQL's BC
    dates and infinities), whatever the session's time zone is. Milliseconds out of the range of
    TIMESTAMP are not decoded, because the multiplication would stop the run.

    Args:
        encoding: encoding with the `unit` of the number.
        number: SQL: a BIGINT.
    """
    if encoding["unit"] == 3:
        return (
            f"case when {number} between -9223372036854775 and 9223372036854775 then"
            f" {_EPOCH} + {number} * interval '0.001' second end"
        )
    if encoding["unit"] == 6:
        return f"{_EPOCH} + {number} * {_MICROSECOND}"
    moment = _nanosecond_timestamp(number)
    if encoding.get("wraps"):
        unwrapped = let("n", unwrapped_nanoseconds(number), _nanosecond_timestamp("n"))
        return (
            f"case when {number} % 100 = 0 then {moment} when {number} is not null then {unwrapped}"
            " end"
        )
    if encoding.get("infinite"):
        # the instants that Debezium sends for infinite timestamps in microseconds
        return (
            f"case {number} when 9223372036854775807L then"
            f" {_EPOCH} + 9223372036825200000L * {_MICROSECOND}"
            f" when -9223372036854775808L then {_EPOCH} - 9223372036832400000L * {_MICROSECOND}"
            f" else {moment} end"
        )
    return moment


def unwrapped_nanoseconds(number: str) -> str:
    """Return SQL: nanoseconds since 1970, after an overflow of 64 bits (spec §11.4).

    This is possible for a source that counts in steps of 100 ns, such as SQL Server. 2^64 is 16
    modulo 100, so the last two digits show the number of overflows up to 25; the years 1 to 9999
    need 18. Any other number stays as it is. The result is a DECIMAL.

    Args:
        number: SQL: a BIGINT.
    """
    # 16 * k = -r modulo 100; with r = 4 * q: 4 * k = -q modulo 25, and 19 * 4 = 1 modulo 25
    count = f"pmod(-19 * (pmod({number}, 100) div 4), 25)"
    signed_count = (
        f"case when pmod({number}, 4) <> 0 then 0 when {count} <= 14 then {count}"
        f" else {count} - 25 end"
    )
    true_number = (
        f"cast(cast({number} as decimal(20, 0))"
        " + cast(k as decimal(4, 0)) * 18446744073709551616BD as decimal(38, 0))"
    )
    plausible = (
        "case when t between -62135596800000000000BD and 253402300799999999900BD then t"
        f" else cast({number} as decimal(38, 0)) end"
    )
    return let("k", signed_count, let("t", true_number, plausible))


def _nanosecond_timestamp(number: str) -> str:
    """Return SQL: the timestamp, cut to microseconds.

    Nanoseconds are rounded down, so that -1 is …59.999999 of the day before; `div` alone would
    round towards zero.
    """
    floored = f"{number} div 1000 - case when {number} % 1000 < 0 then 1 else 0 end"
    return f"{_EPOCH} + ({floored}) * {_MICROSECOND}"
