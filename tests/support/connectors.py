"""Connectors that a test runs for: one of them in `make test`, all of them in `make test-all`."""

from __future__ import annotations

from typing import Any

import pytest


def one_of(*connectors: str, quick: str) -> list[Any]:
    """Return parameters of a test whose rule is the same for all connectors.

    Args:
        connectors: all of them.
        quick: the one that `make test` takes.
    """
    assert quick in connectors
    return [
        connector if connector == quick else pytest.param(connector, marks=pytest.mark.full)
        for connector in connectors
    ]
