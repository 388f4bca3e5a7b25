"""What reads a source as of its cut: `asof_<source>__<table>` (docs/transactions.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbt_debezium_spark.generator.data_tests import DataTest
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.properties import (
    ColumnProperties,
    ModelProperties,
    added_column,
    documented_column,
    table_columns,
)
from dbt_debezium_spark.literals import plain_words, yaml_argument, yaml_text

# Columns behind those of the table, with the types and descriptions of its history.
_OF_VERSION = {
    "_cdc_source_at": "timestamp",
    "_cdc_from_pos": "string",
    "_cdc_from_event_id": "string",
    "_cdc_tx_id": "string",
    "_cdc_unavailable": "array<string>",
}
_WITHOUT_CUT = {
    "mongodb": "operations outside of transactions have no boundaries",
    "oracle": "records of LogMiner do not show the order of commits",
}


@dataclass(frozen=True)
class RowsAtCut:
    """The view of one table: the end of its models' names, and the properties."""

    table: str
    model: str
    key: Sequence[str]
    properties: ModelProperties


def rows_at_cut(
    config: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]
) -> tuple[list[RowsAtCut], list[MessageFields]]:
    """Return the views of the tables that have a history, and why there are none.

    Args:
        config: configuration of a source that provides transaction metadata.
        tables: its tables.
    """
    with_history = [table for table in tables if table.get("history") is not None]
    if not with_history:
        return [], []
    reason = _WITHOUT_CUT.get(config["connector"])
    if reason is None:
        return [_of_table(config, table) for table in with_history], []
    source = config["name"]
    text = (
        f"source '{source}' gets no views asof_{source}__<table>, which read all tables as of one"
        f" commit: {reason}. docs/transactions.md tells what there is."
    )
    return [], [message("note", source, None, text)]


def _of_table(config: Mapping[str, Any], table: Mapping[str, Any]) -> RowsAtCut:
    source, name = config["name"], table["name"]
    key = [column["name"] for column in table["key"]]
    row_key = replace(added_column("_cdc_key"), tests=(DataTest("not_null"), DataTest("unique")))
    description = (
        f"Rows of table `{plain_words(name)}` as of the newest cut of its source: all of the"
        " source's `asof_` views are as of the same commit."
    )
    return RowsAtCut(
        table=name,
        model=table["model"],
        key=key,
        properties=ModelProperties(
            name=f"asof_{source}__{table['model']}",
            description=yaml_text(description),
            source=source,
            columns=[
                *_columns(table, key),
                row_key,
                *(documented_column(name, of) for name, of in _OF_VERSION.items()),
            ],
            table=yaml_argument(name),
            model=table["model"],
        ),
    )


def _columns(table: Mapping[str, Any], key: Sequence[str]) -> list[ColumnProperties]:
    """Return the columns whose values a history knows at each position."""
    options = table["history"]
    named = options.get("track") or options.get("ignore")
    if not named:
        return table_columns(table)
    is_tracked = bool(options.get("track"))
    shown = [
        column
        for column in table["decoded"]
        if column["name"] in key or bool({column["name"], column["of"]} & {*named}) == is_tracked
    ]
    return table_columns({**table, "decoded": shown})
