"""What the source blocks of a table's records hold: see macros/envelope/origins.sql."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.names import table_problems


class Included(TypedDict):
    """One entry of the option `includes`: records that hold `members` are of what holds `own`."""

    table: str
    own: dict[str, str]
    members: dict[str, str]


class OriginRules(TypedDict):
    """How records of a source name their table.

    `members` are those of a source block, `columns` the catalog's columns of each (the first one
    tells it), `included` what tables take in from others.
    """

    members: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    included: Sequence[Included]


def has_schemas(rules: OriginRules) -> bool:
    """Tell whether tables of the source stand in schemas of a database."""
    return "schema" in rules["members"]


def origins_of(rules: OriginRules, table: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the origins of a table: its own, then those of the tables that it includes.

    Args:
        rules: those of the source.
        table: `topic_prefix` and `full_name` (database, schema, table).

    Returns:
        For each origin the members of the source block that are known.
    """
    database, schema, name = table["full_name"]
    parts = {
        "topic_prefix": table.get("topic_prefix"),
        "database_name": database,
        "schema_name": schema,
        "table_name": name,
    }
    own: dict[str, str] = {}
    for member in rules["members"]:
        text = parts[rules["columns"][member][0]]
        if text:
            own[member] = text
    return [own] + [
        {**own, **one["members"]}
        for one in rules["included"]
        if all(own.get(member) == text for member, text in one["own"].items())
    ]


def settle(source: str, rules: OriginRules, tables: Sequence[dict[str, Any]]) -> None:
    """Add to named tables their origins, and what keeps each from becoming models."""
    for table in tables:
        table["origins"] = origins_of(rules, table)
        table["problems"] = table_problems(source, table)
