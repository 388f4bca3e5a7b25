"""The tables of a source as its catalog knows them now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.generator.configured_names import configured_names
from dbt_debezium_spark.generator.evidence_messages import Evidence, evidence_messages
from dbt_debezium_spark.generator.messages import Message, problems_of
from dbt_debezium_spark.generator.origins import OriginRules, has_schemas, settle
from dbt_debezium_spark.generator.table_names import name_tables
from dbt_debezium_spark.generator.topic_contents import Row, Topic, has_keys, record_keys


class Catalog(TypedDict):
    """Tables ready to be written as models, in the order of their names, and what is told."""

    tables: list[dict[str, Any]]
    messages: list[Message]


def tables_of_rows(
    config: Mapping[str, Any], rules: OriginRules, rows: Sequence[Row], topics: Sequence[Topic]
) -> list[dict[str, Any]]:
    """Return the tables of a catalog's rows, each named.

    Args:
        config: configuration of the source.
        rules: how its records name their table.
        rows: the current rows of its catalog.
        topics: what its topics carried.

    Returns:
        Tables with their `rows`, what `name_tables` and `settle` add, `record_keys` (the keys that
        its records have had) and `has_keys`.
    """
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        full_name = [row.get("database_name") or "", row["schema_name"], row["table_name"]]
        prefix = row.get("topic_prefix")
        table = found.setdefault(
            (prefix, *full_name), {"topic_prefix": prefix, "full_name": full_name, "rows": []}
        )
        table["rows"].append(row)
    tables = list(found.values())
    name_tables(config, tables, has_schemas(rules))
    settle(config["name"], rules, tables)
    for table in tables:
        table["record_keys"] = record_keys(topics, table["rows"][0])
        table["has_keys"] = has_keys(topics, table["rows"][0])
    return tables


def catalog_tables(
    config: Mapping[str, Any],
    evidence: Evidence,
    tables: Sequence[dict[str, Any]],
    described: Sequence[dict[str, Any] | None],
) -> Catalog:
    """Return the tables that become models, and all that there is to say.

    A table that cannot become models is left out with a message; the others are not held up.

    Args:
        config: configuration of the source.
        evidence: what the models of the catalog hold.
        tables: those of `tables_of_rows`.
        described: for each of them its description, none for a refused one.
    """
    messages = evidence_messages(config, evidence) + configured_names(config, tables)
    usable = []
    for table, one in zip(tables, described, strict=True):
        messages += problems_of(config["name"], table)
        if one is not None:
            messages += one["messages"]
            if one["columns"]:
                usable.append(one)
    mark_shared_topics(usable)
    return {"tables": in_order(usable), "messages": messages}


def mark_shared_topics(tables: Sequence[dict[str, Any]]) -> None:
    """Mark the tables whose topic holds records of another, too.

    Only the source block tells these apart.
    """
    owners = Counter(topic for table in tables for topic in table["topics"])
    for table in tables:
        if any(owners[topic] > 1 for topic in table["topics"]):
            table["is_shared_topic"] = True


def in_order(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tables in the order of their names."""
    return sorted(tables, key=lambda table: table["name"].lower())
