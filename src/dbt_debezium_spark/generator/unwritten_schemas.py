"""Embedded schemas of a source's events that no converter writes: see `record_schema`.

They are no evidence: what damage made of a schema would decide how a table looks, or keep it from
becoming models. The records themselves are quarantined by staging (macro `record_layouts`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.generator.messages import Message, message
from dbt_debezium_spark.record_schema import schema_problem


class UnwrittenSchema(TypedDict):
    """A schema that no converter writes; `event_id` is the first record that carried it."""

    topic: str
    table_name: str | None
    event_id: str
    problem: str


def unwritten_schemas(rows: Iterable[str]) -> list[UnwrittenSchema]:
    """Return the schemas that no converter writes.

    Args:
        rows: of macro `_unwritten_schemas`, as JSON texts.
    """
    found: list[UnwrittenSchema] = []
    for row in map(json.loads, rows):
        problem = _problem(row)
        if problem is not None:
            found.append(
                {
                    "topic": row["topic"],
                    "table_name": row.get("table_name"),
                    "event_id": row["event_id"],
                    "problem": problem,
                }
            )
    return found


def _problem(row: dict[str, Any]) -> str | None:
    for side in ("value", "key"):
        schema = row.get(f"{side}_schema")
        problem = schema_problem(side, schema) if schema else None
        if problem is not None:
            return problem
    return None


def unwritten_messages(
    source: str, unwritten: Sequence[UnwrittenSchema], described_topics: Collection[str]
) -> list[Message]:
    """Return one message per topic. A table without other evidence is refused.

    Args:
        source: name of the source.
        unwritten: its schemas that no converter writes.
        described_topics: topics of tables that other records describe.
    """
    by_topic: dict[str, list[UnwrittenSchema]] = {}
    for schema in unwritten:
        by_topic.setdefault(schema["topic"], []).append(schema)
    return [
        _message(source, schemas, topic in described_topics) for topic, schemas in by_topic.items()
    ]


def _message(source: str, schemas: Sequence[UnwrittenSchema], is_described: bool) -> Message:
    first = schemas[0]
    table = first["table_name"] or first["topic"]
    others = f" (and {len(schemas) - 1} more of its schemas)" if len(schemas) > 1 else ""
    effect = (
        "Its models are made from the other records; those with such a schema are quarantined."
        if is_described
        else "No other record says what the table looks like, so it gets no models."
    )
    return message(
        "warning" if is_described else "problem",
        source,
        table,
        f"table '{table}': record {first['event_id']} carries a schema that no converter"
        f" writes{others}: {first['problem']}. {effect}"
        f" To leave a record out: debezium_sources.{source}.ignore_records.",
    )
