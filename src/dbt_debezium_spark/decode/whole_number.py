"""Numbers of a schema's parameters, which are texts that any record can hold."""

from __future__ import annotations

from typing import Any


def whole_number(value: Any) -> int:
    """Return a value as an integer, 0 when it is no number, as Jinja's filter `int` does."""
    try:
        return int(value)
    except (TypeError, ValueError):
        pass
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return 0
