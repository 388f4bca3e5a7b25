"""Recognise flattened records in files, for `debezium-spark init`.

Only names that no other software uses count: `__op` and `__deleted`. Records with another prefix
are configured by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.config.records import PREFIX
from dbt_debezium_spark.flattened.fields import DELETED

MARKS = (DELETED, f"{PREFIX}op")
# Columns that sinks add to a row: Kafka's, in a struct, and what is left of an envelope.
_OF_SINKS = ("redpanda", "_cdc")
_PREFIXES_OF_SINKS = ("_kafka_metadata", "$$")


def is_flattened(value: Mapping[str, Any]) -> bool:
    """Return whether the payload of a record's value is a flattened row."""
    return any(isinstance(value.get(mark), str | bool) for mark in MARKS)


def flattened_source(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a flattened row tells of its source: `name` and `connector`, if added."""
    if not is_flattened(value):
        return {}
    members = {
        member: value.get(f"{PREFIX}source_{member}", value.get(f"{PREFIX}{member}"))
        for member in ("name", "connector")
    }
    return {member: text for member, text in members.items() if text is not None}


def row_columns(names: Sequence[str]) -> list[str]:
    """Return which columns of a table or file are a flattened row; none if it has no such rows.

    Args:
        names: of all columns.
    """
    if not any(name.lower() in MARKS for name in names):
        return []
    return [
        name
        for name in names
        if name.lower() not in _OF_SINKS and not name.lower().startswith(_PREFIXES_OF_SINKS)
    ]
