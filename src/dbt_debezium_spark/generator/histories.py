"""Histories of tables: which have one, what its models' properties are, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.data_tests import DataTest
from dbt_debezium_spark.generator.messages import MessageFields, message

# Columns of a history besides those of its table, in the order of the view, with their types.
COLUMNS = {
    "_cdc_key": "string",
    "_cdc_life": "int",
    "_cdc_version": "int",
    "_cdc_scd_id": "string",
    "_cdc_valid_from": "timestamp",
    "_cdc_valid_to": "timestamp",
    "_cdc_is_current": "boolean",
    "_cdc_source_at": "timestamp",
    "_cdc_from_pos": "string",
    "_cdc_to_pos": "string",
    "_cdc_from_event_id": "string",
    "_cdc_to_event_id": "string",
    "_cdc_tx_id": "string",
    "_cdc_to_tx_id": "string",
    "_cdc_began_by": "string",
    "_cdc_ended_by": "string",
    "_cdc_from_is_exact": "boolean",
    "_cdc_previous_key": "string",
    "_cdc_next_key": "string",
    "_cdc_unavailable": "array<string>",
    "_cdc_batch_id": "bigint",
}
_OF_DELETED_ROWS = {"_cdc_is_deleted": "boolean"}
_DBT_NAMES = {
    "_cdc_valid_from": "dbt_valid_from",
    "_cdc_valid_to": "dbt_valid_to",
    "_cdc_scd_id": "dbt_scd_id",
    "_cdc_source_at": "dbt_updated_at",
    "_cdc_is_deleted": "dbt_is_deleted",
}
_OURS = "debezium_spark."


def history_options(config: Mapping[str, Any], table: str) -> Mapping[str, Any] | None:
    """Return the options of a table's history, None for a table without one."""
    own = _own_options(config, table)
    options = config.get("history") if own is None else own
    return options if options is not None and options.get("enabled", True) else None


def history_messages(
    config: Mapping[str, Any], table: str, columns: Sequence[str], has_key: bool
) -> list[MessageFields]:
    """Refuse a history of a table without a key, and options that name no column.

    Args:
        config: configuration of the source.
        table: name of the table.
        columns: names of its columns.
        has_key: whether it has a key.
    """
    options = history_options(config, table)
    if options is None:
        return []
    source = config["name"]
    where = f"debezium_sources.{source}.tables.{table}"
    if not has_key:
        text = (
            f"table '{table}' has no key, so it has no history: nothing shows which of its rows"
            f" became which. Name its key columns ({where}.key), or set {where}.history: false."
        )
        own = _own_options(config, table)
        return [message("warning" if own is None else "problem", source, table, text)]
    messages = []
    for option in ("track", "ignore"):
        for name in options.get(option) or ():
            if name not in columns and _own_options(config, table) is not None:
                text = (
                    f"the history of table '{table}' names the column '{name}' ({option}), which"
                    f" the table has not. Correct {where}.history.{option}."
                )
                messages.append(message("warning", source, table, text))
    return messages


def column_types(options: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the columns that a history adds: (usual name, type) by the name that is shown."""
    types = dict(COLUMNS)
    if options.get("deleted_rows"):
        types |= _OF_DELETED_ROWS
    renamed = _DBT_NAMES if options.get("names") == "dbt" else {}
    shown = {renamed.get(name, name): (name, data_type) for name, data_type in types.items()}
    if "dbt_is_deleted" in shown:
        shown["dbt_is_deleted"] = ("_cdc_is_deleted", "string")
    return shown


def history_tests(source: str, table: Mapping[str, Any]) -> list[DataTest]:
    """Return the tests of the whole model: each finds what no history may contain."""
    names = [column["name"] for column in table["decoded"]]
    return [
        DataTest(f"{_OURS}one_current_version"),
        DataTest(f"{_OURS}versions_follow_each_other"),
        DataTest(
            f"{_OURS}current_versions_are_the_rows",
            {"current": f"cur_{source}__{table['model']}", "columns": names},
        ),
    ]


def _own_options(config: Mapping[str, Any], table: str) -> Mapping[str, Any] | None:
    own: Mapping[str, Any] | None = ((config.get("tables") or {}).get(table) or {}).get("history")
    return own
