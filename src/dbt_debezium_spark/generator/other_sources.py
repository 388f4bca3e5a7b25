"""Records of other connectors in the input of a source."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from dbt_debezium_spark.generator.messages import MessageFields, message


def other_source_messages(
    source: str, rows: Iterable[str], topics_of_tables: Collection[str] | None = None
) -> list[MessageFields]:
    """Return notes with their connector, their number of topics, and the remedy.

    Args:
        source: name of the source.
        rows: one for each topic prefix, and one for each topic whose records have no position, as
            JSON texts.
        topics_of_tables: topics with a table, None for all. Others have a message that says what to
            declare.
    """
    messages = []
    for row in map(json.loads, rows):
        topic = row.get("topic_without_position")
        if topic is not None:
            if topics_of_tables is None or topic in topics_of_tables:
                messages.append(message("warning", source, None, _without_position(source, row)))
        else:
            messages.append(message("note", source, None, _text(source, row)))
    return messages


def _without_position(source: str, found: dict[str, Any]) -> str:
    connector = found.get("connector") or "none"
    return (
        f"source '{source}': records of topic '{found['topic_without_position']}' (the first:"
        f" {found['example']}, of connector '{connector}') have no position in the log of the"
        " source's connector. Their changes count in the order of arrival, and only equal records"
        " are repeats. If the connector is misspelt, correct"
        f" debezium_sources.{source}.connector; else nothing is to be done (docs/semantics.md)."
    )


def _text(source: str, other: dict[str, Any]) -> str:
    connector = f"{other['connector']} " if other.get("connector") else ""
    prefix = other["topic_prefix"]
    return (
        f"source '{source}': its input also contains topics of the {connector}connector '{prefix}'"
        f" ({other['topics']}, one of them '{other['example']}'), which are ignored. Add a source"
        " for them. If they belong to this source, set"
        f" debezium_sources.{source}.topic_prefix: {prefix}."
    )
