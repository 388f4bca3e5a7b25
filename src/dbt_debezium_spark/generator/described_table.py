"""A table of the catalog as models and properties are written from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from dbt_debezium_spark.decode import Column, decoded_columns, known_database_type
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.configured_history import configured_history, former_keys
from dbt_debezium_spark.generator.keyless import keyless_messages
from dbt_debezium_spark.generator.messages import Message, message


def described_table(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    is_multiset: bool,
) -> dict[str, Any]:
    """Return what a table looks like.

    Args:
        config: configuration of the source.
        table: one of `tables_of_rows`.
        is_multiset: whether `before` holds the whole row, so that rows without a key are counted.

    Returns:
        `columns`, `key` and `former_keys` are what macros take; `decoded` are the columns of its
        models; `described` holds the catalog's row of each column, with comments and database
        types; `messages` is what to tell.
    """
    source, name, first = config["name"], table["name"], table["rows"][0]
    history, messages = configured_history(config, table)
    if first.get("ended_by"):
        messages.append(_of_the_end(source, name, first["ended_by"]))
    columns: list[dict[str, Any]] = []
    described: dict[str, Mapping[str, Any]] = {}
    key: dict[int, dict[str, Any]] = {}
    for row in table["rows"]:
        if row.get("connect_type") is None:
            messages.append(_of_no_encoding(source, name, row))
            continue
        column = _column(config, row, history)
        if "gone_until" in column:
            messages.append(_of_a_gap(source, name, row))
        if row.get("ordinal_position") is not None:
            columns.append(column)
            described[column["name"]] = row
        if row["is_key"]:
            key[row["key_position"]] = {
                member: value
                for member, value in column.items()
                if member not in ("optional", "added_default")
            }
    key_columns = [key[position] for position in sorted(key)]
    if not key_columns:
        messages += keyless_messages(config, table, described, is_multiset)
    return {
        "source": source,
        "name": name,
        "model": table["model"],
        "topics": first["topics"],
        "is_shared_topic": False,
        "origins": table["origins"],
        "evidence": first["evidence"],
        "ended_by": first.get("ended_by"),
        "since_position": first.get("since_position"),
        "last_position": first.get("last_position"),
        "comment": first.get("table_comment"),
        "key": key_columns,
        "former_keys": former_keys(config, table, key_columns),
        "columns": columns,
        "decoded": decoded_columns(config, cast(list[Column], columns)),
        "described": described,
        "messages": messages,
    }


def _column(
    config: Mapping[str, Any], row: Mapping[str, Any], history: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a column with its past; the definition of its table says better what may be null."""
    node = cast(Column, column_of(json.loads(row["schema_json"])))
    known = known_database_type(config, node, row.get("database_type"))
    column: dict[str, Any] = {
        member: value for member, value in known.items() if member != "optional"
    }
    column.update(history.get(column["name"], {}))
    if not row["is_optional"]:
        column["optional"] = False
    if row.get("gone_until") and not row["is_key"]:
        column["gone_until"] = row["gone_until"]
    return column


def _of_the_end(source: str, table: str, ended_by: str) -> Message:
    rows = ", and its rows end." if ended_by == "dropped" else " and show the rows it held."
    text = f"table '{table}' was {ended_by} at the source; its models are kept{rows}"
    return message("note", source, table, text)


def _of_no_encoding(source: str, table: str, row: Mapping[str, Any]) -> Message:
    text = (
        f"column '{row['column_name']}' of table '{table}' has the type"
        f" '{row.get('database_type') or 'unknown'}', which the connector does not encode in a"
        " known way; it is left out (values that arrive are kept in _cdc_unmapped). Declare it:"
        f" debezium_sources.{source}.tables.{table}.columns."
    )
    return message("note", source, table, text)


def _of_a_gap(source: str, table: str, row: Mapping[str, Any]) -> Message:
    text = (
        f"column '{row['column_name']}' of table '{table}' was gone and is there again: what"
        f" records up to position {row['gone_until']} say of it is not shown."
    )
    return message("note", source, table, text)
