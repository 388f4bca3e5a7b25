"""Members of source blocks that identify a table: see `staging.origins`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.names import table_problems
from dbt_debezium_spark.staging.origins import OriginRules


def has_schemas(rules: OriginRules) -> bool:
    """Return whether the databases of the source have schemas."""
    return "schema" in rules["members"]


def origins_of(rules: OriginRules, table: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the origins of a table: its own, then those of included tables.

    Args:
        rules: rules of the source.
        table: `topic_prefix` and `full_name` (database, schema, table).

    Returns:
        For each origin the known members of the source block.
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
        {**own, **entry["members"]}
        for entry in rules["included"]
        if all(own.get(member) == text for member, text in entry["own"].items())
    ]


def add_origins(source: str, rules: OriginRules, tables: Sequence[dict[str, Any]]) -> None:
    """Add origins and problems to tables that have names."""
    for table in tables:
        table["origins"] = origins_of(rules, table)
        table["problems"] = table_problems(source, table)
