"""Expected texts in tables of tests, which may lie in a file beside them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest


def is_said(expected: str, message: str) -> bool:
    """Return whether a message is the expected one, whose `…` stands for any words."""
    parts = re.split(" ?… ?", expected)
    return re.fullmatch(".*".join(map(re.escape, parts)), message, re.DOTALL) is not None


def rows_of(test: str, name: str) -> list[Any]:
    """Return the rows `written => expected` of a file beside a test; they go on indented."""
    lines = Path(test).with_name(name).read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if line and not line.startswith("#"))
    rows = [one.partition("=>") for one in re.split(r"\n(?=\S)", text)]
    return [
        pytest.param(" ".join(written.split()), " ".join(expected.split()), id=written.strip())
        for written, _, expected in rows
    ]
