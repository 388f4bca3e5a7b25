"""What configuration tells of a table's past, which its records cannot (spec §6.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.messages import Message, message


def configured_history(
    config: Mapping[str, Any], table: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Any]], list[Message]]:
    """Return what the options `renames` and `added_defaults` add to columns of a table.

    Args:
        config: configuration of the source.
        table: `name` and `rows`.

    Returns:
        By column `formerly` and `added_default`; and messages about what is of no effect.
    """
    source, name = config["name"], table["name"]
    settings = _settings(config, name)
    names = [row["column_name"] for row in table["rows"]]
    columns: dict[str, dict[str, Any]] = {}
    messages = []
    for option in ("renames", "added_defaults"):
        for column, said in (settings.get(option) or {}).items():
            where = f"debezium_sources.{source}.tables.{name}.{option}.{column}"
            if column not in names:
                text = (
                    f"{where} is of no effect: the table has no column of this name"
                    f" (it has {', '.join(names)})."
                )
                messages.append(message("note", source, name, text))
            elif option == "renames" and any(one in names for one in said):
                again = ", ".join(one for one in said if one in names)
                text = (
                    f"{where} is left out: {again} is a column of the table again, and which of"
                    " the two an earlier event means cannot be told."
                )
                messages.append(message("warning", source, name, text))
            else:
                member = "formerly" if option == "renames" else "added_default"
                columns.setdefault(column, {})[member] = said
    return columns, messages


def former_keys(
    config: Mapping[str, Any], table: Mapping[str, Any], key: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """Return the column lists that were the key of a table before, by the keys of its records.

    None where configuration names the key, which then holds for all of them.
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
    """Return the names that columns have or had."""
    return [
        name for column in columns for name in (column["name"], *(column.get("formerly") or ()))
    ]


def _settings(config: Mapping[str, Any], table: str) -> Mapping[str, Any]:
    return (config.get("tables") or {}).get(table) or {}
