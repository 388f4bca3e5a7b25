"""Records with embedded schemas, rewritten as a tool with typed columns stores them.

Each column has the Arrow type of its Connect schema, as Kafka Connect's Parquet format and others
write it; what a type does not tell (`io.debezium.data.Enum`, `Json`, …) is lost on the way.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_PLAIN = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "bytes": pa.binary(),
}
_DECIMAL = "org.apache.kafka.connect.data.Decimal"
_SEMANTIC = {
    "io.debezium.time.Date": pa.date32(),
    "io.debezium.time.Timestamp": pa.timestamp("ms"),
    "io.debezium.time.MicroTimestamp": pa.timestamp("us"),
    "io.debezium.time.ZonedTimestamp": pa.timestamp("us", tz="UTC"),
}
_HEADERS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
_TABLES = "public"


def write_nested_parquet(lines: Iterable[str], folder: Path, name: str) -> list[Path]:
    """Write the change events of tables as Parquet files, one for each topic and schema.

    The members of the envelope are columns beside Kafka's; the key is a struct. A tombstone is a
    row without a value.

    Args:
        lines: of a record file.
        folder: for the files.
        name: first part of their names.
    """
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    schemas: dict[str, str] = {}
    for line in lines:
        record = json.loads(line)
        topic = record["topic"]
        if f".{_TABLES}." not in topic:
            continue
        if record["value"] is not None:
            value = json.loads(record["value"])
            key = None if record["key"] is None else json.loads(record["key"])["schema"]
            schemas[topic] = json.dumps([value["schema"], key])
        groups.setdefault((topic, schemas[topic]), []).append(record)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, ((topic, schema), records) in enumerate(groups.items()):
        path = folder / f"{name}-{topic}-{number}.parquet"
        pq.write_table(_table(records, *json.loads(schema)), path)
        written.append(path)
    return written


def _table(
    records: list[dict[str, Any]], value: Mapping[str, Any], key: Mapping[str, Any] | None
) -> pa.Table:
    columns: dict[str, pa.Array] = {
        "topic": pa.array([one["topic"] for one in records]),
        "partition": pa.array([one["partition"] for one in records], pa.int32()),
        "offset": pa.array([one["offset"] for one in records], pa.int64()),
        "timestamp": pa.array([one["timestamp"] for one in records], pa.int64()),
        "headers": pa.array([one["headers"] for one in records], _HEADERS),
        "key_text": pa.array([one["key"] for one in records], pa.string()),
    }
    payloads = [None if one["value"] is None else json.loads(one["value"]) for one in records]
    keys = [None if one["key"] is None else json.loads(one["key"])["payload"] for one in records]
    if key is not None:
        columns["key"] = pa.array([_value(one, key) for one in keys], _type(key))
    for node in value["fields"]:
        members = [None if one is None else one["payload"][node["field"]] for one in payloads]
        columns[node["field"]] = pa.array([_value(one, node) for one in members], _type(node))
    return pa.table(columns)


def _type(node: Mapping[str, Any]) -> pa.DataType:
    if node.get("name") == _DECIMAL:
        parameters = node["parameters"]
        return pa.decimal128(int(parameters["connect.decimal.precision"]), int(parameters["scale"]))
    if node.get("name") in _SEMANTIC:
        return _SEMANTIC[node["name"]]
    if node["type"] == "struct":
        return pa.struct([(one["field"], _type(one)) for one in node["fields"]])
    if node["type"] == "array":
        return pa.list_(_type(node["items"]))
    return _PLAIN[node["type"]]


def _value(value: Any, node: Mapping[str, Any]) -> Any:
    if value is None:
        return None
    if node.get("name") == _DECIMAL:
        unscaled = int.from_bytes(base64.b64decode(value), "big", signed=True)
        # arithmetic would round to 28 digits
        digits = tuple(int(digit) for digit in str(abs(unscaled)))
        return Decimal((int(unscaled < 0), digits, -int(node["parameters"]["scale"])))
    if node.get("name") == "io.debezium.time.ZonedTimestamp":
        return datetime.fromisoformat(value)
    if node["type"] == "bytes":
        return base64.b64decode(value)
    if node["type"] == "struct":
        return {one["field"]: _value(value[one["field"]], one) for one in node["fields"]}
    if node["type"] == "array":
        return [_value(one, node["items"]) for one in value]
    return value


def lines_of(parts: Iterable[Path]) -> Iterator[str]:
    """Yield the lines of record files."""
    for part in parts:
        yield from (line for line in part.read_text(encoding="utf-8").split("\n") if line)
