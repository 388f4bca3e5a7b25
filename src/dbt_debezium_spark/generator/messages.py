"""Messages of `generate` about tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

Kind = Literal["problem", "warning", "note"]


class MessageFields(TypedDict):
    """One message. A refused table has a `problem`; `table` is None if no single one is meant."""

    kind: Kind
    source: str
    table: str | None
    message: str


def message(kind: Kind, source: str, table: str | None, text: str) -> MessageFields:
    """Return a message."""
    return {"kind": kind, "source": source, "table": table, "message": text}


def not_built(source: str) -> MessageFields:
    """Return the message for a source whose catalog models were never built."""
    return message(
        "note",
        source,
        None,
        f"source '{source}': the catalog is not built yet. Run `debezium-spark generate`.",
    )


def problems_of(source: str, table: Mapping[str, Any]) -> list[MessageFields]:
    """Return the reasons for refusing a table, as messages."""
    return [message("problem", source, table["name"], problem) for problem in table["problems"]]
