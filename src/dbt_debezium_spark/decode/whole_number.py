"""Numbers in parameters of schemas, which can be any text."""

from __future__ import annotations

from typing import Any


def whole_number(value: Any) -> int:
    """Return a value as an integer, 0 if it is no number, like Jinja's filter `int`."""
    try:
        return int(value)
    except (TypeError, ValueError):
        pass
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return 0
