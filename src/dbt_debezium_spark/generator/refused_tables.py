"""Tables that are refused now and have models: these stay as they are.

What one record says of its table does not take the table away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def refused_tables(
    models: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    found: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the refused tables that have models in the project.

    Args:
        models: those of the project: `meta` (of this package) and `paths`.
        results: what `generate` has to say so far; its problems refuse tables.
        found: the tables that are written.

    Returns:
        For each table `source`, `table`, `model` and the `paths` of its files.
    """
    refused = {(one["source"], one["table"]) for one in results if one["kind"] == "problem"}
    refused -= {(table["source"], table["name"]) for table in found}
    kept: dict[tuple[Any, Any], dict[str, Any]] = {}
    for model in models:
        meta = model["meta"]
        identity = (meta.get("source"), meta.get("table"))
        if identity in refused:
            table = kept.setdefault(
                identity,
                {
                    "source": identity[0],
                    "table": identity[1],
                    "model": meta.get("model"),
                    "paths": [],
                },
            )
            table["paths"].extend(path for path in model["paths"] if path)
    return list(kept.values())
