"""Records of other connectors in the input of a source."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.generator.messages import MessageFields, message


def other_source_messages(source: str, rows: Iterable[str]) -> list[MessageFields]:
    """Return notes with their connector, their number of topics, and the remedy.

    Args:
        source: name of the source.
        rows: one for each topic prefix, as JSON texts.
    """
    return [message("note", source, None, _text(source, json.loads(row))) for row in rows]


def _text(source: str, other: dict[str, Any]) -> str:
    connector = f"{other['connector']} " if other.get("connector") else ""
    prefix = other["topic_prefix"]
    return (
        f"source '{source}': its input also contains topics of the {connector}connector '{prefix}'"
        f" ({other['topics']}, one of them '{other['example']}'), which are ignored. Add a source"
        " for them. If they belong to this source, set"
        f" debezium_sources.{source}.topic_prefix: {prefix}."
    )
