"""Disagreements in the evidence about tables: rows of `catalog_<source>__disagreements`.

The current layout of the records, its definition, and the configuration are compared. `chosen` is
the value that the catalog uses, and `other` that of other evidence. Embedded schemas decide the
encoding, the schema-change topic decides nullability, and configuration fills gaps. An export of
the database's catalog describes only tables without both. The record key
precedes the primary key, and a configured key precedes both. A row is not necessarily an error:
`meaning` names its possible cause.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from dbt_debezium_spark.catalog.schema_changes import (
    DefinedColumn,
    Definition,
    defined_column,
    nodes_of,
)
from dbt_debezium_spark.catalog.schema_node import SchemaNode, names_of, node_of
from dbt_debezium_spark.catalog.table_evidence import Names
from dbt_debezium_spark.catalog.versions import TableVersions, Version

Matter = Literal["encoding", "nullability", "presence", "key"]
_COLUMN, _NO_COLUMN = "column", "no such column"


@dataclass(frozen=True)
class Disagreement:
    """A difference between two kinds of evidence; the column is None for a key."""

    column_name: str | None
    matter: Matter
    chosen: str
    chosen_from: str
    other: str
    other_from: str
    meaning: str


def disagreement_rows(source: str, table: TableVersions) -> list[dict[str, Any]]:
    """Return the disagreements about a table, with the columns of the model.

    Args:
        source: name of the source.
        table: the table with its versions.
    """
    name = {
        "source_name": source,
        "database_name": table.name.database_name,
        "schema_name": table.name.schema_name,
        "table_name": table.name.table_name,
    }
    return [
        {**name, **asdict(one)}
        for version in table.versions
        if table.is_current(version)
        for one in (
            *_column_disagreements(table, version),
            *_export_disagreements(table, version),
            *_key_disagreements(table),
        )
    ]


def _column_disagreements(table: TableVersions, version: Version) -> Iterator[Disagreement]:
    if table.evidence in ("configuration", "column_export"):
        return
    definition = table.definition_of(version)
    names = dict.fromkeys(
        (
            *names_of(version.nodes),
            *(column.name for column in definition or ()),
            *names_of(table.configured_nodes),
        )
    )
    for name in names:
        node = node_of(version.nodes, name)
        if table.evidence == "embedded_schema":
            yield from _definition_disagreements(name, node, definition)
        configured = node_of(table.configured_nodes, name)
        if configured is not None:
            yield from _configuration_disagreements(table, name, node, configured)


def _definition_disagreements(
    name: str | None, node: SchemaNode | None, definition: Definition | None
) -> Iterator[Disagreement]:
    """Yield differences between the records and the schema-change topic."""
    defined = defined_column(definition, name)
    if node is not None and defined is not None:
        yield from _encoding_disagreements(name, node, defined)
    elif node is not None and definition is not None:
        yield Disagreement(
            name,
            "presence",
            _COLUMN,
            "embedded_schema",
            _NO_COLUMN,
            "schema_change_topic",
            "The column is newer than the last definition, or a transform adds it to the records.",
        )
    elif node is None and defined is not None:
        yield Disagreement(
            name,
            "presence",
            _NO_COLUMN,
            "embedded_schema",
            _COLUMN,
            "schema_change_topic",
            "No record has come since the column was added, or the connector leaves it out"
            " (column.exclude.list).",
        )


def _encoding_disagreements(
    name: str | None, node: SchemaNode, defined: DefinedColumn
) -> Iterator[Disagreement]:
    of_records, of_topic = node.encoding, defined.node.encoding
    if of_records is not None and of_topic is not None and of_records != of_topic:
        yield Disagreement(
            name,
            "encoding",
            of_records,
            "embedded_schema",
            of_topic,
            "schema_change_topic",
            "A handling mode in the configuration of the source differs from the connector's, or"
            " the column changed its type.",
        )
    is_optional = defined.is_optional
    if is_optional is not None and node.optional is not None and node.optional != is_optional:
        allowed, forbidden = "null allowed", "not null"
        yield Disagreement(
            name,
            "nullability",
            allowed if is_optional else forbidden,
            "schema_change_topic",
            forbidden if is_optional else allowed,
            "embedded_schema",
            "The column was altered between the two, or a transform changed the schema of the"
            " records.",
        )


def _configuration_disagreements(
    table: TableVersions, name: str | None, node: SchemaNode | None, configured: SchemaNode
) -> Iterator[Disagreement]:
    """Yield differences between other evidence and the configuration."""
    if node is None:
        yield Disagreement(
            name,
            "presence",
            _NO_COLUMN,
            table.evidence,
            _COLUMN,
            "configuration",
            "The configured name is wrong, or the column is gone: correct or remove it.",
        )
    elif (
        node.encoding is not None
        and configured.encoding is not None
        and node.encoding != configured.encoding
    ):
        yield Disagreement(
            name,
            "encoding",
            node.encoding,
            table.evidence,
            configured.encoding,
            "configuration",
            "The configured type is not used: remove it or correct it.",
        )


def _export_disagreements(table: TableVersions, version: Version) -> Iterator[Disagreement]:
    """Yield differences between an export of the database's catalog and the records."""
    exported = nodes_of(table.exported)
    if not exported:
        return
    if table.evidence == "column_export":
        known = (*names_of(version.nodes), *names_of(table.key_nodes))
        for field in sorted({name for name in table.value_fields or () if name} - {*known}):
            yield Disagreement(
                field,
                "presence",
                _NO_COLUMN,
                "column_export",
                _COLUMN,
                "records",
                "The export is older than the column, or a transform adds it: make the export"
                " again, or declare the column.",
            )
        return
    for name in dict.fromkeys((*names_of(version.nodes), *names_of(exported))):
        node, other = node_of(version.nodes, name), node_of(exported, name)
        if node is None or other is None:
            yield Disagreement(
                name,
                "presence",
                _NO_COLUMN if node is None else _COLUMN,
                table.evidence,
                _NO_COLUMN if other is None else _COLUMN,
                "column_export",
                "The export is older or newer than the records, or the connector leaves the column"
                " out (column.exclude.list).",
            )
        elif None not in (node.encoding, other.encoding) and node.encoding != other.encoding:
            yield Disagreement(
                name,
                "encoding",
                str(node.encoding),
                table.evidence,
                str(other.encoding),
                "column_export",
                "The export is older or newer than the records, or a handling mode in the"
                " configuration of the source differs from the connector's.",
            )


def _key_disagreements(table: TableVersions) -> Iterator[Disagreement]:
    record_key, primary_key = table.record_key, table.primary_key
    of_primary_key = "schema_change_topic" if table.definitions else "column_export"
    if _differ(record_key, primary_key):
        yield Disagreement(
            None,
            "key",
            _key_text(record_key),
            "record_key",
            _key_text(primary_key),
            of_primary_key,
            "message.key.columns of the connector sets another key than the primary key, or the key"
            " was altered.",
        )
    other = primary_key if record_key is None else record_key
    if _differ(table.configured_key, other):
        yield Disagreement(
            None,
            "key",
            _key_text(table.configured_key),
            "configuration",
            _key_text(other),
            of_primary_key if record_key is None else "record_key",
            "The configured key overrides the one the connector uses.",
        )


def _differ(one: Names | None, other: Names | None) -> bool:
    return one is not None and other is not None and _sorted_names(one) != _sorted_names(other)


def _sorted_names(key: Names) -> list[str]:
    return sorted(name or "" for name in key)


def _key_text(key: Names | None) -> str:
    return ", ".join(name for name in key or () if name is not None) or "no key"
