"""Write Parquet files from Connect's JSON, in the layout of Avro's writer for Parquet.

Connect's sinks write Parquet through it: columns by the Avro schema, which the footer keeps. The
writer itself is tested in tests/full/kafka/test_parquet_avro.py.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.avro_writer import avro_schema

_TYPES = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "bytes": pa.binary(),
}
_LOGICAL = {
    "date": pa.date32(),
    "time-millis": pa.time32("ms"),
    "timestamp-millis": pa.timestamp("ms", tz="UTC"),
}


def record(name: str = "Row", /, **fields: Any) -> dict[str, Any]:
    """Return the Avro schema of a record."""
    members = [{"name": one, "type": kind} for one, kind in fields.items()]
    return {"type": "record", "name": name, "fields": members}


def values_file(texts: Sequence[str], column: str | None = None) -> bytes:
    """Return a file of records in Connect's JSON, all of one embedded schema.

    Args:
        texts: the records.
        column: the sink wraps keys in a record with this field.
    """
    told = [json.loads(text) for text in texts]
    schema, rows = told[0]["schema"], [one["payload"] for one in told]
    if column is not None:
        fields = [{**schema, "field": column}]
        schema, rows = {"type": "struct", "fields": fields}, [{column: row} for row in rows]
    return written(avro_schema(schema), [plain(schema, row) for row in rows])


def written(avro: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a file with the Avro schema in its footer.

    Args:
        avro: schema of a record.
        rows: values for Arrow.
    """
    kind = arrow_type(avro)
    columns = pa.schema(list(kind), metadata={"parquet.avro.schema": json.dumps(avro)})
    content = io.BytesIO()
    table = pa.Table.from_pylist(list(rows), columns)
    pq.write_table(table, content)
    return content.getvalue()


def arrow_type(avro: Any) -> pa.DataType:
    """Return the type of a column for an Avro type."""
    if isinstance(avro, list):
        (avro,) = [one for one in avro if one != "null"]
    if isinstance(avro, str):
        avro = {"type": avro}
    if avro["type"] == "record":
        return pa.struct([(one["name"], arrow_type(one["type"])) for one in avro["fields"]])
    if avro["type"] == "array":
        return pa.list_(arrow_type(avro["items"]))
    if avro["type"] == "map":
        return pa.map_(pa.string(), arrow_type(avro["values"]))
    return _LOGICAL.get(avro.get("logicalType"), _TYPES[avro["type"]])


def plain(schema: Mapping[str, Any], value: Any) -> Any:
    """Return a value of Connect's JSON for Arrow."""
    if value is None:
        return None
    if schema["type"] == "struct":
        return {one["field"]: plain(one, value.get(one["field"])) for one in schema["fields"]}
    if schema["type"] == "array":
        return [plain(schema["items"], one) for one in value]
    if schema["type"] == "map":
        return [(name, plain(schema["values"], one)) for name, one in value.items()]
    return base64.b64decode(value) if schema["type"] == "bytes" else value
