"""Records of the schema-change topic that no connector writes."""

from __future__ import annotations

import json
from collections.abc import Iterable

from dbt_debezium_spark.catalog.schema_changes import table_changes
from dbt_debezium_spark.generator.messages import MessageFields, message


def invalid_definition_messages(source: str, rows: Iterable[str]) -> list[MessageFields]:
    """Return one message with the first of such records, if any.

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
        f"source '{source}': record {records[0]} of the schema-change topic{others} has a"
        " definition that no connector writes: a name or a type is missing, or a column occurs"
        " twice. It is ignored."
    )
    return [message("warning", source, None, text)]
