"""The companion column: the exact text of values that do not fit in their Spark type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from dbt_debezium_spark.decode.columns import Column, Config, Encoding
from dbt_debezium_spark.decode.decoder import decode
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.epoch import decode_epoch, unwrapped_nanoseconds


class DecodedColumn(TypedDict):
    """A column of a model.

    Attributes:
        name: name of the column.
        data_type: its Spark type.
        of: the table's column of a companion; None for the column itself.
    """

    name: str
    data_type: str
    of: str | None


def exact_text_name(name: str) -> str:
    """Return the name of a column's companion."""
    return f"_cdc_text_{name}"


def decoded_columns(config: Config, columns: Iterable[Column]) -> list[DecodedColumn]:
    """Return the columns that staging, state and current models have for the table's columns.

    They are in the table's order. A companion follows its column if the Spark type cannot store
    every value (nanoseconds, offsets).

    Raises:
        CompilationError: a column's Connect type is unknown.
    """
    decoded: list[DecodedColumn] = []
    for column in columns:
        encoding = encoding_of(config, column)
        name = column["name"]
        decoded.append({"name": name, "data_type": encoding["spark_type"], "of": None})
        if encoding.get("exact_text"):
            decoded.append({"name": exact_text_name(name), "data_type": "string", "of": name})
    return decoded


def decode_exact_text(config: Config, column: Column, prepared: str) -> str:
    """Return SQL: the readable text of the companion column.

    `always`: the full value: nanoseconds, whose last three digits TIMESTAMP cannot store, and texts
    with an offset. `beyond`: the original value if it does not fit in the type (infinite dates,
    more than six digits), else NULL.

    Args:
        config: configuration of the source.
        column: column with `exact_text` in its encoding.
        prepared: SQL: result of `prepare` for the value.

    Raises:
        CompilationError: the column's Connect type is unknown.
    """
    encoding = encoding_of(config, column)
    if encoding["kind"] == "epoch":
        return _nanoseconds_text(encoding, prepared)
    if encoding.get("exact_text") != "beyond":
        return prepared
    if encoding["kind"] == "iso_timestamp":
        fits = f"length(substring_index({prepared}, '.', -1)) <= 7 or instr({prepared}, '.') = 0"
    else:
        fits = f"{decode(config, column, prepared)} is not null"
    return f"case when ({fits}) is not true then cast({prepared} as string) end"


def _nanoseconds_text(encoding: Encoding, number: str) -> str:
    """Return SQL: a timestamp with nine digits."""
    digits = f"pmod({number}, 1000)"
    if encoding.get("wraps"):
        unwrapped = f"cast(pmod({unwrapped_nanoseconds(number)}, 1000) as bigint)"
        digits = f"case when {number} % 100 = 0 then {digits} else {unwrapped} end"
    text = (
        f"concat(date_format({decode_epoch(encoding, number)},"
        " \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\"),"
        f" lpad(cast({digits} as string), 3, '0'))"
    )
    if encoding.get("infinite"):
        return (
            f"case {number} when 9223372036854775807L then 'infinity'"
            f" when -9223372036854775808L then '-infinity' else {text} end"
        )
    return text
