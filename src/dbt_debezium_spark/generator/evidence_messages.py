"""What there is to say about the evidence of a source's catalog as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.generator.told import Told, told
from dbt_debezium_spark.generator.topics_seen import Row, Topic, names_of, undescribed_tables

# The columns of Debezium's signal table.
_SIGNAL_FIELDS = ["id", "type", "data"]


class Evidence(TypedDict):
    """What the models of the catalog hold of one source.

    `columns` are the current rows of the catalog, `topics` what topics carried, `unwritten` the
    embedded schemas that no converter writes, `messages` those of other parts about
    the evidence, `disagreements` how many there are (`disagreements`, `example`), none without
    their model.
    """

    columns: Sequence[Row]
    topics: Sequence[Topic]
    unwritten: Sequence[Mapping[str, Any]]
    messages: Sequence[Told]
    disagreements: Mapping[str, Any] | None


def evidence_messages(config: Mapping[str, Any], evidence: Evidence) -> list[Told]:
    """Return the messages about topics, schemas and disagreements of a source."""
    source = config["name"]
    messages = [
        *_of_undescribed_tables(config, evidence),
        *_of_other_topics(config, evidence),
        *evidence["messages"],
        *_of_disagreements(source, evidence["disagreements"]),
    ]
    if not evidence["columns"]:
        text = f"source '{source}': no table seen yet in the records landed so far."
        messages.append(told("note", source, None, text))
    return messages


def _of_undescribed_tables(config: Mapping[str, Any], evidence: Evidence) -> list[Told]:
    source = config["name"]
    return [
        told(
            "warning",
            source,
            other["name"],
            f"topic '{other['topic']}' also holds records of table '{other['name']}' (the first:"
            f" {other['event_id']}), which go to no model: they carry no schema, so its types are"
            f" unknown (fields seen: {', '.join(other['fields'])}). Declare them:"
            f" debezium_sources.{source}.tables.{other['name']}.columns.",
        )
        for other in undescribed_tables(config, evidence["columns"], evidence["topics"])
    ]


def _of_other_topics(config: Mapping[str, Any], evidence: Evidence) -> list[Told]:
    """Tell of topics that no table is described by, each once."""
    signal = config.get("signal_data_collection")
    seen = {topic for row in evidence["columns"] for topic in row["topics"]}
    seen.update(schema["topic"] for schema in evidence["unwritten"])
    messages = []
    for topic in evidence["topics"]:
        name, _ = names_of(topic)
        long = f"{topic.get('database_name', '')}.{name}"
        if topic["topic"] in seen or signal in (name, long):
            continue
        seen.add(topic["topic"])
        if topic["kind"] == "data":
            messages.append(_of_unknown_types(config["name"], name, topic))
        else:
            text = (
                f"topic '{topic['topic']}' holds records that are no change events; it is left"
                " alone."
            )
            messages.append(told("note", config["name"], None, text))
    return messages


def _of_unknown_types(source: str, name: str, topic: Topic) -> Told:
    fields = topic.get("value_fields") or []
    text = (
        f"the records of topic '{topic['topic']}' carry no schema, so the types of table '{name}'"
        f" are unknown (fields seen: {', '.join(fields)}). Declare them:"
        f" debezium_sources.{source}.tables.{name}.columns."
    )
    if fields == _SIGNAL_FIELDS:
        text += f" If it is the signal table: signal_data_collection: {name}."
    return told("warning", source, name, text)


def _of_disagreements(source: str, found: Mapping[str, Any] | None) -> list[Told]:
    """Count the disagreements, with one of them: the model has them all."""
    if not found or not found["disagreements"]:
        return []
    text = (
        f"source '{source}': records, definitions and configuration disagree in"
        f" {found['disagreements']} places, which catalog_{source}__disagreements lists. One:"
        f" {found['example']}."
    )
    return [told("note", source, None, text)]
