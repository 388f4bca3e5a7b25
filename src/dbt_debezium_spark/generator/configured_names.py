"""Names under `tables` that have become those of several tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.messages import Message, message


def configured_names(
    config: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]
) -> list[Message]:
    """Warn of what is configured under a name that no table has any more.

    Since a second database has a table of the name, each has its database in front, and what is
    configured under the short name holds for none of them.

    Args:
        config: configuration of the source.
        tables: as `name_tables` left them.
    """
    source = config["name"]
    names = {table["name"] for table in tables}
    messages = []
    for configured in config.get("tables") or {}:
        longer = [table["name"] for table in tables if configured in table["names"]]
        if longer and configured not in names:
            shown = ", ".join(sorted(longer, key=str.lower))
            text = (
                f"debezium_sources.{source}.tables.{configured} holds for no table: there are now"
                f" {shown}. Write it under each of these names that it is meant for."
            )
            messages.append(message("warning", source, configured, text))
    return messages
