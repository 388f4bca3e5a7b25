"""Rows of `catalog_<source>__columns`: one per table, version and column.

The version of a table defines the encoding of its columns. Definitions of the schema-change topic,
or else of an export, add nullability, order, comments and database types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.catalog.schema_changes import DefinedColumn
from dbt_debezium_spark.catalog.schema_node import SchemaNode, names_of, node_of
from dbt_debezium_spark.catalog.table_evidence import Names
from dbt_debezium_spark.catalog.versions import TableVersions, Version

_PROPAGATED = "__debezium.source.column."
# Columns without a definition follow the others.
_LAST = 100_000


@dataclass(frozen=True)
class _Column:
    """A column of a version; `place` is None for a field that only record keys have."""

    version: Version
    name: str | None
    place: int | None
    node: SchemaNode
    defined: DefinedColumn | None

    @property
    def is_optional(self) -> bool:
        """Whether the column may be null; the definition takes precedence."""
        for value in (self.defined and self.defined.is_optional, self.node.optional):
            if value is not None:
                return value
        return True

    @property
    def is_never_null(self) -> bool:
        """Whether the definition and the records both exclude null."""
        return not self.is_optional and self.node.optional is False


def version_rows(source: str, table: TableVersions) -> list[dict[str, Any]]:
    """Return the versions of a table, each with the list `columns`.

    Values that all columns of a version share occur once. The names are those of the model's
    columns.

    Args:
        source: name of the source.
        table: the table with its versions.
    """
    versions = [_columns_of(table, version) for version in table.versions]
    by_name: dict[str | None, list[_Column]] = {}
    for columns in versions:
        for column in columns:
            by_name.setdefault(column.name, []).append(column)
    labels = _labels(table)
    shared = {
        name: _across_versions(
            columns,
            len(versions),
            labels.get(name),
            is_exported=table.evidence == "column_export",
        )
        for name, columns in by_name.items()
    }
    rows = []
    for number, columns in enumerate(versions, start=1):
        ordinals = _ordinal_positions(columns, table.key_names)
        described = [
            {**_column_members(table, column, ordinals.get(place)), **shared[column.name]}
            for place, column in enumerate(columns)
        ]
        rows.append({**_version_members(source, table, number), "columns": described})
    return rows


def _columns_of(table: TableVersions, version: Version) -> list[_Column]:
    """Return the columns of a version, then fields that only the record key has."""
    names = set(names_of(version.nodes))
    defined = {column.name: column for column in table.definition_of(version) or ()}
    nodes: list[tuple[int | None, SchemaNode]] = [
        *enumerate(version.nodes),
        *((None, node) for node in table.key_nodes if node.field and node.field not in names),
    ]
    return [
        _Column(
            version=version,
            name=node.field,
            place=place,
            node=_node_with_type(table, node),
            defined=None if node.field is None else defined.get(node.field),
        )
        for place, node in nodes
    ]


def _node_with_type(table: TableVersions, node: SchemaNode) -> SchemaNode:
    """Return a node with its type, which configuration may add if the topic has none."""
    if node.type is not None:
        return node
    return node_of(table.configured_nodes, node.field) or node


def _ordinal_positions(columns: Sequence[_Column], key: Names) -> dict[int, int]:
    """Return ordinal positions in the table, from 1, by place in the list.

    Members of the key that the row lacks (`column.exclude.list`) follow the others.
    """
    places = [
        place
        for place, column in enumerate(columns)
        if column.place is not None or column.name in key
    ]
    places.sort(key=lambda place: (_defined_position(columns[place]), place))
    return {place: number for number, place in enumerate(places, start=1)}


def _defined_position(column: _Column) -> int:
    position = column.defined and column.defined.position
    return _LAST if position is None else position


def _labels(table: TableVersions) -> dict[str | None, list[str | None]]:
    """Return the labels of enums from all definitions, without duplicates."""
    labels: dict[str | None, dict[str | None, None]] = {}
    definitions = [one.definition for one in table.definitions]
    if table.evidence == "column_export":
        definitions.append(table.exported)
    for definition in definitions:
        for column in definition:
            if column.enum_values is not None:
                labels.setdefault(column.name, {}).update(dict.fromkeys(column.enum_values))
    return {name: list(values) for name, values in labels.items()}


def _across_versions(
    columns: Sequence[_Column],
    versions: int,
    labels: list[str | None] | None,
    *,
    is_exported: bool,
) -> dict[str, Any]:
    """Return members of a column across all versions, because values can be old.

    An export shows one version, and rows can be older than one of its columns.
    """
    allowed = [column.node.allowed for column in columns]
    is_certain = len(columns) == versions and all(item.is_never_null for item in columns)
    if is_exported:
        is_certain = False
    return {
        "is_never_null": is_certain,
        "enum_values": labels or None,
        "enum_lists": list(dict.fromkeys(text for text in allowed if text is not None)) or None,
    }


def _version_members(source: str, table: TableVersions, number: int) -> dict[str, Any]:
    version = table.versions[number - 1]
    log_position = version.log_position
    return {
        "source_name": source,
        **table.name._asdict(),
        "topic": table.topics[0],
        "topics": list(table.topics),
        "version": number,
        "is_current": table.is_current(version),
        "since_position": version.first_record and version.first_record.event_id,
        "since_source_position": version.lowest_position,
        "last_source_position": (log_position and log_position.position) or None,
        "last_position": log_position and log_position.record.event_id,
        "evidence": table.evidence,
        "table_comment": _trimmed_text(table.comment),
        "ended_by": table.ended_by,
    }


def _column_members(
    table: TableVersions, column: _Column, ordinal_position: int | None
) -> dict[str, Any]:
    node, defined, key = column.node, column.defined, table.key_names
    parameters = node.parameters or {}
    return {
        "column_name": column.name,
        "ordinal_position": ordinal_position,
        "connect_type": node.type,
        "semantic_type": node.name,
        "parameters": node.parameters,
        "schema_json": node.text,
        "is_optional": column.is_optional,
        "default_value": _first(node.default, defined and defined.default_value),
        "is_key": column.name in key,
        "key_position": key.index(column.name) + 1 if column.name in key else None,
        "database_type": _first(defined and defined.database_type, _propagated_type(parameters)),
        "comment": _trimmed_text(
            _first(defined and defined.comment, parameters.get(f"{_PROPAGATED}comment"))
        ),
        "gone_until": table.readded_columns.get(column.name or ""),
    }


def _propagated_type(parameters: Mapping[str, str | None]) -> str | None:
    """Return the database type in the parameters of a schema.

    `column.propagate.source.type` and `datatype.propagate.source.type` add it.
    """
    name = parameters.get(f"{_PROPAGATED}type")
    if name is None:
        return None
    numbers = [parameters.get(f"{_PROPAGATED}{member}") for member in ("length", "scale")]
    size = ",".join(number for number in numbers if number is not None)
    return f"{name.lower()}({size})" if size else name.lower()


def _first(*texts: str | None) -> str | None:
    return next((text for text in texts if text is not None), None)


def _trimmed_text(text: str | None) -> str | None:
    return (text or "").strip(" ") or None
