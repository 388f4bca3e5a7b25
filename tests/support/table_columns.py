"""Which columns of a model are those of the source's table."""

from __future__ import annotations


def is_of_table(name: str) -> bool:
    """Tell whether a column is the table's, or keeps the exact text of one."""
    return not name.startswith("_cdc_") or name.startswith("_cdc_text_")
