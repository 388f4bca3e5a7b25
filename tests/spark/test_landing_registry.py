"""Values with the id of a schema in a registry land as JSON with that schema."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame

from dbt_debezium_spark.inputs.avro.errors import RegistryError
from tests.avro.json_schema_writer import framed, json_schema
from tests.avro.stub_registry import StubRegistry, stub_registry
from tests.support import avro_writer
from tests.support.landing_lake import Lake, line

KEY = {
    "type": "struct",
    "fields": [{"type": "int64", "optional": False, "field": "id"}],
    "optional": False,
    "name": "p.shop.orders.Key",
}
ROW = {
    "type": "struct",
    "fields": [
        {"type": "int64", "optional": False, "field": "id"},
        {"type": "string", "optional": True, "field": "name"},
    ],
    "optional": False,
    "name": "p.shop.orders.Value",
    "version": 1,
}
AVRO = {
    "type": "record",
    "name": "Row",
    "fields": [{"name": "id", "type": "int"}, {"name": "name", "type": "string"}],
}
_COLUMNS = "topic string, partition int, offset bigint, key binary, value binary"
_serial = itertools.count(1)


@pytest.fixture
def registry() -> Iterator[StubRegistry]:
    with stub_registry() as stub:
        stub.add(1, json_schema(KEY), schemaType="JSON")
        stub.add(2, json_schema(ROW), schemaType="JSON")
        stub.add(3, 'syntax = "proto3"; message Order { int64 id = 1; }', schemaType="PROTOBUF")
        stub.add(4, {"oneOf": [{"type": "string"}, {"type": "integer"}]}, schemaType="JSON")
        stub.add(5, AVRO)
        yield stub


@pytest.fixture
def lake(lake: Lake, registry: StubRegistry) -> Lake:
    lake.options = {"avro": {"registry": registry.address}}
    return lake


def frame(lake: Lake, first: int, key: bytes | None, *values: bytes | None) -> DataFrame:
    """Return records with offsets from the first on."""
    return lake.session.createDataFrame(
        [("p.shop.orders", 0, offset, key, value) for offset, value in enumerate(values, first)],
        _COLUMNS,
    )


def land(lake: Lake, *values: bytes | None, key: bytes | None = None, first: int = 0) -> None:
    """Land values in a file of Parquet."""
    frame(lake, first, key, *values).coalesce(1).write.parquet(
        str(lake.folder / f"{next(_serial)}")
    )
    lake.run()


def avro(number: int, name: str, schema_id: int = 5) -> bytes:
    body = avro_writer.written_long(number) + avro_writer.written_bytes(name.encode())
    return b"\x00" + schema_id.to_bytes(4, "big") + body


def landed(lake: Lake) -> list[str | None]:
    return [row.value for row in lake.rows("value")]


@pytest.mark.covers("form JSON Schema with a registry: files, table")
def test_a_value_is_the_text_of_the_json_converter(lake: Lake) -> None:
    payload = '{"id":9007199254740993,"name":"ü \\"𝄞\\" }"}'
    land(lake, framed(2, payload), None, key=framed(1, '{"id":9007199254740993}'))
    schema = json.dumps(ROW, separators=(",", ":"))
    assert landed(lake) == [f'{{"schema":{schema},"payload":{payload}}}', None]
    (key, _) = [row.key for row in lake.rows("key")]
    assert json.loads(key) == {"schema": KEY, "payload": {"id": 9007199254740993}}
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


# No one JSON value each.
BODIES = (
    "",
    "{",
    '{"id":1}{"id":2}',
    '{"id":1},"schema":{"type":"string"}',
    '1},"payload":2,"x":{',
    '{"id":1},"end":0}',
    "no json",
)


def test_a_body_that_is_not_one_json_value_is_rejected(lake: Lake) -> None:
    no_text = framed(2, '{"id":1,"name":"') + b"\xff" + b'"}'
    bodies = [*[framed(2, body) for body in BODIES], no_text]
    land(lake, *bodies, framed(2, '{"id":2,"name":null}'))
    assert [json.loads(str(text))["payload"]["id"] for text in landed(lake)] == [2]
    assert lake.reasons() == ["bad_value: value: not one JSON value after schema id 2"] * len(
        bodies
    )


@pytest.mark.covers("form Protobuf with a registry: files, aiven, kafka, table")
def test_protobuf_is_refused_with_what_to_use(lake: Lake) -> None:
    land(lake, framed(3, "\x00\x08\x01"), framed(2, '{"id":2,"name":null}'))
    assert len(landed(lake)) == 1
    (reason,) = lake.reasons()
    assert reason == (
        "bad_value: value: schema id 3 of topic p.shop.orders is in Protobuf, which is not read:"
        " let the connector write JSON (JsonConverter), Avro (AvroConverter) or JSON Schema"
        " (JsonSchemaConverter)"
    )


@pytest.mark.full
def test_a_schema_that_connect_cannot_say_rejects_its_records(lake: Lake) -> None:
    land(lake, framed(4, '"x"'), framed(2, '{"id":2,"name":null}'))
    assert len(landed(lake)) == 1
    (reason,) = lake.reasons()
    assert "schema id 4 cannot be written as JSON" in reason and "a choice between" in reason


@pytest.mark.full
def test_the_schemas_are_fetched_once(lake: Lake, registry: StubRegistry) -> None:
    land(lake, framed(2, '{"id":1,"name":null}'))
    asked = list(registry.asked)
    land(lake, framed(2, '{"id":2,"name":null}'), first=7)
    assert lake.offsets() == [0, 7] and registry.asked == asked


@pytest.mark.full
def test_a_registry_that_is_down_stops_no_known_schema(lake: Lake) -> None:
    with stub_registry() as stub:
        stub.add(5, AVRO)
        lake.options = {"avro": {"registry": stub.address}}
        land(lake, avro(1, "a"))
    land(lake, avro(2, "b"), first=1)
    assert lake.offsets() == [0, 1]
    # what is not known now may be known to it
    before = lake.versions()
    with pytest.raises(RegistryError, match=r"9.*p\.shop\.orders"):
        land(lake, avro(3, "c", schema_id=9), first=2)
    assert lake.versions() == before


@pytest.mark.covers("form Avro with a registry: files, table")
def test_avro_lands_from_files_and_from_a_table_and_lines_beside_stay_text(lake: Lake) -> None:
    lake.write("a.jsonl", line(20, value="{}"))
    land(lake, avro(1, "ä"), None, b"no avro", key=framed(1, '{"id":1}'))
    first, tombstone, text = landed(lake)
    assert json.loads(str(first))["payload"] == {"id": 1, "name": "ä"}
    assert (tombstone, text) == (None, "{}")
    (bad,) = lake.rejections()
    assert json.loads(bad.content)["value"] == base64.b64encode(b"no avro").decode()
    schemas = lake.session.table(f"{lake.raw}__schemas").collect()
    assert sorted(row.id for row in schemas) == [1, 5]

    frame(lake, 7, None, avro(3, "c")).createOrReplaceTempView("avro_bronze")
    lake.input = {"type": "table", "relation": "avro_bronze"}
    lake.run()
    (of_table,) = [row.value for row in lake.rows("offset", "value") if row.offset == 7]
    assert json.loads(of_table)["payload"] == {"id": 3, "name": "c"}


@pytest.mark.full
@pytest.mark.covers("form Avro with a registry, JSON Schema with a registry: aiven")
def test_values_in_csv_of_a_sink_are_decoded(lake: Lake) -> None:
    lake.input = {
        "type": "files", "path": "data", "layout": "aiven", "fields": ["key", "value", "offset"],
    }  # fmt: skip
    key, value = (base64.b64encode(framed(id_, '{"id":4}')).decode() for id_ in (1, 2))
    lake.write("p.shop.orders-0-7", f"{key},{value},7\n{key},AAAA,8\n")
    lake.run()

    (text,) = landed(lake)
    assert text is not None and json.loads(text)["payload"] == {"id": 4}
    (reason,) = lake.reasons()
    assert reason.startswith("bad_value: value: not Avro with a schema id")
