"""Messages about an export of the database's catalog: bad rows, and tables that it lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.column_export import ColumnExport, ExportedTables, tables_of_export
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.topic_contents import Row, Topic, carries, names_of

# More of them would hide everything else.
_MOST_ROWS = 20
_PAGE = "docs/generate.md"


def export_messages(
    config: Mapping[str, Any],
    export: ColumnExport | None,
    rows: Sequence[Row],
    topics: Sequence[Topic],
) -> list[MessageFields]:
    """Return the messages about an export.

    Args:
        config: configuration of the source.
        export: the export; None without the option `columns_from`.
        rows: the current rows of the catalog.
        topics: contents of the source's topics.
    """
    if export is None:
        return []
    source = config["name"]
    exported = tables_of_export(config, export)
    messages = [
        message("problem", source, table, f"{text} The table's columns are not read from it.")
        for table, text in exported.problems[:_MOST_ROWS]
    ]
    if len(exported.problems) > _MOST_ROWS:
        more = len(exported.problems) - _MOST_ROWS
        text = f"{export.name} has {more} more rows that cannot be read."
        messages.append(message("problem", source, None, text))
    for name in _lacking(config, exported, rows, topics):
        text = (
            f"table '{name}' has records, but {export.name} does not list it. Run the query of"
            f" {_PAGE} as a user who may see the table, in its database."
        )
        messages.append(message("warning", source, name, text))
    return messages


def _lacking(
    config: Mapping[str, Any],
    exported: ExportedTables,
    rows: Sequence[Row],
    topics: Sequence[Topic],
) -> list[str]:
    """Return the tables with records that neither the export nor other evidence describes."""
    signal = config.get("signal_data_collection")
    names: dict[str, None] = {}
    for topic in topics:
        if topic.get("kind") != "data" or not topic.get("table_name"):
            continue
        name = TableName(
            topic.get("topic_prefix") or config["topic_prefix"],
            topic.get("database_name"),
            topic.get("schema_name") or topic.get("database_name"),
            topic["table_name"],
        )
        short, long = names_of(topic)
        if (
            exported.table(name) is None
            and not exported.has_problem(name)
            and not any(carries(topic, row) for row in rows)
            and signal not in (short, long)
        ):
            names[short] = None
    return list(names)
