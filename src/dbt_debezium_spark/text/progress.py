"""What landing tells in dbt's log, and how it is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from dbt.adapters.events.logging import AdapterLogger

from dbt_debezium_spark.text.literals import printable

Item = TypeVar("Item")

_LOGGER = AdapterLogger("debezium_spark")


def report(text: str) -> None:
    """Write one line to dbt's console and log file, if dbt is running."""
    _LOGGER.info(f"debezium_spark: {printable(text)}")


def counted(number: int, noun: str) -> str:
    """Return `3 files`, `1 file`, `12,000 records`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def evenly(items: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many items, from the first to the last."""
    return list(items[:: -(-len(items) // most) or 1])
