"""Whether the columns of a Parquet file are those of the Avro schema in its footer."""

from __future__ import annotations

import io
import json
from datetime import datetime
from typing import Any

import pyarrow.parquet as pq
import pytest

from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import parse
from dbt_debezium_spark.inputs.sinks.file_sets import SinkFile
from dbt_debezium_spark.inputs.sinks.forms import MAX_BYTES, _small
from dbt_debezium_spark.inputs.sinks.names import connect_name
from dbt_debezium_spark.inputs.sinks.parquet_items import fits
from dbt_debezium_spark.landing.listing import File
from tests.support import parquet_writer
from tests.support.parquet_writer import record


def optional(kind: Any) -> list[Any]:
    return ["null", kind]


ROW = record(
    id="int",
    day={"type": "int", "logicalType": "date"},
    at=optional({"type": "long", "logicalType": "timestamp-millis"}),
    clock={"type": "int", "logicalType": "time-millis"},
    names=optional({"type": "array", "items": "string"}),
    pairs={"type": "array", "items": record("Pair", key="int", value=optional("bytes"))},
    one={"type": "array", "items": record("One", only="double")},
    tags={"type": "map", "values": optional("string")},
)
EVENT = record("Event", after=optional(ROW), op="string")
PLAIN = '[["id", "INT32"], ["name", "BYTE_ARRAY"]]'


def columns_of(content: bytes) -> str:
    schema = pq.ParquetFile(io.BytesIO(content)).schema
    columns = [schema.column(number) for number in range(len(schema))]
    return json.dumps([[one.path, one.physical_type] for one in columns])


def test_columns_that_were_written_with_a_schema_fit_it() -> None:
    columns = columns_of(parquet_writer.written(EVENT, []))
    assert "after.names.list.element" in columns
    assert fits(parse(json.dumps(EVENT)), columns)


def test_lists_in_the_older_layout_of_avro_fit() -> None:
    pairs = {"type": "array", "items": record("Pair", key="int", value="bytes")}
    one = {"type": "array", "items": record("One", only="double")}
    schema = record("Row", names={"type": "array", "items": "string"}, pairs=pairs, one=one)
    columns = {
        "names.array": "BYTE_ARRAY",
        "pairs.array.key": "INT32",
        "pairs.array.value": "BYTE_ARRAY",
        "one.array.only": "DOUBLE",
    }
    assert fits(parse(json.dumps(schema)), json.dumps(list(columns.items())))


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "int"},
        {"id": "int", "name": "string", "more": "int"},
        {"name": "string", "id": "int"},
        {"id": "long", "name": "string"},
        {"id": "int", "other": "string"},
        {"id": "int", "name": {"type": "array", "items": "string"}},
        {"id": record("Inner", x="int"), "name": "string"},
    ],
)
def test_other_columns_do_not_fit(fields: dict[str, Any]) -> None:
    assert not fits(parse(json.dumps(record("Row", **fields))), PLAIN)
    assert fits(parse(json.dumps(record("Row", id="int", name="string"))), PLAIN)


def test_a_union_of_several_types_is_refused() -> None:
    with pytest.raises(UnsupportedSchema, match="a union of several types"):
        fits(parse(json.dumps(record("Row", id=["int", "string"], name="string"))), PLAIN)


def test_a_file_that_spark_cannot_hold_is_refused_and_no_other() -> None:
    files = [
        SinkFile(File(name, f"file:/{name}", size, datetime(2026, 1, 1)), connect_name(name))
        for name, size in (("t+0+0.parquet", MAX_BYTES), ("t+0+9.parquet", MAX_BYTES + 1))
    ]
    reasons: dict[str, str] = {}
    assert _small(files, reasons) == files[:1]
    (reason,) = reasons.values()
    assert reason.startswith("foreign_file: has 2147483648 bytes, and Spark reads at most")
    assert list(reasons) == ["file:/t+0+9.parquet"]
