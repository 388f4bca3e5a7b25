"""SQL that decodes bit strings."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, parameters_of
from dbt_debezium_spark.decode.whole_number import whole_number

# The length that Debezium sends for a type without one.
_NO_LENGTH = 2147483647


def decode_bits(column: Column, content: str) -> str:
    """Return SQL: a bit string as text of 0 and 1.

    The bytes are little-endian (spec §11.2): the last byte contains the leading bits. The text is
    padded or cut to a declared length. Without one (varbit), leading zeros are unknown and omitted.

    Args:
        column: column of type `io.debezium.data.Bits`.
        content: SQL: the bytes, as BINARY.
    """
    bits = (
        f"array_join(transform(sequence(length({content}), 1, -1),"
        f" i -> lpad(conv(hex(substr({content}, i, 1)), 16, 2), 8, '0')), '')"
    )
    length = whole_number(parameters_of(column).get("length", _NO_LENGTH))
    if length >= _NO_LENGTH:
        empty, value = "''", f"ltrim('0', {bits})"
    else:
        empty, value = f"repeat('0', {length})", f"lpad(right({bits}, {length}), {length}, '0')"
    return (
        f"case when length({content}) = 0 then {empty} when length({content}) > 0 then {value} end"
    )
