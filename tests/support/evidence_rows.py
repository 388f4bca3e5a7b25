"""Rows of the catalog's evidence query, written by hand: merging them needs no Spark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dbt_debezium_spark.catalog import TableVersions, tables_of_source
from dbt_debezium_spark.catalog.column_export import ExportedTables, tables_of_export
from dbt_debezium_spark.catalog.column_export.rows import csv_export
from dbt_debezium_spark.catalog.columns import version_rows
from dbt_debezium_spark.catalog.disagreements import disagreement_rows
from dbt_debezium_spark.config.for_macros import load_source
from dbt_debezium_spark.staging import origin_rules
from tests.support.blocks import source_options
from tests.support.schema_topic import column

Node = Mapping[str, Any]
MEMBERS = ("name", "db", "schema", "table")


def node(field: str, kind: str = "string", /, **members: Any) -> Node:
    """Return the schema of a column, a nullable text unless said otherwise."""
    return {"type": kind, "optional": True, **members, "field": field}


def point(at: int, **members: Any) -> dict[str, Any]:
    """Return a place in the source's log: its position has the number of its arrival."""
    return {
        "incarnation": 0,
        "epoch": 0,
        "position": f"{at:05d}",
        "seen": seen(at),
        **members,
    }


def seen(at: int, topic: str = "p.dbo.t") -> dict[str, Any]:
    """Return a record: the offset is the number of its arrival."""
    return {"at": at, "topic": topic, "partition": 0, "offset": at}


def events(columns: Iterable[str | Node] | None, at: int = 1, **members: Any) -> dict[str, Any]:
    """Return evidence of events; members of the source block begin with `source_`.

    Args:
        columns: names of texts, or nodes; none for events without an embedded schema.
        at: number of their arrival.
        **members: of the row, in place of the usual ones.
    """
    fields = None
    if columns is not None:
        fields = [node(one) if isinstance(one, str) else one for one in columns]
    after = {"type": "struct", "fields": fields, "optional": True, "field": "after"}
    schema = {"type": "struct", "fields": [{**after, "field": "before"}, after]}
    value_schema = None if fields is None else _compact(schema)
    return _row({"kind": "data", "value_schema": value_schema, **members}, at)


def statement(*changes: Any, at: int = 1, **members: Any) -> dict[str, Any]:
    """Return evidence of a record of the schema-change topic."""
    row = {"kind": "schema_change", "topic": "p", "table_changes": _compact(list(changes))}
    return _row({**row, **members}, at)


def change(
    kind: str, columns: Iterable[str | Node] | None = None, key: Iterable[str] = (), **members: Any
) -> dict[str, Any]:
    """Return an element of `tableChanges` of the table testDB.dbo.t."""
    table = None
    if columns is not None:
        table = {
            "primaryKeyColumnNames": list(key),
            "columns": [
                column(one, place, typeName="varchar") if isinstance(one, str) else one
                for place, one in enumerate(columns, start=1)
            ],
        }
    return {"type": kind, "id": '"testDB"."dbo"."t"', "table": table, **members}


def key_schema(*names: str) -> str:
    """Return the schema of a record key."""
    return _compact({"type": "struct", "fields": [node(name, optional=False) for name in names]})


def _row(members: dict[str, Any], at: int) -> dict[str, Any]:
    source = {"name": "p", "db": "testDB", "schema": "dbo", "table": "t", "version": "3.6.1.Final"}
    for member in [name for name in members if name.startswith("source_")]:
        source[member.removeprefix("source_")] = members.pop(member)
    usual = {
        "topic": "p.dbo.t",
        "source_block": _compact(source),
        "first_seen": seen(at),
        "lowest_position": f"{at:05d}",
        "points": [point(at)],
    }
    return {**usual, **members}


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Evidence:
    """One source and its evidence; what the catalog makes of it."""

    def __init__(
        self, *rows: Mapping[str, Any], connector: str = "sqlserver", **options: Any
    ) -> None:
        """Take the configuration of a source `s` with the topic prefix `p`, and evidence."""
        block = source_options(connector, **options)
        self.config = load_source("s", {"s": block})
        self._rules = origin_rules(self.config)
        self._texts = [_compact(row) for row in rows]
        self.exported: ExportedTables | None = None

    def with_export(self, text: str) -> Evidence:
        """Add an export of the database's catalog, a CSV file."""
        self.exported = tables_of_export(self.config, csv_export("columns.csv", text.encode()))
        return self

    def tables(self) -> list[TableVersions]:
        """Return the tables with their versions."""
        return tables_of_source(self.config, self._rules, self._texts, self.exported)

    def column_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the catalog."""
        versions = [row for table in self.tables() for row in version_rows("s", table)]
        return [
            {**{name: one for name, one in row.items() if name != "columns"}, **described}
            for row in versions
            for described in row["columns"]
        ]

    def disagreement_rows(self) -> list[dict[str, Any]]:
        """Return the rows about disagreements."""
        return [row for table in self.tables() for row in disagreement_rows("s", table)]

    def columns(self, *names: str, current: bool = False) -> list[tuple[Any, ...]]:
        """Return columns of the catalog's rows, of all versions or of current ones."""
        return [
            tuple(row[name] for name in names)
            for row in self.column_rows()
            if row["is_current"] or not current
        ]

    def disagreements(self, *names: str) -> list[tuple[Any, ...]]:
        """Return columns of the rows about disagreements."""
        return [tuple(row[name] for name in names) for row in self.disagreement_rows()]
