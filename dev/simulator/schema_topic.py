"""Records of schema-change topics."""

from __future__ import annotations

from typing import Any


def _field(name: str, kind: str, optional: bool = True) -> dict[str, Any]:
    return {"type": kind, "optional": optional, "field": name}


def _texts(name: str) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "string", "optional": False},
        "optional": True,
        "field": name,
    }


def key_schema(connector: str) -> dict[str, Any]:
    """Return the schema of a schema-change key."""
    return {
        "type": "struct",
        "fields": [_field("databaseName", "string", False)],
        "optional": False,
        "name": f"io.debezium.connector.{connector}.SchemaChangeKey",
        "version": 1,
    }


_COLUMN = {
    "type": "struct",
    "fields": [
        _field("name", "string", False),
        _field("jdbcType", "int32", False),
        _field("nativeType", "int32"),
        _field("typeName", "string", False),
        _field("typeExpression", "string"),
        _field("charsetName", "string"),
        _field("length", "int32"),
        _field("scale", "int32"),
        _field("position", "int32", False),
        _field("optional", "boolean"),
        _field("autoIncremented", "boolean"),
        _field("generated", "boolean"),
        _field("comment", "string"),
        _field("defaultValueExpression", "string"),
        _texts("enumValues"),
    ],
    "optional": False,
    "name": "io.debezium.connector.schema.Column",
    "version": 1,
}
_TABLE = {
    "type": "struct",
    "fields": [
        _field("defaultCharsetName", "string"),
        _texts("primaryKeyColumnNames"),
        {"type": "array", "items": _COLUMN, "optional": False, "field": "columns"},
        _field("comment", "string"),
    ],
    "optional": True,
    "name": "io.debezium.connector.schema.Table",
    "version": 1,
    "field": "table",
}
_CHANGE = {
    "type": "struct",
    "fields": [_field("type", "string", False), _field("id", "string", False), _TABLE],
    "optional": False,
    "name": "io.debezium.connector.schema.Change",
    "version": 1,
}


def value_schema(source: dict[str, Any], connector: str) -> dict[str, Any]:
    """Return the schema of a schema-change value; `source` is the schema of its source block."""
    return {
        "type": "struct",
        "fields": [
            source,
            _field("ts_ms", "int64", False),
            _field("databaseName", "string"),
            _field("schemaName", "string"),
            _field("ddl", "string"),
            {"type": "array", "items": _CHANGE, "optional": False, "field": "tableChanges"},
        ],
        "optional": False,
        "name": f"io.debezium.connector.{connector}.SchemaChangeValue",
        "version": 1,
    }


def table_change(
    kind: str,
    database: str,
    table: str,
    key: list[str],
    columns: list[dict[str, Any]],
    schema: str = "dbo",
) -> dict[str, Any]:
    """Return one element of `tableChanges`: the complete definition, also for an ALTER."""
    # MySQL has no schemas
    parts = (part.replace('"', '""') for part in (database, schema, table) if part)
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
    name: str,
    position: int,
    type_name: str,
    jdbc: int,
    length: int | None,
    scale: int | None,
    optional: bool,
    labels: tuple[str, ...] = (),
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
        "enumValues": [f"'{label}'" for label in labels] or None,
    }
