"""Refused tables with existing models, which stay as they are.

One record must not remove the models of its table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.literals import read_argument


def refused_tables(
    models: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    found: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the refused tables that have models in the project.

    Args:
        models: models of the project: `meta` (of this package) and `paths`.
        results: messages of `generate` so far; problems mean refused tables.
        found: tables whose models are written.

    Returns:
        For each table `source`, `table`, `model` and the `paths` of its files.
    """
    refused = {
        (result["source"], result["table"]) for result in results if result["kind"] == "problem"
    }
    refused -= {(table["source"], table["name"]) for table in found}
    tables: dict[tuple[Any, Any], dict[str, Any]] = {}
    for model in models:
        meta = model["meta"]
        # properties hold names as arguments of tests
        identity = (meta.get("source"), read_argument(str(meta.get("table", ""))))
        if identity in refused:
            table = tables.setdefault(
                identity,
                {
                    "source": identity[0],
                    "table": identity[1],
                    "model": meta.get("model"),
                    "paths": [],
                },
            )
            table["paths"].extend(path for path in model["paths"] if path)
    return list(tables.values())
