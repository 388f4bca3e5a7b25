"""Columns that were dropped and added again under their names (docs/schema-changes.md).

Changes without such a column lie in the source's log between changes with it. A connector that
leaves a column out for a while (`column.exclude.list`) looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dbt_debezium_spark.catalog.layouts import Layout
from dbt_debezium_spark.catalog.schema_node import names_of


class _Streamed(NamedTuple):
    """A column list that changes had, and the positions between which they had it."""

    names: frozenset[str | None]
    lowest: str
    highest: str


def readded_columns(config: Mapping[str, Any], layouts: Iterable[Layout]) -> dict[str, str]:
    """Return the columns that were gone, with the position of the last change without each.

    None are known where positions of a source start anew: then lists cannot be ordered. A full
    snapshot does not count: it shows columns that the stream leaves out.
    """
    if config.get("epochs") or config.get("incarnations"):
        return {}
    streamed = [
        _Streamed(
            frozenset(names_of(one.nodes)),
            one.lowest_streamed or one.highest_streamed,
            one.highest_streamed,
        )
        for one in layouts
        if one.nodes is not None and one.highest_streamed is not None and one.log_position.life == 0
    ]
    names = {name for one in streamed for name in one.names if name is not None}
    gone = {name: _gone_until(name, streamed) for name in names}
    return {name: until for name, until in gone.items() if until is not None}


def _gone_until(name: str, streamed: Iterable[_Streamed]) -> str | None:
    having = [one for one in streamed if name in one.names]
    until = max((one.highest for one in streamed if name not in one.names), default=None)
    if until is None:
        return None
    was_there = any(one.lowest < until for one in having)
    is_there_again = any(one.highest > until for one in having)
    return until if was_there and is_there_again else None
