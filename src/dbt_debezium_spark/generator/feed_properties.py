"""Properties of the change feed of a table, `all_<source>__<table>` (docs/feed.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypedDict

from dbt_debezium_spark.generator.data_tests import DataTest
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.properties import (
    ModelProperties,
    added_column,
    table_columns,
)
from dbt_debezium_spark.literals import plain_words, yaml_argument, yaml_text

# Columns besides those of the table: before them and behind them.
_KEY = "_cdc_key"
_ADDED = (
    "_cdc_op",
    "_cdc_pos",
    "_cdc_source_at",
    "_cdc_is_deleted",
    "_cdc_deleted_at",
    "_cdc_batch_id",
    "_cdc_landed_at",
)


class Feed(TypedDict):
    """The feed's properties, or the message why the table has none."""

    properties: ModelProperties | None
    message: MessageFields | None


def feed(config: Mapping[str, Any], table: Mapping[str, Any]) -> Feed:
    """Return the change feed of a table whose configuration asks for one.

    Args:
        config: configuration of the source.
        table: the description of a table or collection.
    """
    source, name = config["name"], table["name"]
    if not table["key"]:
        own = ((config.get("tables") or {}).get(name) or {}).get("feed")
        text = (
            f"table '{name}' has no key, so it has no change feed: nothing tells which of its rows"
            " a change replaced. Name its key columns:"
            f" debezium_sources.{source}.tables.{name}.key: [<column>], or leave it out:"
            f" debezium_sources.{source}.tables.{name}.feed: false."
        )
        return {
            "properties": None,
            "message": message("warning" if own else "note", source, name, text),
        }
    kind = "document of collection" if table.get("is_collection") else "row of table"
    description = (
        f"Change feed: every {kind} `{plain_words(name)}` ever seen with its last values, deleted"
        " ones included, and the landing that changed it last."
    )
    key = replace(added_column(_KEY), tests=(DataTest("not_null"), DataTest("unique")))
    return {
        "properties": ModelProperties(
            name=f"all_{source}__{table['model']}",
            description=yaml_text(description),
            source=source,
            columns=[key, *table_columns(table), *map(added_column, _ADDED)],
            table=yaml_argument(name),
            model=table["model"],
        ),
        "message": None,
    }
