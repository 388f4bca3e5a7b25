"""What the topics of a source have carried, read in one query (macro `_recorded_schemas`).

A row is a pair of embedded schemas in one topic and of one table, a definition of the schema-change
topic, or what records without schemas show, each with its first record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from dbt_debezium_spark.catalog.json_texts import to_json
from dbt_debezium_spark.generator.tables import Topic

# `first` has the time in microseconds, the partition and the offset of the first record.
RecordedSchema = Mapping[str, Any]

_KINDS_OF_TABLES = ("data", "other", "flattened", "iceberg_cdc")
_OF_TOPIC = "topic kind value_fields key_fields topic_prefix database_name schema_name".split()
_OF_TOPIC += ["table_name", "flattened"]


def of_kind(seen: Iterable[RecordedSchema], *kinds: str) -> list[RecordedSchema]:
    """Return the rows of some kinds, in the order of topics, partitions and offsets."""
    return sorted((row for row in seen if row["kind"] in kinds), key=_place)


def topics_of_schemas(seen: Iterable[RecordedSchema]) -> list[Topic]:
    """Return the tables and fields that each topic has carried: rows that share these are one.

    Returns:
        For each `_OF_TOPIC`, `has_key`, `connector` if records name one, and `event_id`.
    """
    topics: dict[str, list[RecordedSchema]] = {}
    for row in of_kind(seen, *_KINDS_OF_TABLES):
        shared = {name: row[name] for name in _OF_TOPIC if row.get(name) is not None}
        topics.setdefault(to_json(shared), []).append(row)
    return [
        {
            **json.loads(text),
            "has_key": any(row.get("has_key") for row in rows),
            "connector": connector_of(rows),
            "event_id": first_event(rows),
        }
        for text, rows in sorted(topics.items())
    ]


def grouped(
    rows: Iterable[RecordedSchema], member: str
) -> list[tuple[str, Sequence[RecordedSchema]]]:
    """Return rows by a member, in its order."""
    ordered = sorted(rows, key=lambda row: str(row[member]))
    return [(name, list(group)) for name, group in groupby(ordered, lambda row: row[member])]


def connector_of(rows: Iterable[RecordedSchema]) -> str | None:
    """Return the connector that rows name, the last one by name; None without one."""
    return max((row["connector"] for row in rows if row.get("connector")), default=None)


def first_event(rows: Iterable[RecordedSchema]) -> str:
    """Return the id of the first record of rows, by time; one without a time comes first."""
    return event_id(min(rows, key=lambda row: (row["first"].get("at", float("-inf")), _place(row))))


def event_id(row: RecordedSchema) -> str:
    """Return the id of the first record of a row."""
    return f"{row['topic']}:{row['first']['partition']}:{row['first']['offset']}"


def _place(row: RecordedSchema) -> tuple[str, int, int]:
    return row["topic"], row["first"]["partition"], row["first"]["offset"]
