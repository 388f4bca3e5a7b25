"""The contents of a source's topics: their tables, keys and fields.

A topic is a row of the macro `_topics_seen`: the records of one table in one topic. A row is a row
of the catalog: a column of a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Topic = Mapping[str, Any]
Row = Mapping[str, Any]


def topics_of(topics: Sequence[Topic], row: Row) -> list[Topic]:
    """Return the topics with records of the table of a row."""
    return [topic for topic in topics if topic["topic"] in row["topics"] and carries(topic, row)]


def carries(topic: Topic, row: Row) -> bool:
    """Return whether the records of a topic belong to the table of a row.

    Parts of the name that the records lack do not count.
    """
    return topic.get("table_name") == row["table_name"] and all(
        topic.get(part) is None or row.get(part) is None or topic[part] == row[part]
        for part in ("schema_name", "database_name", "topic_prefix")
    )


def record_keys(topics: Sequence[Topic], row: Row) -> list[list[str]]:
    """Return the lists of key columns in the records of a table."""
    keys: list[list[str]] = []
    for topic in topics_of(topics, row):
        fields = topic.get("key_fields")
        if fields and _is_key_of(topic) and fields not in keys:
            keys.append(fields)
    return sorted(keys)


def has_keys(topics: Sequence[Topic], row: Row) -> bool:
    """Return whether records of the table have a key of any kind."""
    return any(one.get("has_key") for one in topics_of(topics, row))


def undescribed_tables(
    config: Mapping[str, Any], rows: Sequence[Row], topics: Sequence[Topic]
) -> list[dict[str, Any]]:
    """Return the tables with unknown types in topics of tables with known types.

    Their records belong to no model, and they have no other topic.

    Args:
        config: configuration of the source.
        rows: the current rows of the catalog.
        topics: contents of its topics.

    Returns:
        For each table `name`, `topic`, `event_id` (its first record) and `fields`.
    """
    signal = config.get("signal_data_collection")
    tables: dict[str, dict[str, Any]] = {}
    for topic in topics:
        if topic.get("kind") != "data" or not topic.get("table_name"):
            continue
        sharing = [row for row in rows if topic["topic"] in row["topics"]]
        short, long = names_of(topic)
        if not sharing or any(carries(topic, row) for row in sharing) or signal in (short, long):
            continue
        neighbours = {f"{row['schema_name']}.{row['table_name']}" for row in sharing}
        name = long if short in neighbours else short
        table = {
            "name": name,
            "topic": topic["topic"],
            "event_id": topic.get("event_id"),
            "fields": topic.get("value_fields") or [],
        }
        tables.setdefault(name, table)
    return list(tables.values())


def names_of(topic: Topic) -> tuple[str, str]:
    """Return the name of a topic's table, without and with the database."""
    schema = topic.get("schema_name") or topic.get("database_name") or ""
    short = f"{schema}.{topic.get('table_name', '')}"
    return short, f"{topic.get('database_name') or ''}.{short}"


def _is_key_of(topic: Topic) -> bool:
    """Return whether key fields identify a row: at least one is a column, and none occurs twice.

    Names that differ only in case are equal in Spark.
    """
    fields, columns = topic["key_fields"], topic.get("value_fields")
    is_plain = len({field.lower() for field in fields}) == len(fields)
    return is_plain and (not columns or any(field in columns for field in fields))
