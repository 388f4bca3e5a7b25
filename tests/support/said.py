"""Expected messages in tables of tests: `…` stands for any words."""

from __future__ import annotations

import re


def is_said(expected: str, message: str) -> bool:
    """Return whether a message is the expected one, whose `…` stands for any words."""
    parts = re.split(" ?… ?", expected)
    return re.fullmatch(".*".join(map(re.escape, parts)), message, re.DOTALL) is not None
