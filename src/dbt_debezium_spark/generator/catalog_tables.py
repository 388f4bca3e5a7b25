"""The tables of a source's catalog that become models, and the messages about its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.decode.connectors import CONNECTORS
from dbt_debezium_spark.flattened.messages import (
    of_iceberg_transform,
    unconfigured,
    without_table,
)
from dbt_debezium_spark.generator.messages import MessageFields, message, problems_of
from dbt_debezium_spark.generator.recorded_tables import (
    Catalog,
    in_order,
    mark_shared_topics,
    names_of,
    undescribed_tables,
)
from dbt_debezium_spark.generator.tables import Config, RecordedTable, Row, Table, Topic
from dbt_debezium_spark.text.literals import yaml_name, yaml_text
from dbt_debezium_spark.text.names import parts_of_topic

# The columns of Debezium's signal table.
_SIGNAL_FIELDS = ["id", "type", "data"]


class Evidence(TypedDict):
    """Evidence of one source, from the models of the catalog.

    `columns` are the current rows of the catalog, `topics` the contents of topics, `unwritten` the
    embedded schemas that no converter writes, `messages` those of other parts, and
    `disagreements` their number and an example (`disagreements`, `example`), None without their
    model.
    """

    columns: Sequence[Row]
    topics: Sequence[Topic]
    unwritten: Sequence[Mapping[str, Any]]
    messages: Sequence[MessageFields]
    disagreements: Mapping[str, Any] | None


def catalog_tables(
    config: Config,
    evidence: Evidence,
    tables: Sequence[RecordedTable],
    described: Sequence[Table | None],
) -> Catalog:
    """Return the tables that become models, and all messages.

    A message replaces a table that cannot become models; other tables are not affected.

    Args:
        config: configuration of the source.
        evidence: evidence in the catalog's models.
        tables: result of `tables_of_rows`.
        described: description of each table, None for a refused one.
    """
    messages = [*evidence_messages(config, evidence), *_messages_of_names(config, tables)]
    usable = []
    for table, description in zip(tables, described, strict=True):
        messages += problems_of(config["name"], table)
        messages += [
            message("warning", config["name"], table["name"], text) for text in table["warnings"]
        ]
        if description is not None:
            messages += description["messages"]
            if description["columns"]:
                usable.append(description)
    mark_shared_topics(usable)
    return {"tables": in_order(usable), "messages": messages}


def _messages_of_names(config: Config, tables: Sequence[RecordedTable]) -> list[MessageFields]:
    """Warn of configured names that no table has any more.

    If two databases have a table of the same name, each name begins with its database, and options
    under the short name apply to neither table.
    """
    source = config["name"]
    names = {table["name"] for table in tables}
    messages = []
    for configured in config.get("tables") or {}:
        longer = [table["name"] for table in tables if configured in table["names"]]
        if longer and configured not in names:
            text = (
                f"debezium_sources.{source}.tables.{configured} applies to no table: there are now"
                f" {', '.join(sorted(longer, key=str.lower))}. Write it under each of these names"
                " to which it applies."
            )
            messages.append(message("warning", source, configured, text))
    return messages


# -- topics ----------------------------------------------------------------------------------------


def evidence_messages(config: Config, evidence: Evidence) -> list[MessageFields]:
    """Return the messages about topics, schemas and disagreements of a source."""
    source = config["name"]
    messages = [
        *_undescribed_table_messages(config, evidence),
        *_other_topic_messages(config, evidence),
        *evidence["messages"],
        *_disagreement_messages(source, evidence["disagreements"]),
    ]
    if not evidence["columns"]:
        text = f"source '{source}': the records landed so far contain no table."
        messages.append(message("note", source, None, text))
    return messages


def _undescribed_table_messages(config: Config, evidence: Evidence) -> list[MessageFields]:
    source = config["name"]
    return [
        message(
            "warning",
            source,
            other["name"],
            f"topic '{other['topic']}' also contains records of table '{other['name']}' (the first:"
            f" {other['event_id']}), which go to no model: they carry no schema, so its types are"
            f" unknown (fields seen: {', '.join(other['fields'])}). Declare them:"
            f" debezium_sources.{source}.tables.{other['name']}.columns.",
        )
        for other in undescribed_tables(config, evidence["columns"], evidence["topics"])
    ]


def _other_topic_messages(config: Config, evidence: Evidence) -> list[MessageFields]:
    """Return one message for each topic that describes no table."""
    signal = config.get("signal_data_collection")
    reported = {topic for row in evidence["columns"] for topic in row["topics"]}
    reported.update(schema["topic"] for schema in evidence["unwritten"])
    messages = []
    for topic in evidence["topics"]:
        name, _ = names_of(topic)
        long = f"{topic.get('database_name', '')}.{name}"
        if topic["topic"] not in reported and signal not in (name, long):
            reported.add(topic["topic"])
            messages.append(_topic_message(config, topic, name, evidence["topics"]))
    return messages


def _topic_message(
    config: Config, topic: Topic, table: str, topics: Sequence[Topic]
) -> MessageFields:
    source, name = config["name"], topic["topic"]
    if topic.get("flattened") is not None and not topic.get("table_name"):
        text = without_table(config, name, topic["event_id"])
    elif topic["kind"] == "data" and not topic.get("table_name"):
        text = _nameless_text(config, topic, topics)
    elif topic["kind"] == "data":
        text = (
            f"the records of topic '{name}' carry no schema, so the types of table '{table}' are"
            f" unknown (fields seen: {', '.join(_fields_of(topic))}). Declare them:"
            f" debezium_sources.{source}.tables.{table}.columns."
        )
        if topic.get("value_fields") == _SIGNAL_FIELDS:
            text += f" If it is the signal table: signal_data_collection: {table}."
        return message("warning", source, table, text)
    elif topic["kind"] == "flattened":
        text = unconfigured(source, name)
    elif topic["kind"] == "iceberg_cdc":
        text = of_iceberg_transform(config, name)
    else:
        text = f"topic '{name}' contains records that are no change events; it is ignored."
        return message("note", source, None, text)
    return message("warning", source, None, text)


def _fields_of(topic: Topic) -> list[str]:
    """Return the names in the rows and keys of a topic's records."""
    names = [*(topic.get("value_fields") or []), *(topic.get("key_fields") or [])]
    return list(dict.fromkeys(names))


def _nameless_text(config: Config, topic: Topic, topics: Sequence[Topic]) -> str:
    """Return what is missing in records whose source block names no table, and what to write.

    The source block of a connector that this package does not know has other members. Its records
    are read by a declared table. Every value can be read as text.
    """
    name = topic["topic"]
    connector = topic.get("connector")
    columns = ", ".join(
        f"{{name: {yaml_name(field)}, type: string}}" for field in _fields_of(topic)
    )
    table = ".".join(parts_of_topic(config["topic_prefix"], name)[-2:])
    missing = [part for part in ("database", "schema") if not topic.get(f"{part}_name")]
    where = f"debezium_sources.{config['name']}"
    writer = f"are of connector '{connector}'" if connector else "name no connector"
    if connector and connector not in CONNECTORS:
        writer += f", which is none of {', '.join(CONNECTORS)}"
    text = (
        f"the records of topic '{name}' {writer}: their source block has no"
        f" {', '.join([*missing, 'table'])} and no position in a log that this package knows."
        " Declare the table, with a type of docs/types.md where a text is not wanted; its events"
        f" then follow each other as they arrived: {where}.tables: {{{yaml_text(table)}:"
        f" {{columns: [{columns}]}}}}."
    )
    others = [
        other["event_id"] for other in topics if other["topic"] == name and other["kind"] == "other"
    ]
    if others:
        _, partition, offset = others[0].rsplit(":", 2)
        text += (
            " Records of the topic that are no change events fail the test of"
            " debezium_obs__quarantine: switch them off at the source, or list each of them:"
            f" {where}.ignore_records: [{{topic: {yaml_name(name)}, partition: {partition},"
            f" offset: {offset}, reason: no change event}}]."
        )
    return text


def _disagreement_messages(source: str, counts: Mapping[str, Any] | None) -> list[MessageFields]:
    """Return a message with the number of disagreements and an example."""
    if not counts or not counts["disagreements"]:
        return []
    text = (
        f"source '{source}': records, definitions and configuration disagree in"
        f" {counts['disagreements']} places, which catalog_{source}__disagreements lists. One:"
        f" {counts['example']}."
    )
    return [message("note", source, None, text)]
