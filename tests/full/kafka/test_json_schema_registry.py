"""A topic with Avro and JSON Schema by turns, from a real broker with a real registry."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dev.servers.kafka import Broker
from dev.servers.registry import Registry
from tests.avro.json_schema_writer import framed, json_schema
from tests.support.kafka_topics import Topics
from tests.support.landing_lake import Lake

AVRO = json.dumps(
    {
        "type": "record",
        "name": "Value",
        "namespace": "shop",
        "fields": [{"name": "id", "type": "int"}, {"name": "name", "type": ["null", "string"]}],
    }
)
ROW: dict[str, Any] = {
    "type": "struct",
    "fields": [
        {"type": "int32", "optional": False, "field": "id"},
        {"type": "string", "optional": True, "field": "name"},
    ],
    "optional": False,
    "name": "shop.Value",
}
PROTOBUF = 'syntax = "proto3";\nmessage Value {\n  int32 id = 1;\n}\n'


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    with Registry(tmp_path_factory.mktemp("registry")) as one:
        yield one


def register(registry: Registry, subject: str, kind: str, schema: str) -> int:
    """Register a schema as a serializer does, and return its id."""
    request = urllib.request.Request(
        f"{registry.confluent}/subjects/{subject}/versions",
        data=json.dumps({"schema": schema, "schemaType": kind}).encode(),
        headers={"Content-Type": "application/vnd.schemaregistry.v1+json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return int(json.load(answer)["id"])


def avro(schema_id: int, number: int, name: str | None) -> bytes:
    text = b"\x00" if name is None else b"\x02" + bytes([len(name) * 2]) + name.encode()
    return b"\x00" + schema_id.to_bytes(4, "big") + bytes([number * 2]) + text


@pytest.mark.covers("form JSON Schema with a registry: kafka")
def test_each_record_is_read_by_the_type_of_its_schema(
    spark: SparkSession,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    registry: Registry,
) -> None:
    of_avro = register(registry, "avro-value", "AVRO", AVRO)
    of_json = register(registry, "json-value", "JSON", json.dumps(json_schema(ROW)))
    of_protobuf = register(registry, "protobuf-value", "PROTOBUF", PROTOBUF)
    with Broker(tmp_path_factory.mktemp("broker")) as broker:
        topics = Topics(broker.address)
        topics.create("orders")
        lake = Lake(spark, tmp_path)
        lake.input = {"type": "kafka", "brokers": broker.address}
        lake.topic_prefix = topics.prefix
        lake.options = {"avro": {"registry": registry.confluent, "key": "text"}}
        topics.send(
            "orders",
            [
                avro(of_avro, 1, "a"),
                framed(of_json, '{"id":2,"name":null}'),
                framed(of_protobuf, "\x00\x08\x03"),
                avro(of_avro, 4, None),
                framed(of_json, '{"id":5,"name":"ü"}'),
            ],
            key='{"id":1}',
        )
        lake.run()
        values = [json.loads(row.value) for row in lake.rows("value")]
        assert [value["payload"] for value in values] == [
            {"id": 1, "name": "a"},
            {"id": 2, "name": None},
            {"id": 4, "name": None},
            {"id": 5, "name": "ü"},
        ]
        # both kinds of schema are the same to everything that follows
        assert all(value["schema"] == ROW for value in values)
        (reason,) = lake.reasons()
        assert f"schema id {of_protobuf} of topic {topics.name('orders')} is in Protobuf" in reason
        before = lake.versions()
        lake.run()
        assert lake.versions() == before
