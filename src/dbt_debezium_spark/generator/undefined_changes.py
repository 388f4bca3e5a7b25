"""Records of the schema-change topic that describe a table as no connector does."""

from __future__ import annotations

import json
from collections.abc import Iterable

from dbt_debezium_spark.catalog.schema_changes import table_changes
from dbt_debezium_spark.generator.messages import Message, message


def undefined_messages(source: str, rows: Iterable[str]) -> list[Message]:
    """Return one message that names the first of such records; none where there is none.

    Args:
        source: name of the source.
        rows: records of its schema-change topic in order, as JSON texts with `event_id` and
            `table_changes`.
    """
    records = [
        row["event_id"]
        for row in map(json.loads, rows)
        if not all(change.is_valid for change in table_changes(row.get("table_changes")))
    ]
    if not records:
        return []
    others = f" (and {len(records) - 1} more)" if len(records) > 1 else ""
    text = (
        f"source '{source}': record {records[0]} of the schema-change topic{others} describes a"
        " table as no connector does: a name or a type is missing, or a column stands twice. It is"
        " left alone."
    )
    return [message("warning", source, None, text)]
