"""The current tables of a source in its catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.flattened.messages import position_problem, position_warnings
from dbt_debezium_spark.generator.configured_names import configured_names
from dbt_debezium_spark.generator.evidence_messages import Evidence, evidence_messages
from dbt_debezium_spark.generator.messages import MessageFields, message, problems_of
from dbt_debezium_spark.generator.origins import add_origins, has_schemas
from dbt_debezium_spark.generator.table_names import name_tables
from dbt_debezium_spark.generator.topic_contents import Row, Topic, has_keys, record_keys, topics_of
from dbt_debezium_spark.staging.origins import OriginRules


class Catalog(TypedDict):
    """Tables for which models are written, in the order of their names, and messages."""

    tables: list[dict[str, Any]]
    messages: list[MessageFields]


def tables_of_rows(
    config: Mapping[str, Any], rules: OriginRules, rows: Sequence[Row], topics: Sequence[Topic]
) -> list[dict[str, Any]]:
    """Return the tables of a catalog's rows, with their names.

    Args:
        config: configuration of the source.
        rules: how records name their table.
        rows: the current rows of the catalog.
        topics: contents of its topics.

    Returns:
        Tables with their `rows`, the values of `name_tables` and `add_origins`, `record_keys` (all
        keys of its records) and `has_keys`.
    """
    by_name: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        full_name = [row.get("database_name") or "", row["schema_name"], row["table_name"]]
        prefix = row.get("topic_prefix")
        table = by_name.setdefault(
            (prefix, *full_name), {"topic_prefix": prefix, "full_name": full_name, "rows": []}
        )
        table["rows"].append(row)
    tables = list(by_name.values())
    name_tables(config, tables, has_schemas(rules))
    add_origins(config["name"], rules, tables)
    for table in tables:
        table["record_keys"] = record_keys(topics, table["rows"][0])
        table["has_keys"] = has_keys(topics, table["rows"][0])
        of_table = topics_of(topics, table["rows"][0])
        if (problem := position_problem(config, table["name"], of_table)) is not None:
            table["problems"].append(problem)
        table["warnings"] = position_warnings(config, table["name"], of_table)
    return tables


def catalog_tables(
    config: Mapping[str, Any],
    evidence: Evidence,
    tables: Sequence[dict[str, Any]],
    described: Sequence[dict[str, Any] | None],
) -> Catalog:
    """Return the tables that become models, and all messages.

    A message replaces a table that cannot become models; other tables are not affected.

    Args:
        config: configuration of the source.
        evidence: evidence in the catalog's models.
        tables: result of `tables_of_rows`.
        described: description of each table, None for a refused one.
    """
    messages = evidence_messages(config, evidence) + configured_names(config, tables)
    usable = []
    for table, one in zip(tables, described, strict=True):
        messages += problems_of(config["name"], table)
        messages += [
            message("warning", config["name"], table["name"], text)
            for text in table.get("warnings", [])
        ]
        if one is not None:
            messages += one["messages"]
            if one["columns"]:
                usable.append(one)
    mark_shared_topics(usable)
    return {"tables": in_order(usable), "messages": messages}


def mark_shared_topics(tables: Sequence[dict[str, Any]]) -> None:
    """Mark tables whose topic also contains records of another table.

    Only the source block distinguishes these records.
    """
    owners = Counter(topic for table in tables for topic in table["topics"])
    for table in tables:
        if any(owners[topic] > 1 for topic in table["topics"]):
            table["is_shared_topic"] = True


def in_order(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tables in the order of their names."""
    return sorted(tables, key=lambda table: table["name"].lower())
