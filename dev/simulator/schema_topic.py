"""Records of schema-change topics."""

from __future__ import annotations

from typing import Any

from dev.simulator.connect_schema import Node, array, field, fields, struct

_SCHEMA = "io.debezium.connector.schema"
_TEXT = {"type": "string", "optional": False}


def key_schema(connector: str) -> Node:
    """Return the schema of a schema-change key."""
    name = f"io.debezium.connector.{connector}.SchemaChangeKey"
    return struct([field("databaseName", "string", False)], name, version=1)


_COLUMN = struct(
    [
        field("name", "string", False),
        field("jdbcType", "int32", False),
        field("nativeType", "int32"),
        field("typeName", "string", False),
        *fields({"typeExpression": "string", "charsetName": "string"}),
        *fields({"length": "int32", "scale": "int32"}),
        field("position", "int32", False),
        *fields({"optional": "boolean", "autoIncremented": "boolean", "generated": "boolean"}),
        *fields({"comment": "string", "defaultValueExpression": "string"}),
        array("enumValues", _TEXT),
    ],
    f"{_SCHEMA}.Column",
    version=1,
)
_TABLE = struct(
    [
        field("defaultCharsetName", "string"),
        array("primaryKeyColumnNames", _TEXT),
        array("columns", _COLUMN, False),
        field("comment", "string"),
    ],
    f"{_SCHEMA}.Table",
    True,
    version=1,
    field="table",
)
_CHANGE = struct(
    [*fields({"type": "string", "id": "string"}, False), _TABLE], f"{_SCHEMA}.Change", version=1
)


def value_schema(source: Node, connector: str) -> Node:
    """Return the schema of a schema-change value; `source` is the schema of its source block."""
    return struct(
        [
            source,
            field("ts_ms", "int64", False),
            *fields({"databaseName": "string", "schemaName": "string", "ddl": "string"}),
            array("tableChanges", _CHANGE, False),
        ],
        f"io.debezium.connector.{connector}.SchemaChangeValue",
        version=1,
    )


def table_change(
    kind: str, names: tuple[str, ...], key: list[str], columns: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return one element of `tableChanges`: the complete definition, also for an ALTER."""
    parts = (part.replace('"', '""') for part in names)
    return {
        "type": kind,
        "id": ".".join(f'"{part}"' for part in parts),
        "table": {
            "defaultCharsetName": None,
            "primaryKeyColumnNames": key,
            "columns": columns,
            "comment": None,
        },
    }


def column(
    position: int,
    name: str,
    type_name: str,
    jdbc: int,
    length: int | None,
    scale: int | None,
    optional: bool,
) -> dict[str, Any]:
    """Return one column of a table definition."""
    return {
        "name": name,
        "jdbcType": jdbc,
        "nativeType": None,
        "typeName": type_name,
        "typeExpression": type_name,
        "charsetName": None,
        "length": length,
        "scale": scale,
        "position": position,
        "optional": optional,
        "autoIncremented": False,
        "generated": False,
        "comment": None,
        "defaultValueExpression": None,
        "enumValues": None,
    }
