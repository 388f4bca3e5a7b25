"""The tables in the records of a source: their names, topics and keys, and what refuses them.

A topic is the records of one table in one topic (`recorded_schemas`). A row is a row of the
catalog: a column of a table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.flattened.messages import position_problem, position_warnings
from dbt_debezium_spark.generator.messages import MessageFields
from dbt_debezium_spark.generator.tables import Config, RecordedTable, Row, Table, Topic
from dbt_debezium_spark.staging.origins import OriginRules, origin_rules
from dbt_debezium_spark.text.names import table_problems

# A name is extended by the schema, the database and the connector; each may cause a new clash.
_MAX_ROUNDS = 5
_OTHER_CHARACTERS = re.compile("[^a-z0-9_]")


class Catalog(TypedDict):
    """Tables for which models are written, in the order of their names, and messages."""

    tables: list[Table]
    messages: list[MessageFields]


def tables_of_rows(
    config: Config, rows: Sequence[Row], topics: Sequence[Topic]
) -> list[RecordedTable]:
    """Return the tables of a catalog's rows, with their names.

    Args:
        config: configuration of the source.
        rows: the current rows of the catalog.
        topics: contents of its topics.

    Returns:
        Tables with their `rows`, the values of `name_tables` and `add_origins`, `record_keys` (all
        keys of its records), `has_keys` and `warnings`.
    """
    by_name: dict[tuple[Any, ...], RecordedTable] = {}
    for row in rows:
        full_name = [row.get("database_name") or "", row["schema_name"], row["table_name"]]
        prefix = row.get("topic_prefix")
        table = by_name.setdefault(
            (prefix, *full_name), {"topic_prefix": prefix, "full_name": full_name, "rows": []}
        )
        table["rows"].append(row)
    tables, rules = list(by_name.values()), origin_rules(config)
    name_tables(config, tables, "schema" in rules["members"])
    add_origins(config["name"], rules, tables)
    for table in tables:
        of_table = topics_of(topics, table["rows"][0])
        table["record_keys"] = record_keys(topics, table["rows"][0])
        table["has_keys"] = any(topic.get("has_key") for topic in of_table)
        if (problem := position_problem(config, table["name"], of_table)) is not None:
            table["problems"].append(problem)
        table["warnings"] = position_warnings(config, table["name"], of_table)
    return tables


def mark_shared_topics(tables: Sequence[Table] | Sequence[RecordedTable]) -> None:
    """Mark tables whose topic also contains records of another table.

    Only the source block distinguishes these records.
    """
    owners = Counter(topic for table in tables for topic in table["topics"])
    for table in tables:
        if any(owners[topic] > 1 for topic in table["topics"]):
            table["is_shared_topic"] = True


def in_order(tables: Iterable[Table]) -> list[Table]:
    """Return tables in the order of their names."""
    return sorted(tables, key=lambda table: table["name"].lower())


# -- names -----------------------------------------------------------------------------------------


def name_tables(config: Config, tables: Sequence[RecordedTable], has_schemas: bool) -> None:
    """Add its name, its options and the table part of its model names to every table.

    Names: `schema.table`, after the database if two databases of the source have such a table, and
    after the connector's name if two connectors have databases of the same name.

    Model parts: `tables.<name>.model`, or the table in lower case with `_` for every other
    character. Equal parts are extended by the schema, then by the database. If parts are still
    equal, `names` reports that the tables cannot become models.

    Args:
        config: configuration of the source.
        tables: each with `topic_prefix` and `full_name` (database, schema, table). They receive
            `names` (from the shortest to the longest), `name`, `model` and `rivals` (the names of
            the other tables with this model).
        has_schemas: whether the databases of the source have schemas.
    """
    configured = config.get("tables") or {}
    counts: Counter[str] = Counter()
    for table in tables:
        table["names"] = _names(table, has_schemas)
        counts.update(set(table["names"]))
    for table in tables:
        short, long, longest = table["names"]
        table["name"] = short
        if counts[short] > 1 or (long in configured and short not in configured):
            table["name"] = long if counts[long] == 1 else longest
        database = table["full_name"][:1] if has_schemas and table["full_name"][0] else []
        connector = [table["topic_prefix"]] if table["name"] == longest else []
        table["name_parts"] = [*connector, *database, *table["full_name"][1:]]
        table["settings"] = configured.get(table["name"]) or {}
        table["chosen"] = table["settings"].get("model")
        table["parts"] = 1
        table["model"] = table["chosen"] or _model_part(table)
    for _ in range(_MAX_ROUNDS):
        _extend(tables)
    owners = _owners(tables)
    for table in tables:
        table["rivals"] = [name for name in owners[table["model"]] if name != table["name"]]


def _names(table: RecordedTable, has_schemas: bool) -> list[str]:
    database, schema, name = table["full_name"]
    short = f"{schema}.{name}"
    long = f"{database}.{short}" if has_schemas and database else short
    return [short, long, f"{table.get('topic_prefix') or ''}.{long}"]


def _extend(tables: Sequence[RecordedTable]) -> None:
    """Extend the shortest names of each clash by one part."""
    owners = _owners(tables)
    extended = []
    for table in tables:
        if table["chosen"] or len(owners[table["model"]]) < 2:
            continue
        rivals = [
            other for other in tables if other["model"] == table["model"] and not other["chosen"]
        ]
        fewest = min(rival["parts"] for rival in rivals)
        if table["parts"] == fewest and table["parts"] < len(table["name_parts"]):
            extended.append(table)
    for table in extended:
        table["parts"] += 1
        table["model"] = _model_part(table)


def _model_part(table: RecordedTable) -> str:
    name = "_".join(map(str, table["name_parts"][-table["parts"] :]))
    return _OTHER_CHARACTERS.sub("_", name.lower())


def _owners(tables: Sequence[RecordedTable]) -> dict[str, list[str]]:
    """Return the names of tables by model part."""
    owners: dict[str, list[str]] = {}
    for table in tables:
        owners.setdefault(table["model"], []).append(table["name"])
    return owners


# -- origins: members of source blocks that identify a table (macros/envelope/origins.sql) ---------


def _origins_of(rules: OriginRules, table: RecordedTable) -> list[dict[str, str]]:
    """Return the origins of a table: its own, then those of included tables.

    Args:
        rules: rules of the source.
        table: `topic_prefix` and `full_name` (database, schema, table).

    Returns:
        For each origin the known members of the source block.
    """
    database, schema, name = table["full_name"]
    parts = {
        "topic_prefix": table.get("topic_prefix"),
        "database_name": database,
        "schema_name": schema,
        "table_name": name,
    }
    own: dict[str, str] = {}
    for member in rules["members"]:
        text = parts[rules["columns"][member][0]]
        if text:
            own[member] = text
    return [own] + [
        {**own, **entry["members"]}
        for entry in rules["included"]
        if all(own.get(member) == text for member, text in entry["own"].items())
    ]


def add_origins(source: str, rules: OriginRules, tables: Sequence[RecordedTable]) -> None:
    """Add origins and problems to tables that have names."""
    for table in tables:
        table["origins"] = _origins_of(rules, table)
        table["problems"] = table_problems(source, table)


# -- topics ----------------------------------------------------------------------------------------


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


def undescribed_tables(
    config: Config, rows: Sequence[Row], topics: Sequence[Topic]
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
