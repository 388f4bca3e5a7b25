"""Records of other connectors in the input of a source."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.generator.messages import Message, message


def other_source_messages(source: str, rows: Iterable[str]) -> list[Message]:
    """Return notes about them: whose they are, in how many topics, and what to do about them.

    Args:
        source: name of the source.
        rows: one for each topic prefix, as JSON texts.
    """
    return [message("note", source, None, _text(source, json.loads(row))) for row in rows]


def _text(source: str, other: dict[str, Any]) -> str:
    connector = f"{other['connector']} " if other.get("connector") else ""
    prefix = other["topic_prefix"]
    return (
        f"source '{source}': its input also holds topics of the {connector}connector '{prefix}'"
        f" ({other['topics']}, one of them '{other['example']}'), which are left alone. They need a"
        " source of their own; or, if they are this source's, set"
        f" debezium_sources.{source}.topic_prefix: {prefix}."
    )
