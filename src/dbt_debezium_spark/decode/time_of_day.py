"""SQL that decodes times of day from milliseconds, microseconds and nanoseconds."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Encoding
from dbt_debezium_spark.decode.whole_number import whole_number


def decode_time_of_day(column: Column, encoding: Encoding, number: str) -> str:
    """Return SQL: the text `HH:MM:SS[.fraction]`.

    Spark has no portable TIME type, and none for 24:00:00 (PostgreSQL) or negative and longer times
    (MySQL). The fraction has the digits of the column's type if the catalog contains them
    (`digits`), else those of the unit.

    Args:
        column: column of a time of day.
        encoding: encoding with the `unit` of the number.
        number: SQL: a BIGINT.
    """
    unit = encoding["unit"]
    second = 10**unit
    magnitude = f"abs({number})"
    hours = f"cast({magnitude} div {second * 3600} as string)"
    parts = [
        f"case when {number} < 0 then '-' else '' end",
        f"lpad({hours}, greatest(2, length({hours})), '0')",
        "':'",
        f"lpad(cast({magnitude} div {second * 60} % 60 as string), 2, '0')",
        "':'",
        f"lpad(cast({magnitude} div {second} % 60 as string), 2, '0')",
        *_fraction(magnitude, unit, min(whole_number(column.get("digits", unit)), unit)),
    ]
    # the lowest number has no absolute value in 64 bits
    return f"case when {number} > -9223372036854775808L then concat({', '.join(parts)}) end"


def _fraction(magnitude: str, unit: int, digits: int) -> list[str]:
    """Return the parts of a text after its seconds, as SQL.

    A value with more digits than its type, from before the type was narrowed, keeps them.
    """
    fraction = f"lpad(cast({magnitude} % {10**unit} as string), {unit}, '0')"
    if digits == unit:
        return ["'.'", fraction]
    beyond = f"{magnitude} % {10 ** (unit - digits)} <> 0"
    usual = f"concat('.', substr({fraction}, 1, {digits}))" if digits > 0 else "''"
    return [f"case when {beyond} then concat('.', rtrim('0', {fraction})) else {usual} end"]
