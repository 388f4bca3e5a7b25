"""Versions of tables: their distinct column lists, numbered by the first sighting.

Which columns a table has and how they are encoded: embedded schemas; for tables without them the
schema-change topic; for tables without either the configuration. Numbers stay when records arrive.
The current version is the one that stands furthest in the source's log, which after a column was
added and dropped again is an old number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from dbt_debezium_spark.catalog.configured_tables import ConfiguredTable, configured_tables
from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.layouts import FoundTable, Layout
from dbt_debezium_spark.catalog.log_position import LogPosition, RecordId
from dbt_debezium_spark.catalog.readded_columns import readded_columns
from dbt_debezium_spark.catalog.schema_changes import Definition, nodes_of
from dbt_debezium_spark.catalog.schema_node import Nodes, names_of
from dbt_debezium_spark.catalog.table_evidence import Names, full_names

Evidence = Literal["embedded_schema", "schema_change_topic", "configuration"]
_NO_TOPIC_NAME = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True)
class Version:
    """One column list of a table; a configured one was never seen."""

    nodes: Nodes
    first_seen: RecordId | None = None
    log_position: LogPosition | None = None
    lowest_position: str | None = None


@dataclass(frozen=True)
class DefinedLayout:
    """A definition of the schema-change topic, with its place in the source's log."""

    definition: Definition
    first_seen: RecordId
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
    """A table with all that is known of its columns.

    Attributes:
        name: the table.
        topics: that carry its records; where none has come yet, the one the connector would write.
        evidence: where the encoding is known from.
        versions: in the order of the first sighting.
        definitions: of the schema-change topic, in the order of the first sighting.
        configured_nodes: columns of the configuration.
        configured_key: key of the configuration.
        record_key: names in record keys.
        primary_key: by the schema-change topic.
        key_nodes: columns of the record key, by its embedded schema.
        comment: of the table.
        ended_by: what ended the table at the source.
        readded_columns: columns that were dropped and added again: see `readded_columns`.
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

    @property
    def key_names(self) -> Names:
        """The key: configured, else what the connector puts into record keys, else the topic's.

        Rows are identified by the record key, and `message.key.columns` can differ from the primary
        key.
        """
        for key in (self.configured_key, self.record_key, self.primary_key):
            if key is not None:
                return key
        return ()

    def is_current(self, version: Version) -> bool:
        """Tell whether a version stands furthest in the source's log."""
        log_positions = [one.log_position for one in self.versions if one.log_position is not None]
        return version.log_position == max(log_positions, default=None)

    def definition_of(self, version: Version) -> Definition | None:
        """Return the definition that says most about a version.

        That is its own, else one of the same columns, else the latest.
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
        return None if last is None else last.definition


def table_versions(config: Mapping[str, Any], found: Iterable[FoundTable]) -> list[TableVersions]:
    """Return the tables of a source that have columns, found ones and configured ones.

    Args:
        config: of the source.
        found: tables that evidence shows.

    Raises:
        CompilationError: a configured column has a database type that is not known.
    """
    configured = configured_tables(config)
    unseen = dict(configured)
    tables = []
    for table in found:
        names = [name for name in full_names(table.name) if name in configured]
        for name in names:
            unseen.pop(name, None)
        settings = configured[names[-1]] if names else ConfiguredTable(None, ())
        tables.append(_of_found(config, table, settings))
    tables += [_of_configured(config, name, settings) for name, settings in unseen.items()]
    return [table for table in tables if table.versions]


def _of_found(
    config: Mapping[str, Any], table: FoundTable, settings: ConfiguredTable
) -> TableVersions:
    embedded = [_seen_version(one, one.nodes) for one in table.layouts if one.nodes is not None]
    defined = [one for one in table.layouts if one.definition is not None]
    definitions = sorted(
        (
            DefinedLayout(one.definition, one.first_seen, one.log_position)
            for one in defined
            if one.definition is not None
        ),
        key=lambda one: (one.first_seen, [node.text for node in one.nodes]),
    )
    evidence: Evidence = "configuration"
    versions = [Version(settings.nodes)] if settings.nodes else []
    if embedded:
        evidence, versions = "embedded_schema", embedded
    elif defined:
        evidence = "schema_change_topic"
        versions = [_seen_version(one, nodes_of(one.definition or ())) for one in defined]
    topic = _default_topic(config, table.name, table.connector_version)
    return TableVersions(
        name=table.name,
        topics=table.topics or (topic,),
        evidence=evidence,
        versions=sorted(versions, key=_by_first_sighting),
        definitions=definitions,
        configured_nodes=settings.nodes,
        configured_key=settings.key,
        record_key=table.record_key,
        primary_key=table.primary_key,
        key_nodes=table.key_nodes or (),
        comment=table.comment,
        ended_by=table.ended_by,
        readded_columns=readded_columns(config, table.layouts),
    )


def _of_configured(
    config: Mapping[str, Any], table: str, settings: ConfiguredTable
) -> TableVersions:
    """Return a table that no evidence shows."""
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


def _seen_version(layout: Layout, nodes: Nodes) -> Version:
    return Version(nodes, layout.first_seen, layout.log_position, layout.lowest_position)


def _by_first_sighting(version: Version) -> tuple[Any, ...]:
    return (version.first_seen, [node.text for node in version.nodes])


def _default_topic(config: Mapping[str, Any], name: TableName, version: str | None) -> str:
    """Return where the connector would write a table of which no record has come yet (spec §2.1).

    Before Debezium 2.0 the database was not part of the name for SQL Server.
    """
    parts = [config["topic_prefix"], name.schema_name, name.table_name]
    if config["connector"] == "sqlserver":
        major = (version or "").split(".")[0]
        if not (major.isascii() and major.isdigit() and int(major) < 2):
            parts.insert(1, name.database_name)
    return _NO_TOPIC_NAME.sub("_", ".".join(part for part in parts if part is not None))
