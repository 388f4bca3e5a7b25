"""A PostgreSQL table whose layout changes, and the records that Debezium writes of it."""

from __future__ import annotations

import base64
import json
from decimal import Decimal
from typing import Any

from tests.support.embedded_records import field

DECIMAL = "org.apache.kafka.connect.data.Decimal"
Row = dict[str, Any]


def decimal_field(name: str, precision: int, scale: int) -> dict[str, Any]:
    """Return the Connect node of a NUMERIC column."""
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
    return field(name, "bytes", name=DECIMAL, parameters=parameters)


class AlteredTable:
    """Writes change records of one table; `alter` gives it another layout."""

    def __init__(self, name: str, fields: list[dict[str, Any]], key: tuple[str, ...] = ("id",)):
        self.name = name
        self.lines: list[str] = []
        self._fields = fields
        self._key = key
        self._offset = 0

    def alter(self, fields: list[dict[str, Any]], key: tuple[str, ...] | None = None) -> None:
        """Use other columns, and another key, from now on."""
        self._fields = fields
        self._key = self._key if key is None else key

    def create(self, **row: Any) -> None:
        """Write an insert."""
        self._write("c", row, None, row)

    def update(self, before: Row | None = None, **row: Any) -> None:
        """Write an update; `before` where the replica identity is full."""
        self._write("u", row, before, row)

    def delete(self, before: Row | None = None, tombstone: bool = True, **key: Any) -> None:
        """Write a delete and its tombstone."""
        self._write("d", None, before or key, key)
        if tombstone:
            self._add(self._key_text(key), None)

    def _write(self, op: str, after: Row | None, before: Row | None, named_by: Row) -> None:
        row = {"type": "struct", "fields": self._fields, "optional": True}
        schema = {
            "type": "struct",
            "optional": False,
            "fields": [{**row, "field": "before"}, {**row, "field": "after"}],
        }
        position = 1000 + self._offset
        source = {
            "version": "3.6.1.Final", "connector": "postgresql", "name": "shop", "db": "db",
            "schema": "public", "table": self.name, "snapshot": "false", "ts_ms": 1_600_000_000_000,
            "lsn": position, "sequence": f'["{position - 1}","{position}"]', "txId": position,
        }  # fmt: skip
        payload = {
            "before": self._encoded(before),
            "after": self._encoded(after),
            "source": source,
            "op": op,
            "ts_ms": 1_600_000_000_000 + self._offset,
        }
        self._add(self._key_text(named_by), {"schema": schema, "payload": payload})

    def _add(self, key: str | None, value: dict[str, Any] | None) -> None:
        record = {
            "topic": f"shop.public.{self.name}",
            "partition": 0,
            "offset": self._offset,
            "timestamp": 1_600_000_000_000 + 1000 * self._offset,
            "key": key,
            "value": None if value is None else json.dumps(value, separators=(",", ":")),
        }
        self.lines.append(json.dumps(record))
        self._offset += 1

    def _key_text(self, row: Row) -> str | None:
        if not self._key:
            return None
        fields = [one for one in self._fields if one["field"] in self._key]
        payload = {name: row[name] for name in self._key}
        schema = {"type": "struct", "fields": fields, "optional": False}
        return json.dumps({"schema": schema, "payload": payload}, separators=(",", ":"))

    def _encoded(self, row: Row | None) -> Row | None:
        if row is None:
            return None
        return {one["field"]: _encoded(one, row.get(one["field"])) for one in self._fields}


def _encoded(node: dict[str, Any], value: Any) -> Any:
    if isinstance(value, Decimal):
        unscaled = int(value.scaleb(int(node["parameters"]["scale"])))
        return base64.b64encode(unscaled.to_bytes(8, "big", signed=True)).decode()
    return value
