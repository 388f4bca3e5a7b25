"""Names and types that typed columns of documents can have."""

from __future__ import annotations

import re

PLAIN_TYPES = (
    "string", "int", "bigint", "double", "boolean", "timestamp", "date", "binary", "json",
)  # fmt: skip
DECIMAL = re.compile(r"decimal\((\d{1,2}), ?(\d{1,2})\)")


def is_type(text: str) -> bool:
    """Return whether a field can have this type."""
    match = DECIMAL.fullmatch(text)
    if match is None:
        return text in PLAIN_TYPES
    precision, scale = int(match[1]), int(match[2])
    return 1 <= precision <= 38 and scale <= precision


def is_own_column(name: str) -> bool:
    """Return whether every collection has a column of this name, ignoring case."""
    return name.lower() in ("_id", "document") or name.lower().startswith("_cdc_")


def column_name(path: str) -> str:
    """Return the column name of a path, without dots, which mean members of a struct in Spark."""
    return path.replace(".", "_")
