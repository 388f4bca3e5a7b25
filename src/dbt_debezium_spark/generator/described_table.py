"""The description of a table from which its models and properties are written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from dbt_debezium_spark.decode import Column, decoded_columns, known_database_type
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.configured_history import configured_history, former_keys
from dbt_debezium_spark.generator.histories import history_messages, history_options
from dbt_debezium_spark.generator.keyless import keyless_messages
from dbt_debezium_spark.generator.messages import MessageFields, message


def described_table(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    is_multiset: bool,
) -> dict[str, Any]:
    """Return the description of a table.

    Args:
        config: configuration of the source.
        table: one of `tables_of_rows`.
        is_multiset: whether `before` contains the whole row; rows without a key are then counted.

    Returns:
        `columns`, `key` and `former_keys` for macros; `decoded`, the columns of its models;
        `described`, the catalog's row of each column, with comments and database types; and
        `messages`.
    """
    source, name, first = config["name"], table["name"], table["rows"][0]
    history, messages = configured_history(config, table)
    if first.get("ended_by"):
        messages.append(_end_message(source, name, first["ended_by"]))
    columns: list[dict[str, Any]] = []
    described: dict[str, Mapping[str, Any]] = {}
    key: dict[int, dict[str, Any]] = {}
    for row in table["rows"]:
        if row.get("connect_type") is None:
            messages.append(_encoding_message(source, name, row))
            continue
        column = _column(config, row, history)
        if "gone_until" in column:
            messages.append(_gap_message(source, name, row))
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
    messages += history_messages(config, name, list(described), bool(key_columns))
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
        "history": history_options(config, name) if key_columns else None,
        "messages": messages,
    }


def _column(
    config: Mapping[str, Any], row: Mapping[str, Any], history: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a column with its history; the definition of its table decides nullability."""
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


def _end_message(source: str, table: str, ended_by: str) -> MessageFields:
    rows = ", and its rows end." if ended_by == "dropped" else " and show the rows it held."
    text = f"table '{table}' was {ended_by} at the source; its models are kept{rows}"
    return message("note", source, table, text)


def _encoding_message(source: str, table: str, row: Mapping[str, Any]) -> MessageFields:
    text = (
        f"column '{row['column_name']}' of table '{table}' has the type"
        f" '{row.get('database_type') or 'unknown'}', which the connector does not encode in a"
        " known way; it is left out (values that arrive are kept in _cdc_unmapped). Declare it:"
        f" debezium_sources.{source}.tables.{table}.columns."
    )
    return message("note", source, table, text)


def _gap_message(source: str, table: str, row: Mapping[str, Any]) -> MessageFields:
    text = (
        f"column '{row['column_name']}' of table '{table}' was dropped and added again: its"
        f" values in records up to position {row['gone_until']} are not shown."
    )
    return message("note", source, table, text)
