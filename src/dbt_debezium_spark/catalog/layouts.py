"""Layouts of tables: the distinct column lists in the evidence, and the end of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from dbt_debezium_spark.catalog.included_tables import TableName
from dbt_debezium_spark.catalog.log_position import (
    LogPosition,
    RecordId,
    latest_log_position,
    restarts,
)
from dbt_debezium_spark.catalog.schema_changes import Definition
from dbt_debezium_spark.catalog.schema_node import Nodes
from dbt_debezium_spark.catalog.table_evidence import Names, TableEvidence

# Evidence with its place in the source's log.
_Placed = tuple[LogPosition, TableEvidence]


@dataclass(frozen=True)
class Layout:
    """One column list of a table, with its evidence.

    Attributes:
        nodes: columns of an embedded schema; None for a layout without one.
        definition: columns of the schema-change topic; None for a layout without one.
        ended_by: the statement that ended the table, for evidence without columns.
        log_position: latest position of its evidence in the source's log.
        first_record: the first record with it.
        lowest_position: lowest position in the source's log.
        lowest_streamed: lowest position of a change with it.
        highest_streamed: highest position of a change with it.
    """

    nodes: Nodes | None
    definition: Definition | None
    ended_by: str | None
    log_position: LogPosition
    first_record: RecordId
    lowest_position: str | None
    lowest_streamed: str | None
    highest_streamed: str | None


@dataclass(frozen=True)
class ObservedTable:
    """A table in the evidence, with its current properties.

    Attributes:
        name: name of the table, with its database if a record contains it.
        topics: topics of its records, sorted.
        layouts: its layouts, unsorted.
        key_nodes: columns of the latest record key with an embedded schema.
        record_key: names in the latest record key.
        is_key_outside: whether no row has a member of its record key.
        primary_key: primary key of the latest definition.
        comment: comment of the latest definition.
        connector_version: version that wrote the latest evidence.
        ended_by: the statement that ended the table, if it is the latest evidence.
        value_fields: names in rows without a schema; None if there are no such rows.
    """

    name: TableName
    topics: tuple[str, ...]
    layouts: Sequence[Layout]
    key_nodes: Nodes | None
    record_key: Names | None
    is_key_outside: bool
    primary_key: Names | None
    comment: str | None
    connector_version: str | None
    ended_by: str | None
    value_fields: frozenset[str | None] | None = None


def observed_tables(evidence: Iterable[TableEvidence]) -> list[ObservedTable]:
    """Return the tables in the evidence, in the order of their names.

    A record without a database belongs to the database in other records of the table.
    """
    by_name: dict[tuple[str, str | None, str | None], list[TableEvidence]] = {}
    for evidence_row in evidence:
        name = evidence_row.name
        by_name.setdefault((name.topic_prefix, name.schema_name, name.table_name), []).append(
            evidence_row
        )
    tables = []
    for _, of_name in sorted(by_name.items(), key=lambda item: [part or "" for part in item[0]]):
        databases = [one.name.database_name for one in of_name if one.name.database_name]
        usual = max(databases, default="")
        by_database: dict[str, list[TableEvidence]] = {}
        for one in of_name:
            database = one.name.database_name
            by_database.setdefault(usual if database is None else database, []).append(one)
        tables += [_observed_table(of_table) for _, of_table in sorted(by_database.items())]
    return tables


def _observed_table(evidence: Sequence[TableEvidence]) -> ObservedTable:
    restarted = restarts([place for evidence_row in evidence for place in evidence_row.row.places])
    placed = [
        (latest_log_position(evidence_row.row.places, restarted), evidence_row)
        for evidence_row in evidence
    ]
    last = _last(placed)
    defined = [(place, one) for place, one in placed if one.definition is not None]
    of_definition = _last(defined) if defined else None
    keyed = [(place, one) for place, one in placed if one.record_key is not None]
    # a key without a column of its row may be cut or damaged: it counts only if all are like it
    inside = [(place, one) for place, one in keyed if not one.is_key_outside]
    key = _last(inside or keyed).record_key if keyed else None
    by_schema = [
        (place, one)
        for place, one in keyed
        if one.key_nodes is not None
        and (not one.is_key_outside or set(one.record_key or ()) == set(key or ()))
    ]
    return ObservedTable(
        name=last.name,
        topics=tuple(
            sorted(
                {evidence_row.topic for evidence_row in evidence if evidence_row.topic is not None}
            )
        ),
        layouts=_layouts(placed),
        key_nodes=_last(by_schema).key_nodes if by_schema else None,
        record_key=key,
        is_key_outside=bool(keyed) and not inside,
        primary_key=None if of_definition is None else of_definition.primary_key,
        comment=None if of_definition is None else of_definition.comment,
        connector_version=last.row.source.get("version"),
        ended_by=last.ended_by,
        value_fields=_value_fields(evidence),
    )


def _value_fields(evidence: Sequence[TableEvidence]) -> frozenset[str | None] | None:
    rows = [one.row.value_fields for one in evidence if one.row.value_fields is not None]
    return frozenset(name for row in rows for name in row) if rows else None


def _last(placed: Sequence[_Placed]) -> TableEvidence:
    """Return the latest evidence in the source's log.

    Of several changes in one record the last one counts: `CREATE OR REPLACE` is a DROP and a
    CREATE.
    """
    _, last = max(reversed(placed), key=itemgetter(0))
    return last


def _layouts(placed: Iterable[_Placed]) -> list[Layout]:
    by_columns: dict[object, list[_Placed]] = {}
    for place, one in placed:
        by_columns.setdefault((one.nodes, one.definition, one.ended_by), []).append((place, one))
    return [_layout(of_columns) for of_columns in by_columns.values()]


def _layout(placed: Sequence[_Placed]) -> Layout:
    rows = [one.row for _, one in placed]
    _, first = placed[0]
    return Layout(
        nodes=first.nodes,
        definition=first.definition,
        ended_by=first.ended_by,
        log_position=max(place for place, _ in placed),
        first_record=min(row.first_record for row in rows),
        lowest_position=_least(row.lowest_position for row in rows),
        lowest_streamed=_least(row.lowest_streamed for row in rows),
        highest_streamed=max(
            (row.highest_streamed for row in rows if row.highest_streamed is not None),
            default=None,
        ),
    )


def _least(texts: Iterable[str | None]) -> str | None:
    return min((text for text in texts if text is not None), default=None)
