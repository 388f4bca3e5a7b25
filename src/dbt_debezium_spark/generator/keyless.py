"""What the models of a table without a key cannot do: neither shows in their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dbt_debezium_spark.generator.messages import Message, message

# Types whose values SQL Server and Oracle may store outside of the row.
_LARGE = re.compile(r"\(max\)|lob|long|xml|^n?text|image|json")


def keyless_messages(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    described: Mapping[str, Mapping[str, Any]],
    is_multiset: bool,
) -> list[Message]:
    """Warn of keys that name no column, and of values without which rows are not found.

    Args:
        config: configuration of the source.
        table: `name` and `has_keys`, of a table without a key.
        described: the catalog's rows of its columns, by name.
        is_multiset: whether `before` holds the whole row, so that its rows are counted.
    """
    source, name = config["name"], table["name"]
    where = f"debezium_sources.{source}.tables.{name}.key"
    texts = []
    if table.get("has_keys"):
        effect = (
            "Its rows are counted as a multiset"
            if is_multiset
            else "It is append-only: updates and deletes take no row away"
        )
        texts.append(
            f"the records of table '{name}' have keys that name none of its columns, as bare"
            f" values do and what a transform makes. {effect}. Name its key columns: {where}:"
            " [<column>]."
        )
    large = [column for column, row in described.items() if may_lie_outside(row)]
    if is_multiset and config["connector"] in ("sqlserver", "oracle") and large:
        which = (
            " that an update leaves alone, where they are of a (max) type"
            if config["connector"] == "sqlserver"
            else ", where they are LOBs"
        )
        texts.append(
            f"table '{name}' has no key, and `before` lacks values of {', '.join(large)}{which}:"
            " rows that have some are not found when they are updated or deleted, and stay."
            f" Exclude these columns in Debezium, or name a key: {where}: [<column>]."
        )
    return [message("warning", source, name, text) for text in texts]


def may_lie_outside(row: Mapping[str, Any]) -> bool:
    """Tell whether the database may store values of a column outside of its row.

    By its type, or, where that is not known, by how it is sent.
    """
    database_type = (row.get("database_type") or "").lower()
    if not database_type:
        return row.get("connect_type") in ("string", "bytes") and not row.get("semantic_type")
    return _LARGE.search(database_type) is not None
