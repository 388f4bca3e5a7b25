"""Layouts of tables: the distinct column lists that evidence shows, and how a table ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.schema_changes import Definition
from dbt_debezium_spark.catalog.schema_node import Nodes, names_of
from dbt_debezium_spark.catalog.standing import Seen, Standing, restarts, standing_of
from dbt_debezium_spark.catalog.table_evidence import Names, TableEvidence

Part = TypeVar("Part")


@dataclass(frozen=True)
class Layout:
    """One column list of a table, with the evidence that shows it.

    Attributes:
        nodes: columns by an embedded schema; none for a layout without one.
        definition: columns by the schema-change topic; none for a layout without one.
        ended_by: of evidence that shows no columns but the table's end.
        standing: the furthest of its evidence in the source's log.
        first_seen: the first record.
        lowest_position: in the source's log.
        lowest_streamed: lowest position of a change with it.
        highest_streamed: highest position of a change with it.
    """

    nodes: Nodes | None
    definition: Definition | None
    ended_by: str | None
    standing: Standing
    first_seen: Seen
    lowest_position: str | None
    lowest_streamed: str | None
    highest_streamed: str | None


@dataclass(frozen=True)
class FoundTable:
    """A table that evidence shows, and what holds of it now.

    Attributes:
        name: with its database, where some record names it.
        topics: that carry its records, in order.
        layouts: in no order.
        key_nodes: columns of the record key seen last, by an embedded schema.
        record_key: names in the record key seen last.
        primary_key: by the last definition.
        comment: by the last definition.
        connector_version: that wrote the last evidence.
        ended_by: the table's end, where that is the last thing known of it.
    """

    name: TableName
    topics: tuple[str, ...]
    layouts: Sequence[Layout]
    key_nodes: Nodes | None
    record_key: Names | None
    primary_key: Names | None
    comment: str | None
    connector_version: str | None
    ended_by: str | None


def found_tables(evidence: Iterable[TableEvidence]) -> list[FoundTable]:
    """Return the tables that evidence shows, in the order of their names.

    A record that does not name its database is of the one that others name.
    """
    by_name: dict[tuple[str, str | None, str | None], list[TableEvidence]] = {}
    for one in evidence:
        name = one.name
        by_name.setdefault((name.topic_prefix, name.schema_name, name.table_name), []).append(one)
    found = []
    for _, of_name in sorted(by_name.items(), key=lambda item: [part or "" for part in item[0]]):
        databases = [one.name.database_name for one in of_name if one.name.database_name]
        usual = max(databases, default="")
        by_database: dict[str, list[TableEvidence]] = {}
        for one in of_name:
            database = one.name.database_name
            by_database.setdefault(usual if database is None else database, []).append(one)
        found += [_found_table(of_table) for _, of_table in sorted(by_database.items())]
    return found


def _found_table(evidence: Sequence[TableEvidence]) -> FoundTable:
    restarted = restarts([point for one in evidence for point in one.row.points])
    standing = [(standing_of(one.row.points, restarted), one) for one in evidence]
    keys = [
        (place, one)
        for place, one in standing
        if one.key_nodes is not None or one.record_key is not None
    ]
    defined = [(place, one) for place, one in standing if one.definition is not None]
    last = _last(standing, lambda one: one)
    last_key = _last(keys, lambda one: one)
    last_definition = _last(defined, lambda one: one)
    assert last is not None
    return FoundTable(
        name=last.name,
        topics=tuple(sorted({one.topic for one in evidence if one.topic is not None})),
        layouts=_layouts(standing),
        key_nodes=_last(keys, lambda one: one.key_nodes),
        record_key=None if last_key is None else _key_names(last_key),
        primary_key=None if last_definition is None else last_definition.primary_key,
        comment=None if last_definition is None else last_definition.comment,
        connector_version=last.row.source.get("version"),
        ended_by=last.ended_by,
    )


def _last(
    standing: Iterable[tuple[Standing, TableEvidence]],
    part: Callable[[TableEvidence], Part | None],
) -> Part | None:
    """Return the part of the evidence furthest in the source's log that has it.

    Of what one record says, the later counts: `CREATE OR REPLACE` is a DROP and a CREATE.
    """
    found: tuple[Standing, Part] | None = None
    for place, one in standing:
        value = part(one)
        if value is not None and (found is None or place >= found[0]):
            found = (place, value)
    return None if found is None else found[1]


def _key_names(evidence: TableEvidence) -> Names | None:
    return evidence.record_key if evidence.key_nodes is None else names_of(evidence.key_nodes)


def _layouts(standing: Iterable[tuple[Standing, TableEvidence]]) -> list[Layout]:
    by_columns: dict[object, list[tuple[Standing, TableEvidence]]] = {}
    for place, one in standing:
        by_columns.setdefault((one.nodes, one.definition, one.ended_by), []).append((place, one))
    return [_layout(of_columns) for of_columns in by_columns.values()]


def _layout(standing: Sequence[tuple[Standing, TableEvidence]]) -> Layout:
    rows = [one.row for _, one in standing]
    _, first = standing[0]
    return Layout(
        nodes=first.nodes,
        definition=first.definition,
        ended_by=first.ended_by,
        standing=max(place for place, _ in standing),
        first_seen=min(row.first_seen for row in rows),
        lowest_position=_least(row.lowest_position for row in rows),
        lowest_streamed=_least(row.lowest_streamed for row in rows),
        highest_streamed=max(
            (row.highest_streamed for row in rows if row.highest_streamed is not None),
            default=None,
        ),
    )


def _least(texts: Iterable[str | None]) -> str | None:
    return min((text for text in texts if text is not None), default=None)
