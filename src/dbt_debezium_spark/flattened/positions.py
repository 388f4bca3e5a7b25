"""Fields without which no flattened record of a connector can be placed among the others.

They are what `macros/sequence/<connector>_position.sql` reads of a source block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dbt_debezium_spark.decode.connectors import CONNECTORS
from dbt_debezium_spark.flattened.fields import added_fields_line

_ALWAYS = ("version", "name", "db", "snapshot", "ts_ms")


def position_members(connector: str) -> list[str]:
    """Return the members of the source block of which some make a position."""
    return sorted({member for members in CONNECTORS[connector].placed_by for member in members})


def required_members(connector: str) -> list[list[str]]:
    """Return the alternatives: lists of members of the source block, each of which is enough."""
    return [list(members) for members in CONNECTORS[connector].placed_by]


def has_position(connector: str, members: Collection[str]) -> bool:
    """Return whether members of the source block are enough for a position."""
    return any(set(members) >= set(required) for required in CONNECTORS[connector].placed_by)


def recommended_fields(connector: str) -> tuple[str, ...]:
    """Return the fields that `add.fields` of a connector should list."""
    members = (*_ALWAYS, *CONNECTORS[connector].recommended)
    return ("op", *(f"source.{member}" for member in members), "ts_ms")


def recommended_line(config: Mapping[str, Any], alternative: Sequence[str] = ()) -> str:
    """Return the line of the transform's configuration that adds what is missing.

    Args:
        config: configuration of the source.
        alternative: fields in place of the recommended ones.
    """
    paths = tuple(alternative) or recommended_fields(config["connector"])
    return f"add.fields={added_fields_line(config.get('flattened') or {}, paths)}"
