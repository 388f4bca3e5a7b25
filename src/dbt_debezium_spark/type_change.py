"""How a table's column takes values of another type."""

from __future__ import annotations

import re

# Changes that both Iceberg and Delta make without rewriting files.
_WIDENS = {("int", "bigint"), ("float", "double")}
# New types whose values fit in the old, wider type.
_FITS = {
    (new, old)
    for order in (("tinyint", "smallint", "int", "bigint"), ("float", "double"))
    for position, new in enumerate(order)
    for old in order[position + 1 :]
}
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")


def type_change(old: str, new: str) -> str:
    """Return how a table's column of type `old` can take values of type `new`.

    Args:
        old: Spark type of the table's column.
        new: Spark type of the values.

    Returns:
        `same`; `fits`: the old type can store the values unchanged; `widens`: the column can be
        altered in place and keeps its values; `differs`: the table must be rebuilt.
    """
    if old == new:
        return "same"
    if (new, old) in _FITS:
        return "fits"
    if (old, new) in _WIDENS:
        return "widens"
    old_decimal, new_decimal = _DECIMAL.fullmatch(old), _DECIMAL.fullmatch(new)
    if old_decimal and new_decimal and old_decimal[2] == new_decimal[2]:
        return "widens" if int(new_decimal[1]) > int(old_decimal[1]) else "fits"
    return "differs"
