"""The table of each row of evidence, and what the row shows of it.

The source block names the table (spec §4.1). The name of a topic is ambiguous, because transforms
can route several tables, tenants and databases into one topic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbt_debezium_spark.catalog.evidence import EvidenceRow
from dbt_debezium_spark.catalog.included_tables import TableName, including_table
from dbt_debezium_spark.catalog.schema_changes import (
    Definition,
    TableChange,
    definition_of,
    table_changes,
)
from dbt_debezium_spark.catalog.schema_node import (
    Nodes,
    columns_of_key,
    columns_of_value,
    names_of,
)
from dbt_debezium_spark.catalog.type_table import TypeTable
from dbt_debezium_spark.flattened.fields import added_names, is_flattened_schema
from dbt_debezium_spark.staging.origins import OriginRules
from dbt_debezium_spark.text.names import parts_of_topic

# MySQL and MongoDB have databases instead of schemas.
_MEMBERS = {
    "database_name": (("db",), 3),
    "schema_name": (("schema", "db"), 2),
    "table_name": (("table", "collection"), 1),
}
_NESTED = ("struct", "map", "array")
Names = tuple[str | None, ...]


@dataclass(frozen=True)
class TableEvidence:
    """Evidence of one row about one table; None for unknown attributes.

    Attributes:
        name: the table.
        row: the evidence.
        topic: topic of its records.
        nodes: columns of an embedded schema.
        definition: columns of the schema-change topic.
        ended_by: `dropped`, or `renamed to` with the new name.
        key_nodes: columns of the record key with an embedded schema.
        record_key: names in the record key, with or without a schema.
        is_key_outside: whether the row has no member of the record key.
        primary_key: primary key of the schema-change topic.
        comment: comment of the table.
    """

    name: TableName
    row: EvidenceRow
    topic: str | None = None
    nodes: Nodes | None = None
    definition: Definition | None = None
    ended_by: str | None = None
    key_nodes: Nodes | None = None
    record_key: Names | None = None
    is_key_outside: bool = False
    primary_key: Names | None = None
    comment: str | None = None


def table_evidence(
    config: Mapping[str, Any],
    rules: OriginRules,
    types: TypeTable | None,
    rows: Iterable[EvidenceRow],
) -> list[TableEvidence]:
    """Return the evidence of rows about tables.

    Args:
        config: configuration of the source.
        rules: how records name their table.
        types: database types of the connector; None without a schema-change topic.
        rows: rows of evidence.
    """
    evidence = [one for row in rows for one in _row_evidence(config, types, row)]
    evidence = [_of_including_table(rules, evidence_row) for evidence_row in evidence]
    return [evidence_row for evidence_row in evidence if _is_table(config, evidence_row.name)]


def _row_evidence(
    config: Mapping[str, Any], types: TypeTable | None, row: EvidenceRow
) -> Iterator[TableEvidence]:
    prefix = row.source.get("name") or config["topic_prefix"]
    if row.kind == "data":
        yield _event_evidence(config, prefix, row)
    elif types is not None:
        for change in table_changes(row.table_changes):
            if change.is_valid:
                yield from _change_evidence(prefix, types, row, change)


def _event_evidence(config: Mapping[str, Any], prefix: str, row: EvidenceRow) -> TableEvidence:
    nodes = columns_of_value(row.value_schema)
    if nodes is not None and is_flattened_schema(row.value_schema):
        added = added_names(config)
        nodes = tuple(node for node in nodes if node.field not in added)
    key_nodes = columns_of_key(row.key_schema)
    of_row = row.value_fields if nodes is None else names_of(nodes)
    key = row.key_fields if key_nodes is None else names_of(key_nodes)
    is_outside = key is not None and of_row is not None and set(of_row).isdisjoint(key)
    if not key or (is_outside and not _names_columns(key, key_nodes)):
        key, key_nodes = None, None
    parts = parts_of_topic(
        config["topic_prefix"], row.topic, is_flattened="flattened" in row.source
    )
    names = {
        column: next((row.source[member] for member in members if member in row.source), None)
        or (parts[-place] if place <= len(parts) else None)
        for column, (members, place) in _MEMBERS.items()
    }
    return TableEvidence(
        name=TableName(prefix, **names),
        row=row,
        topic=row.topic,
        nodes=nodes,
        key_nodes=key_nodes,
        record_key=key,
        is_key_outside=is_outside,
    )


def _names_columns(key: Names, nodes: Nodes | None) -> bool:
    """Return whether members of a key that are not in the row can be columns of the table.

    `column.exclude.list` leaves such columns out of rows. A transform can put a struct into a key.
    """
    has_names = all(key) and len(set(key)) == len(key)
    return has_names and all(node.type not in _NESTED for node in nodes or ())


def _change_evidence(
    prefix: str, types: TypeTable, row: EvidenceRow, change: TableChange
) -> Iterator[TableEvidence]:
    *owners, table = change.parts
    schema = owners[-1] if owners else None
    # databases without schemas
    database = owners[-2] if len(owners) > 1 else schema
    is_dropped = change.type == "DROP"
    evidence = TableEvidence(
        name=TableName(prefix, database, schema, table),
        row=row,
        definition=None if is_dropped else definition_of(change, types),
        ended_by="dropped" if is_dropped else None,
        primary_key=change.primary_key,
        comment=change.comment,
    )
    # a snapshot begins with statements that build a replica; they drop nothing at the source
    if not is_dropped or row.source.get("snapshot", "false") == "false":
        yield evidence
    # for a rename the id is the new name; only the list of tables (`old,new`) has the old one
    tables = row.source.get("table", "")
    if change.type == "ALTER" and change.table and tables.endswith(f",{change.table}"):
        yield replace(
            evidence,
            name=TableName(prefix, database, schema, tables.removesuffix(f",{change.table}")),
            definition=None,
            ended_by=None if schema is None else f"renamed to {schema}.{table}",
        )


def _of_including_table(rules: OriginRules, evidence: TableEvidence) -> TableEvidence:
    """Return evidence of an included table as evidence of the including table.

    The end of an included table is not the end of the including one.
    """
    whole = including_table(rules, evidence.name)
    return evidence if whole is None else replace(evidence, name=whole, ended_by=None)


def _is_table(config: Mapping[str, Any], name: TableName) -> bool:
    """Return whether evidence has a table, other than the connector's signal table."""
    if not name.schema_name or not name.table_name:
        return False
    return config.get("signal_data_collection") not in full_names(name)


def full_names(name: TableName) -> Sequence[str]:
    """Return the names of a table in the configuration: without its database, and with it."""
    short = f"{name.schema_name}.{name.table_name}"
    return (short,) if name.database_name is None else (short, f"{name.database_name}.{short}")
