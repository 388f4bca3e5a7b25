"""Why flattened records cannot become models: problems and warnings of `generate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.flattened.positions import has_position, recommended_line
from dbt_debezium_spark.text.names import display_name

PAGE = "docs/flattened.md"


def position_problem(config: Mapping[str, Any], table: str, topics: Sequence[Any]) -> str | None:
    """Return why a table is refused: no record of it has a position; None if one has.

    Args:
        config: configuration of the source.
        table: name of the table.
        topics: contents of its topics; `flattened` has the added fields of the position.
    """
    without = _without_position(config, topics)
    if not without or len(without) < len(topics):
        return None
    return (
        f"the records of table '{display_name(table)}' in topic '{without[0]['topic']}' are"
        f" flattened, and nothing in them shows their place in the source's log:"
        f" {_added(without[0])}. Configure the transform ExtractNewRecordState with"
        f" {recommended_line(config)}"
    )


def position_warnings(config: Mapping[str, Any], table: str, topics: Sequence[Any]) -> list[str]:
    """Return a warning for each topic in which only some records have a position."""
    without = _without_position(config, topics)
    if len(without) == len(topics):
        return []
    return [
        f"some records of table '{display_name(table)}' in topic '{topic['topic']}' are flattened"
        f" without a position ({_added(topic)}; the first: {topic['event_id']}); they are"
        " quarantined."
        for topic in without
    ]


def unconfigured(source: str, topic: str) -> str:
    """Return the warning for flattened records of a source that reads envelopes."""
    return (
        f"topic '{topic}' contains flattened records (Debezium's ExtractNewRecordState), which are"
        f" read only if the source says so: add `flattened: true` to debezium_sources.{source}"
        f" ({PAGE})."
    )


def without_table(config: Mapping[str, Any], topic: str, event_id: str) -> str:
    """Return the warning for records of which nothing tells the table."""
    return (
        f"the records of topic '{topic}' (the first: {event_id}) are flattened, and neither a field"
        f" nor the topic's name tells their table. Configure the transform ExtractNewRecordState"
        f" with {recommended_line(config)}"
    )


def of_iceberg_transform(config: Mapping[str, Any], topic: str) -> str:
    """Return the warning for records that Iceberg's DebeziumTransform made."""
    return (
        f"topic '{topic}' contains records with a `_cdc` member, as Iceberg's DebeziumTransform"
        " writes them: without a position in the source's log, without a partition, with only the"
        " operations I, U and D. They cannot be read. Configure ExtractNewRecordState in its place,"
        f" with delete.tombstone.handling.mode=rewrite and {recommended_line(config)} ({PAGE})."
    )


def _without_position(config: Mapping[str, Any], topics: Sequence[Any]) -> list[Any]:
    return [
        topic
        for topic in topics
        if topic.get("flattened") is not None
        and not has_position(config["connector"], topic["flattened"].removeprefix("+").split(","))
    ]


def _added(topic: Mapping[str, Any]) -> str:
    names = topic["flattened"].removeprefix("+")
    return f"added are only {names}" if names else "none of its fields is added"
