"""Tables and columns that configuration describes: `debezium_sources.<source>.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.catalog.json_texts import to_json
from dbt_debezium_spark.catalog.postgresql_types import postgresql_encoding
from dbt_debezium_spark.catalog.schema_node import Nodes, SchemaNode
from dbt_debezium_spark.decode.errors import refusal


@dataclass(frozen=True)
class ConfiguredTable:
    """A table in the configuration; `key` is None if it has no key there."""

    key: tuple[str, ...] | None
    nodes: Nodes


def configured_tables(config: Mapping[str, Any]) -> dict[str, ConfiguredTable]:
    """Return the configured tables by name, each column as a Connect schema.

    Raises:
        CompilationError: a column has an unknown database type.
    """
    tables = {}
    for table, settings in (config.get("tables") or {}).items():
        key = settings.get("key")
        nodes = tuple(
            SchemaNode(to_json(connect_node(_by_connect_type(config, table, column))))
            for column in settings.get("columns") or ()
        )
        tables[table] = ConfiguredTable(None if key is None else tuple(key), nodes)
    return tables


def connect_node(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configured column as a node of a Connect schema, the reverse of `column_of`.

    The name of a field is `name` in the configuration and `field` in Connect; its semantic name is
    `semantic` and `name`.
    """
    node: dict[str, Any] = {"type": column["type"], "optional": column.get("optional", True)}
    if column.get("name") is not None:
        node["field"] = column["name"]
    if column.get("semantic") is not None:
        node["name"] = column["semantic"]
    for member in ("parameters", "default"):
        if column.get(member) is not None:
            node[member] = column[member]
    for member in ("items", "keys", "values"):
        if isinstance(column.get(member), Mapping):
            node[member] = connect_node(column[member])
    if column.get("fields"):
        node["fields"] = [connect_node(field) for field in column["fields"]]
    return node


def _by_connect_type(
    config: Mapping[str, Any], table: str, column: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a configured column with its Connect type, derived from a given database type."""
    database_type = column.get("database_type")
    if not database_type:
        return column
    encoding = postgresql_encoding(config, database_type)
    if encoding is None:
        raise refusal(
            "configured_columns",
            f"debezium_sources.{config['name']}.tables.{table}.columns: '{column['name']}' has the"
            f" database_type '{database_type}', which is not known.",
            "Write a type of docs/types.md, an array of one (`integer[]`), or the Connect type"
            " (`type`, `semantic`).",
        )
    described = {**column, **encoding}
    del described["database_type"]
    return described
