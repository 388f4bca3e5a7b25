"""Embedded schemas of a source's events that no converter writes: see `record_schema`.

They are no evidence, because a damaged schema would change a table or prevent its models. Staging
quarantines the records themselves (macro `record_layouts`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.record_schema import schema_problem


class InvalidSchema(TypedDict):
    """A schema that no converter writes; `event_id` is its first record."""

    topic: str
    table_name: str | None
    event_id: str
    problem: str


def invalid_schemas(rows: Iterable[str]) -> list[InvalidSchema]:
    """Return the schemas that no converter writes.

    Args:
        rows: rows of macro `_unwritten_schemas`, as JSON texts.
    """
    schemas: list[InvalidSchema] = []
    for row in map(json.loads, rows):
        problem = _problem(row)
        if problem is not None:
            schemas.append(
                {
                    "topic": row["topic"],
                    "table_name": row.get("table_name"),
                    "event_id": row["event_id"],
                    "problem": problem,
                }
            )
    return schemas


def _problem(row: dict[str, Any]) -> str | None:
    for side in ("value", "key"):
        schema = row.get(f"{side}_schema")
        problem = schema_problem(side, schema) if schema else None
        if problem is not None:
            return problem
    return None


def invalid_schema_messages(
    source: str, schemas: Sequence[InvalidSchema], described_topics: Collection[str]
) -> list[MessageFields]:
    """Return one message per topic. A table without other evidence is refused.

    Args:
        source: name of the source.
        schemas: its schemas that no converter writes.
        described_topics: topics of tables that other records describe.
    """
    by_topic: dict[str, list[InvalidSchema]] = {}
    for schema in schemas:
        by_topic.setdefault(schema["topic"], []).append(schema)
    return [
        _message(source, of_topic, topic in described_topics)
        for topic, of_topic in by_topic.items()
    ]


def _message(source: str, schemas: Sequence[InvalidSchema], is_described: bool) -> MessageFields:
    first = schemas[0]
    table = first["table_name"] or first["topic"]
    others = f" (and {len(schemas) - 1} more of its schemas)" if len(schemas) > 1 else ""
    effect = (
        "Its models are generated from the other records; records with such a schema are"
        " quarantined."
        if is_described
        else "No other record describes the table, so it has no models."
    )
    return message(
        "warning" if is_described else "problem",
        source,
        table,
        f"table '{table}': record {first['event_id']} carries a schema that no converter"
        f" writes{others}: {first['problem']}. {effect}"
        f" To exclude a record: debezium_sources.{source}.ignore_records.",
    )
