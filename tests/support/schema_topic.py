"""Records of the schema-change topic, and rows beside them, for every connector that has one."""

from __future__ import annotations

import json
from typing import Any

from tests.support.blocks import source_options
from tests.support.examples import compact

CONNECTORS = ("sqlserver", "oracle", "mysql", "mariadb")
PREFIX = "server1"
NAMES = {"sqlserver": ("testDB", "dbo"), "oracle": ("ORCLPDB1", "SHOP")}
# Members that appeared later (spec §9.2): 1.7 has none of them, 1.8 and 1.9 the comments.
SINCE_1_8 = ("comment",)
SINCE_2_0 = ("ts_ms", "defaultValueExpression", "enumValues")


def options(connector: str, **more: Any) -> dict[str, Any]:
    """Return the configuration of a source of this connector."""
    return source_options(connector, PREFIX, **more)


def column(name: str, position: int, **members: Any) -> dict[str, Any]:
    """Return one column of a definition, a nullable text unless told otherwise."""
    return {
        "name": name,
        "jdbcType": 12,
        "nativeType": None,
        "typeName": "VARCHAR",
        "typeExpression": "VARCHAR",
        "charsetName": None,
        "length": 40,
        "scale": None,
        "position": position,
        "optional": True,
        "autoIncremented": False,
        "generated": False,
        "comment": None,
        "defaultValueExpression": None,
        "enumValues": None,
        **members,
    }


class Source:
    """One connector's records in the order they are made; `at` counts its log up."""

    def __init__(self, connector: str, *, version: str = "3.6.1.Final", embedded: bool = False):
        self.connector = connector
        self.version = version
        self.embedded = embedded
        self.offsets: dict[str, int] = {}
        self.count = 0

    def block(self, at: int, table: str | None, snapshot: Any = "false") -> dict[str, Any]:
        """Return the source block of a record at position `at` of the log."""
        database, schema = NAMES.get(self.connector, ("shop", None))
        common = {"version": self.version, "connector": self.connector, "name": PREFIX}
        common |= {"ts_ms": 1_600_000_000_000, "snapshot": snapshot, "db": database}
        if self.connector == "sqlserver":
            lsn = f"{at:08x}:00000000:0000"
            place = {"commit_lsn": lsn, "change_lsn": lsn, "event_serial_no": 1}
        elif self.connector == "oracle":
            place = {"scn": str(at), "rs_id": " 0x00000f.00000f85.0010", "ssn": 0}
        else:
            place = {"file": f"binlog.{at // 1000:06d}", "pos": at % 1000 + 4, "row": 0}
        return common | ({"schema": schema} if schema else {}) | {"table": table} | place

    def change(
        self, kind: str, table: str, columns: list[Any] | None = None, key: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Return one element of `tableChanges`; `columns` are names or whole columns."""
        parts = [*(one for one in NAMES.get(self.connector, ("shop", None)) if one), table]
        quoted = [f'"{part.replace(chr(34), chr(34) * 2)}"' for part in parts]
        described = None
        if columns is not None:
            described = {
                "defaultCharsetName": None,
                "primaryKeyColumnNames": list(key),
                "columns": [
                    column(one, place) if isinstance(one, str) else {**one, "position": place}
                    for place, one in enumerate(columns, 1)
                ],
                "comment": None,
            }
        return {"type": kind, "id": ".".join(quoted), "table": described}

    def statement(
        self,
        ddl: str | None,
        *changes: dict[str, Any],
        at: int,
        table: str | None = None,
        snapshot: Any = "false",
        without: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """Return a record of the schema-change topic; `without` are members its version lacks."""
        block = self.block(at, table or ",".join(_table(one) for one in changes) or None, snapshot)
        value = {
            "source": block,
            "ts_ms": 1_600_000_000_000 + self.count,
            "databaseName": block["db"],
            "schemaName": block.get("schema"),
            "ddl": ddl,
            "tableChanges": list(changes),
        }
        if self.embedded:
            schema = {"type": "struct", "fields": [], "optional": False, "version": 1}
            return self._record(
                PREFIX,
                {"schema": schema, "payload": {"databaseName": block["db"]}},
                {"schema": schema, "payload": _without(value, without)},
            )
        return self._record(PREFIX, {"databaseName": block["db"]}, _without(value, without))

    def define(
        self,
        kind: str,
        table: str,
        columns: list[Any] | None = None,
        key: tuple[str, ...] = (),
        *,
        ddl: str | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Return the record of one change of one table; SQL Server tells no statement."""
        if ddl is None and self.connector != "sqlserver":
            ddl = f"{kind} TABLE {table}"
        return self.statement(ddl, self.change(kind, table, columns, key), **more)

    def row(
        self, table: str, names: list[Any], *, at: int, snapshot: Any = "false", op: str = "c"
    ) -> dict[str, Any]:
        """Return an event with embedded schemas.

        `names` are those of texts, or Connect nodes; the first is the key.
        """
        nodes = [
            {"type": "string", "optional": place > 0, "field": one} if isinstance(one, str) else one
            for place, one in enumerate(names)
        ]
        image = {"type": "struct", "fields": nodes, "optional": True}
        schema = {
            "type": "struct",
            "fields": [{**image, "field": "before"}, {**image, "field": "after"}],
            "optional": False,
        }
        block = self.block(at, table, snapshot)
        payload = {"before": None, "after": {}, "source": block, "op": op, "ts_ms": self.count}
        return self._record(
            self._topic(block, table),
            {
                "schema": {"type": "struct", "fields": nodes[:1], "optional": False},
                "payload": {nodes[0]["field"]: "1"},
            },
            {"schema": schema, "payload": payload},
        )

    def plain_row(self, table: str, image: dict[str, Any], *, at: int) -> dict[str, Any]:
        """Return an event without embedded schemas; the first member is the key."""
        block = self.block(at, table)
        key = dict(list(image.items())[:1])
        value = {"before": None, "after": image, "source": block, "op": "c", "ts_ms": self.count}
        return self._record(self._topic(block, table), key, value)

    def again(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record as the connector delivers it a second time: same place, new offset."""
        topic = record["topic"]
        value = json.loads(record["value"])
        payload = value.get("payload", value)
        payload["ts_ms"] = 1_700_000_000_000 + self.count
        return self._record(topic, json.loads(record["key"]), value)

    def _topic(self, block: dict[str, Any], table: str) -> str:
        parts = [PREFIX, block["db"], block.get("schema"), table]
        if self.connector == "oracle":
            parts.remove(block["db"])
        return ".".join(part for part in parts if part)

    def _record(self, topic: str, key: Any, value: Any) -> dict[str, Any]:
        offset = self.offsets.get(topic, -1) + 1
        self.offsets[topic] = offset
        self.count += 1
        return {
            "topic": topic,
            "partition": 0,
            "offset": offset,
            "timestamp": 1_600_000_000_000 + 1000 * self.count,
            "key": compact(key),
            "value": compact(value),
        }


def _table(change: dict[str, Any]) -> str:
    """Return the table of an id, as the source block writes it."""
    name: str = change["id"]
    return name[1:-1].rsplit('"."', 1)[-1].replace('""', '"')


def _without(value: Any, members: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {name: _without(one, members) for name, one in value.items() if name not in members}
    if isinstance(value, list):
        return [_without(one, members) for one in value]
    return value
