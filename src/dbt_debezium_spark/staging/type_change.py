"""How a table's columns differ from those of its model, and take values of other types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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


@dataclass
class Differences:
    """How columns differ from those of a table; each is {name, data_type}.

    Attributes:
        new: the table does not have them.
        wider: the table can be altered; these and the next also have `table_type`.
        narrower: values go into the table's type.
        incompatible: the table must be rebuilt.
    """

    new: list[dict[str, Any]] = field(default_factory=list)
    wider: list[dict[str, Any]] = field(default_factory=list)
    narrower: list[dict[str, Any]] = field(default_factory=list)
    incompatible: list[dict[str, Any]] = field(default_factory=list)


def column_differences(
    table_types: Mapping[str, str], columns: Iterable[Mapping[str, Any]]
) -> Differences:
    """Return how columns differ from those of a table.

    Args:
        table_types: types of the table's columns by name in lower case.
        columns: columns of the model, {name, data_type}.
    """
    differences = Differences()
    lists = {
        "widens": differences.wider,
        "fits": differences.narrower,
        "differs": differences.incompatible,
    }
    for column in columns:
        table_type = table_types.get(column["name"].lower())
        if table_type is None:
            differences.new.append(dict(column))
        elif (change := type_change(table_type, column["data_type"])) in lists:
            lists[change].append({**column, "table_type": table_type})
    return differences
