"""Connections on which landing runs SQL, and small rows that become a part of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dbt_debezium_spark.spark.local_frames import ddl
from dbt_debezium_spark.text.sql_text import text_literal


@dataclass(frozen=True)
class Statements:
    """A connection.

    Attributes:
        query: executes a SELECT, and returns its rows.
        execute: executes a statement without a result.
        refused: exceptions of both for a statement that Spark refuses.
        kept: returns a relation with the rows of a SELECT that is read several times. Without a
            place for them it is the SELECT itself.
    """

    query: Callable[[str], Sequence[Sequence[Any]]]
    execute: Callable[[str], object]
    refused: type[Exception] = Exception
    kept: Callable[[str], str] = "(\n{}\n)".format

    def objects(self, select: str) -> list[dict[str, Any]]:
        """Return the rows of a SELECT as objects; a column that is null is absent.

        They arrive as JSON text, which every connection returns unchanged.
        """
        rows = self.query(f"select to_json(struct(*)) from (\n{select}\n)")
        return [json.loads(row[0]) for row in rows]

    def number(self, select: str) -> int:
        """Return the number in the one row of a SELECT."""
        return int(self.query(select)[0][0] or 0)


def rows_as_sql(rows: Iterable[Sequence[Any]], columns: Mapping[str, str]) -> str:
    """Return the SELECT of rows that this process has.

    They are one literal with JSON: Spark parses thousands of rows with literals of their own for
    seconds.

    Args:
        rows: texts, numbers and lists of objects, in the order of the columns.
        columns: their types by name.
    """
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    text = json.dumps(objects, ensure_ascii=False)
    return f"select inline(from_json({text_literal(text)}, 'array<struct<{ddl(dict(columns))}>>'))"


def moment(time: datetime) -> str:
    """Return a time as SQL."""
    return f"cast('{time.isoformat()}' as timestamp)"
