"""Messages about records that are no evidence, or that an export does not describe."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypedDict

from dbt_debezium_spark.catalog.column_export import ColumnExport, tables_of_export
from dbt_debezium_spark.catalog.defined_encoding import has_schema_change_topic
from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.schema_changes import table_changes
from dbt_debezium_spark.decode.record_schema import schema_problem
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.recorded_schemas import (
    RecordedSchema,
    connector_of,
    event_id,
    first_event,
    grouped,
    of_kind,
)
from dbt_debezium_spark.generator.recorded_tables import carries, names_of
from dbt_debezium_spark.generator.tables import Config, Row, Topic

# More rows of an export that cannot be read would hide everything else.
_MOST_ROWS = 20

# -- schemas and definitions that no converter or connector writes ---------------------------------


class InvalidSchema(TypedDict):
    """A schema that no converter writes; `event_id` is its first record."""

    topic: str
    table_name: str | None
    event_id: str
    problem: str


def invalid_schemas(seen: Iterable[RecordedSchema]) -> list[InvalidSchema]:
    """Return the embedded schemas that no converter writes: see `record_schema`.

    They are no evidence, because a damaged schema would change a table or prevent its models.
    Staging quarantines the records themselves (macro `record_layouts`).

    Args:
        seen: what topics have carried.
    """
    schemas: list[InvalidSchema] = []
    for row in of_kind(seen, "data"):
        texts = ((side, row.get(f"{side}_schema")) for side in ("value", "key"))
        problems = (schema_problem(side, text) for side, text in texts if text)
        if (problem := next(filter(None, problems), None)) is not None:
            names = (row.get("schema_name") or row.get("database_name"), row.get("table_name"))
            schemas.append(
                InvalidSchema(
                    topic=row["topic"],
                    table_name=None if None in names else "{}.{}".format(*names),
                    event_id=event_id(row),
                    problem=problem,
                )
            )
    return schemas


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
    messages = []
    for topic, of_topic in by_topic.items():
        first, is_described = of_topic[0], topic in described_topics
        table = first["table_name"] or topic
        others = f" (and {len(of_topic) - 1} more of its schemas)" if len(of_topic) > 1 else ""
        effect = (
            "Its models are generated from the other records; records with such a schema are"
            " quarantined."
            if is_described
            else "No other record describes the table, so it has no models."
        )
        text = (
            f"table '{table}': record {first['event_id']} carries a schema that no converter"
            f" writes{others}: {first['problem']}. {effect}"
            f" To exclude a record: debezium_sources.{source}.ignore_records."
        )
        messages.append(message("warning" if is_described else "problem", source, table, text))
    return messages


def invalid_definition_messages(
    config: Config, seen: Iterable[RecordedSchema]
) -> list[MessageFields]:
    """Return a message with the first record whose definition no connector writes, if any.

    Args:
        config: configuration of the source.
        seen: what topics have carried.
    """
    records = [
        event_id(row)
        for row in of_kind(seen, "schema_change")
        if not all(change.is_valid for change in table_changes(row.get("table_changes")))
    ]
    if not records or not has_schema_change_topic(config):
        return []
    source = config["name"]
    others = f" (and {len(records) - 1} more)" if len(records) > 1 else ""
    text = (
        f"source '{source}': record {records[0]} of the schema-change topic{others} has a"
        " definition that no connector writes: a name or a type is missing, or a column occurs"
        " twice. It is ignored."
    )
    return [message("warning", source, None, text)]


# -- records of other connectors -------------------------------------------------------------------


def other_source_messages(
    source: str,
    seen: Sequence[RecordedSchema],
    topics_of_tables: Collection[str] | None = None,
) -> list[MessageFields]:
    """Return notes with their connector, their number of topics, and the remedy.

    Then a warning for each topic whose records have no position.

    Args:
        source: name of the source.
        seen: what topics have carried.
        topics_of_tables: topics with a table, None for all. Others have a message that says what to
            declare.
    """
    messages = []
    for prefix, rows in grouped(of_kind(seen, "other_source"), "topic_prefix"):
        connector = connector_of(rows)
        topics = {row["topic"] for row in rows}
        text = (
            f"source '{source}': its input also contains topics of the"
            f" {f'{connector} ' if connector else ''}connector '{prefix}' ({len(topics)}, one of"
            f" them '{min(topics)}'), which are ignored. Add a source for them. If they belong to"
            f" this source, set debezium_sources.{source}.topic_prefix: {prefix}."
        )
        messages.append(message("note", source, None, text))
    unplaced = [row for row in of_kind(seen, "data") if row.get("is_without_position")]
    for topic, rows in grouped(unplaced, "topic"):
        if topics_of_tables is None or topic in topics_of_tables:
            text = (
                f"source '{source}': records of topic '{topic}' (the first: {first_event(rows)}, of"
                f" connector '{connector_of(rows) or 'none'}') have no position in the log of the"
                " source's connector. Their changes count in the order of arrival, and only equal"
                " records are repeats. If the connector is misspelt, correct"
                f" debezium_sources.{source}.connector; else nothing is to be done"
                " (docs/semantics.md)."
            )
            messages.append(message("warning", source, None, text))
    return messages


# -- exports of the database's catalog -------------------------------------------------------------


def export_messages(
    config: Config,
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
    signal = config.get("signal_data_collection")
    lacking: dict[str, None] = {}
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
        is_listed = exported.table(name) is not None or exported.has_problem(name)
        is_described = any(carries(topic, row) for row in rows)
        if not is_listed and not is_described and signal not in (short, long):
            lacking[short] = None
    for short in lacking:
        text = (
            f"table '{short}' has records, but {export.name} does not list it. Run the query of"
            " docs/generate.md as a user who may see the table, in its database."
        )
        messages.append(message("warning", source, short, text))
    return messages
