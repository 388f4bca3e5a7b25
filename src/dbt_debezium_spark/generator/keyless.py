"""Limits of the models of a table without a key, which their rows do not show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dbt_debezium_spark.generator.messages import MessageFields, message

# Types with values that SQL Server and Oracle may store outside of the row.
_LARGE = re.compile(r"\(max\)|lob|long|xml|^n?text|image|json")


def keyless_messages(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    described: Mapping[str, Mapping[str, Any]],
    is_multiset: bool,
) -> list[MessageFields]:
    """Warn of keys without a column of the table or without any, and of missing values of rows.

    Args:
        config: configuration of the source.
        table: `name` and `has_keys`, of a table without a key.
        described: the catalog's rows of its columns, by name.
        is_multiset: whether `before` contains the whole row, so that its rows are counted.
    """
    source, name = config["name"], table["name"]
    where = f"debezium_sources.{source}.tables.{name}.key"
    texts = []
    if table.get("has_keys"):
        effect = (
            "Its rows are counted as a multiset"
            if is_multiset
            else "It is append-only: updates and deletes remove no row"
        )
        texts.append(
            f"the records of table '{name}' have keys that name none of its columns, such as"
            f" single values and keys of a transform. {effect}. Name its key columns: {where}:"
            " [<column>]. If its rows lack them, and the keys have no schema, declare them under"
            " columns as well."
        )
    elif config.get("key_switch"):
        effect = (
            "Its rows are counted as a multiset"
            if is_multiset
            else "It is append-only: updates and deletes remove no row"
        )
        texts.append(
            f"the records of table '{name}' have no keys, because the sink wrote none. {effect}."
            f" Let the sink write them ({config['key_switch']}), or name its key columns: {where}:"
            " [<column>]."
        )
    large = [column for column, row in described.items() if may_be_outside(row)]
    if is_multiset and config["connector"] in ("sqlserver", "oracle") and large:
        which = (
            " that an update does not change, if they have a (max) type"
            if config["connector"] == "sqlserver"
            else ", if they are LOBs"
        )
        texts.append(
            f"table '{name}' has no key, and `before` lacks values of {', '.join(large)}{which}:"
            " updates and deletes of rows with such values do not find the row, which stays."
            f" Exclude these columns in Debezium, or name a key: {where}: [<column>]."
        )
    return [message("warning", source, name, text) for text in texts]


def may_be_outside(row: Mapping[str, Any]) -> bool:
    """Return whether the database may store values of a column outside of its row.

    The database type decides, or the encoding if the type is unknown.
    """
    database_type = (row.get("database_type") or "").lower()
    if not database_type:
        return row.get("connect_type") in ("string", "bytes") and not row.get("semantic_type")
    return _LARGE.search(database_type) is not None
