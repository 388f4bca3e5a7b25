"""Versions of tables: their distinct column lists, numbered by their first records.

Columns and their encodings come from embedded schemas, for tables without them from the
schema-change topic, for tables without either from an export of the database's catalog, and for
tables without any of these from the configuration. New records do not change
numbers. The current version is the latest one in the source's log. After a column was added and
dropped again, it has an old number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from dbt_debezium_spark.catalog.configured_tables import ConfiguredTable, configured_tables
from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.layouts import Layout, ObservedTable
from dbt_debezium_spark.catalog.log_position import LogPosition, RecordId
from dbt_debezium_spark.catalog.readded_columns import readded_columns
from dbt_debezium_spark.catalog.schema_changes import Definition, nodes_of
from dbt_debezium_spark.catalog.schema_node import Nodes, names_of, node_of
from dbt_debezium_spark.catalog.table_evidence import Names, full_names

if TYPE_CHECKING:
    from dbt_debezium_spark.catalog.column_export import ExportedTable, ExportedTables

Evidence = Literal["embedded_schema", "schema_change_topic", "column_export", "configuration"]
_NO_TOPIC_NAME = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True)
class Version:
    """One column list of a table; a configured one has no records."""

    nodes: Nodes
    first_record: RecordId | None = None
    log_position: LogPosition | None = None
    lowest_position: str | None = None


@dataclass(frozen=True)
class DefinedLayout:
    """A definition of the schema-change topic, with its place in the source's log."""

    definition: Definition
    first_record: RecordId
    log_position: LogPosition

    @cached_property
    def nodes(self) -> Nodes:
        """The columns as nodes of a schema."""
        return nodes_of(self.definition)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the columns."""
        return frozenset(column.name for column in self.definition)


@dataclass(frozen=True)
class TableVersions:
    """A table with all evidence about its columns.

    Attributes:
        name: the table.
        topics: topics of its records; before the first one, the connector's default topic.
        evidence: origin of the encoding.
        versions: in the order of their first records.
        definitions: those of the schema-change topic, in the order of their first records.
        configured_nodes: columns in the configuration.
        configured_key: key in the configuration.
        record_key: names in record keys.
        primary_key: primary key of the schema-change topic.
        key_nodes: columns of the record key with an embedded schema.
        comment: comment of the table.
        ended_by: the statement that ended the table at the source.
        readded_columns: columns that were dropped and added again: see `readded_columns`.
        exported: columns in the export of the database's catalog.
        value_fields: names in rows without a schema.
    """

    name: TableName
    topics: tuple[str, ...]
    evidence: Evidence
    versions: Sequence[Version]
    definitions: Sequence[DefinedLayout]
    configured_nodes: Nodes
    configured_key: Names | None
    record_key: Names | None
    primary_key: Names | None
    key_nodes: Nodes
    comment: str | None
    ended_by: str | None
    readded_columns: Mapping[str, str]
    exported: Definition = ()
    value_fields: frozenset[str | None] | None = None

    @property
    def key_names(self) -> Names:
        """The key: configured, else that of record keys, else the primary key.

        The record key identifies rows, and `message.key.columns` can differ from the primary key.
        """
        for key in (self.configured_key, self.record_key, self.primary_key):
            if key is not None:
                return key
        return ()

    def is_current(self, version: Version) -> bool:
        """Return whether a version is the latest one in the source's log."""
        log_positions = [
            other.log_position for other in self.versions if other.log_position is not None
        ]
        return version.log_position == max(log_positions, default=None)

    def definition_of(self, version: Version) -> Definition | None:
        """Return the best definition for a version.

        That is its own, else one with the same columns, else the latest.
        """
        names = set(names_of(version.nodes))
        last = max(
            self.definitions,
            key=lambda one: (
                one.nodes == version.nodes,
                one.names == names,
                one.log_position,
            ),
            default=None,
        )
        if last is None and self.evidence == "column_export":
            return self.exported
        return None if last is None else last.definition


def table_versions(
    config: Mapping[str, Any],
    observed: Iterable[ObservedTable],
    exported: ExportedTables | None = None,
) -> list[TableVersions]:
    """Return the tables of a source with columns, from evidence and configuration.

    Tables that only the export has are none of this source, whose connector may capture a few.

    Args:
        config: configuration of the source.
        observed: tables in the evidence.
        exported: tables of the export of the database's catalog.

    Raises:
        CompilationError: a configured column has an unknown database type.
    """
    configured = configured_tables(config)
    unobserved = dict(configured)
    tables = []
    for table in observed:
        names = [name for name in full_names(table.name) if name in configured]
        for name in names:
            unobserved.pop(name, None)
        settings = configured[names[-1]] if names else ConfiguredTable(None, ())
        of_export = None if exported is None else exported.table(table.name)
        tables.append(_observed_versions(config, table, settings, of_export))
    tables += [
        _configured_versions(config, name, settings) for name, settings in unobserved.items()
    ]
    return [table for table in tables if table.versions]


def _observed_versions(
    config: Mapping[str, Any],
    table: ObservedTable,
    settings: ConfiguredTable,
    exported: ExportedTable | None,
) -> TableVersions:
    embedded = [
        _layout_version(layout, layout.nodes)
        for layout in table.layouts
        if layout.nodes is not None
    ]
    defined = [layout for layout in table.layouts if layout.definition is not None]
    definitions = sorted(
        (
            DefinedLayout(layout.definition, layout.first_record, layout.log_position)
            for layout in defined
            if layout.definition is not None
        ),
        key=lambda one: (one.first_record, [node.text for node in one.nodes]),
    )
    evidence: Evidence = "configuration"
    versions = [Version(settings.nodes)] if settings.nodes else []
    columns = () if exported is None else _exported_columns(exported, table)
    if embedded:
        evidence, versions = "embedded_schema", embedded
    elif defined:
        evidence = "schema_change_topic"
        versions = [
            _layout_version(layout, nodes_of(layout.definition or ())) for layout in defined
        ]
    elif columns:
        evidence = "column_export"
        versions = [Version(_with_configured(nodes_of(columns), settings.nodes))]
    topic = _default_topic(config, table.name, table.connector_version)
    return TableVersions(
        name=table.name,
        topics=table.topics or (topic,),
        evidence=evidence,
        versions=sorted(versions, key=_by_first_record),
        definitions=definitions,
        configured_nodes=settings.nodes,
        configured_key=settings.key,
        record_key=_record_key(table, settings.nodes, definitions, columns),
        primary_key=table.primary_key
        if table.primary_key is not None or exported is None
        else exported.key,
        key_nodes=table.key_nodes or (),
        comment=table.comment,
        ended_by=table.ended_by,
        readded_columns=readded_columns(config, table.layouts),
        exported=columns,
        value_fields=table.value_fields,
    )


def _exported_columns(exported: ExportedTable, table: ObservedTable) -> Definition:
    """Return the columns of the export, without computed ones that the records lack.

    Replication of PostgreSQL leaves such columns out, and so does change data capture of SQL Server
    if it is told to.
    """
    fields = table.value_fields
    return tuple(
        column
        for column in exported.definition
        if fields is None or column.name not in exported.generated or column.name in fields
    )


def _record_key(
    table: ObservedTable,
    configured: Nodes,
    definitions: Sequence[DefinedLayout],
    exported: Definition,
) -> Names | None:
    """Return the names in record keys; without a schema, those outside of the row must be known."""
    if not table.is_key_outside or table.key_nodes is not None:
        return table.record_key
    known = {*names_of(configured), *(column.name for column in exported)}
    known = known.union(*(one.names for one in definitions))
    return table.record_key if known.issuperset(table.record_key or ()) else None


def _with_configured(nodes: Nodes, configured: Nodes) -> Nodes:
    """Return the nodes of an export, of which a person may have configured some otherwise."""
    names = names_of(nodes)
    return (
        *((node_of(configured, node.field) or node) for node in nodes),
        *(node for node in configured if node.field not in names),
    )


def _configured_versions(
    config: Mapping[str, Any], table: str, settings: ConfiguredTable
) -> TableVersions:
    """Return a table without evidence."""
    *owners, name = table.split(".")
    schema = owners[-1] if owners else None
    database = owners[-2] if len(owners) > 1 else None
    full_name = TableName(config["topic_prefix"], database, schema, name)
    return TableVersions(
        name=full_name,
        topics=(_default_topic(config, full_name, None),),
        evidence="configuration",
        versions=[Version(settings.nodes)] if settings.nodes else [],
        definitions=[],
        configured_nodes=settings.nodes,
        configured_key=settings.key,
        record_key=None,
        primary_key=None,
        key_nodes=(),
        comment=None,
        ended_by=None,
        readded_columns={},
    )


def _layout_version(layout: Layout, nodes: Nodes) -> Version:
    return Version(nodes, layout.first_record, layout.log_position, layout.lowest_position)


def _by_first_record(version: Version) -> tuple[Any, ...]:
    return (version.first_record, [node.text for node in version.nodes])


def _default_topic(config: Mapping[str, Any], name: TableName, version: str | None) -> str:
    """Return the topic that the connector writes for a table without records (spec §2.1).

    Before Debezium 2.0, the database was not part of the topic name for SQL Server.
    """
    parts = [config["topic_prefix"], name.schema_name, name.table_name]
    if config["connector"] == "sqlserver":
        major = (version or "").split(".")[0]
        if not (major.isascii() and major.isdigit() and int(major) < 2):
            parts.insert(1, name.database_name)
    return _NO_TOPIC_NAME.sub("_", ".".join(part for part in parts if part is not None))
