"""What `generate` tells about tables, beside the files."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Kind = Literal["problem", "warning", "note"]


class Told(TypedDict):
    """One message: a refused table is a `problem`; `table` is none where no single one is meant."""

    kind: Kind
    source: str
    table: str | None
    message: str


def told(kind: Kind, source: str, table: str | None, message: str) -> Told:
    """Return a message."""
    return {"kind": kind, "source": source, "table": table, "message": message}


def not_built(source: str) -> Told:
    """Return what there is to say where the models of the catalog were never built."""
    return told(
        "note",
        source,
        None,
        f"source '{source}': the catalog is not built yet. Run `debezium-spark generate`.",
    )


def problems_of(source: str, table: dict[str, Any]) -> list[Told]:
    """Return why a table is refused, as messages."""
    return [told("problem", source, table["name"], problem) for problem in table["problems"]]
