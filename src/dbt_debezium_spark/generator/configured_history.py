"""The configured history of a table, which its records do not contain (spec §6.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.messages import MessageFields, message


def configured_history(
    config: Mapping[str, Any], table: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Any]], list[MessageFields]]:
    """Return the members that the options `renames` and `added_defaults` add to columns.

    Args:
        config: configuration of the source.
        table: `name` and `rows`.

    Returns:
        By column `formerly` and `added_default`; and messages about entries without effect.
    """
    source, name = config["name"], table["name"]
    settings = _settings(config, name)
    names = [row["column_name"] for row in table["rows"]]
    columns: dict[str, dict[str, Any]] = {}
    messages = []
    for option in ("renames", "added_defaults"):
        for column, value in (settings.get(option) or {}).items():
            where = f"debezium_sources.{source}.tables.{name}.{option}.{column}"
            if column not in names:
                text = (
                    f"{where} has no effect: the table has no column of this name"
                    f" (it has {', '.join(names)})."
                )
                messages.append(message("note", source, name, text))
            elif option == "renames" and any(one in names for one in value):
                again = ", ".join(former for former in value if former in names)
                text = (
                    f"{where} is ignored: {again} is a column of the table again, so an earlier"
                    " event could mean either column."
                )
                messages.append(message("warning", source, name, text))
            else:
                member = "formerly" if option == "renames" else "added_default"
                columns.setdefault(column, {})[member] = value
    return columns, messages


def former_keys(
    config: Mapping[str, Any], table: Mapping[str, Any], key: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """Return the former keys of a table, from the keys of its records.

    There are none if the key is configured, because it then applies to all records.
    """
    if not key or _settings(config, table["name"]).get("key"):
        return []
    in_force = set(names_ever(key))
    return [
        names
        for names in table["record_keys"]
        if not in_force.issuperset(names) or len(names) != len(key)
    ]


def names_ever(columns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the current and former names of columns."""
    return [
        name for column in columns for name in (column["name"], *(column.get("formerly") or ()))
    ]


def _settings(config: Mapping[str, Any], table: str) -> Mapping[str, Any]:
    return (config.get("tables") or {}).get(table) or {}
