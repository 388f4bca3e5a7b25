"""The statements of a run, and how their results arrive."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Statements:
    """A connection.

    Attributes:
        query: executes a SELECT, and returns its rows.
        execute: executes a statement without a result.
        refused: exceptions of both for a statement that Spark refuses.
    """

    query: Callable[[str], Sequence[Sequence[Any]]]
    execute: Callable[[str], object]
    refused: type[Exception] = Exception

    def objects(self, select: str) -> list[dict[str, Any]]:
        """Return the rows of a SELECT as objects; a column that is null is absent.

        They arrive as JSON text, which every connection returns unchanged.
        """
        rows = self.query(f"select to_json(struct(*)) from (\n{select}\n)")
        return [json.loads(row[0]) for row in rows]

    def number(self, select: str) -> int:
        """Return the number in the one row of a SELECT."""
        return int(self.query(select)[0][0] or 0)
