"""Names under `tables` that now belong to several tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.messages import MessageFields, message


def configured_names(
    config: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]
) -> list[MessageFields]:
    """Warn of configured names that no table has any more.

    If two databases have a table of the same name, each name begins with its database, and options
    under the short name apply to neither table.

    Args:
        config: configuration of the source.
        tables: tables with the values of `name_tables`.
    """
    source = config["name"]
    names = {table["name"] for table in tables}
    messages = []
    for configured in config.get("tables") or {}:
        longer = [table["name"] for table in tables if configured in table["names"]]
        if longer and configured not in names:
            names_text = ", ".join(sorted(longer, key=str.lower))
            text = (
                f"debezium_sources.{source}.tables.{configured} applies to no table: there are now"
                f" {names_text}. Write it under each of these names to which it applies."
            )
            messages.append(message("warning", source, configured, text))
    return messages
