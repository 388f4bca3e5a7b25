"""Columns that were dropped and added again with the same name (docs/schema-changes.md).

In the source's log, changes without such a column are between changes with it. The result is the
same if a connector excluded the column for a while (`column.exclude.list`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dbt_debezium_spark.catalog.layouts import Layout
from dbt_debezium_spark.catalog.schema_node import names_of


class _StreamedLayout(NamedTuple):
    """A column list of changes, and the lowest and highest position of these changes."""

    names: frozenset[str | None]
    lowest: str
    highest: str


def readded_columns(config: Mapping[str, Any], layouts: Iterable[Layout]) -> dict[str, str]:
    """Return the columns that were added again, with the position of the last change without each.

    The result is empty if the positions of a source restart, because column lists then have no
    order. Full snapshots do not count, because they contain columns that the stream omits.
    """
    if config.get("epochs") or config.get("incarnations"):
        return {}
    streamed = [
        _StreamedLayout(
            frozenset(names_of(layout.nodes)),
            layout.lowest_streamed or layout.highest_streamed,
            layout.highest_streamed,
        )
        for layout in layouts
        if layout.nodes is not None
        and layout.highest_streamed is not None
        and layout.log_position.life == 0
    ]
    names = {name for layout in streamed for name in layout.names if name is not None}
    absences = {name: _absent_until(name, streamed) for name in names}
    return {name: until for name, until in absences.items() if until is not None}


def _absent_until(name: str, streamed: Iterable[_StreamedLayout]) -> str | None:
    with_column = [layout for layout in streamed if name in layout.names]
    until = max((layout.highest for layout in streamed if name not in layout.names), default=None)
    if until is None:
        return None
    existed_before = any(one.lowest < until for one in with_column)
    exists_after = any(layout.highest > until for layout in with_column)
    return until if existed_before and exists_after else None
