"""Records in Avro land as the JSON that stands for them, from Kafka, from Parquet, from a table."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.avro.errors import RegistryError
from dev.servers.kafka import Broker
from tests.avro.stub_registry import StubRegistry, stub_registry
from tests.support.kafka_topics import Topics
from tests.support.landing_lake import SCHEMA, Lake

ROW = json.dumps(
    {
        "type": "record",
        "name": "Value",
        "fields": [{"name": "id", "type": "int"}, {"name": "name", "type": "string"}],
    }
)
KEY = json.dumps(
    {"type": "record", "name": "Key", "fields": [{"name": "id", "type": "int"}]},
)
_serial = itertools.count(1)


def key(number: int) -> bytes:
    return b"\x00\x00\x00\x00\x01" + bytes([number * 2])


def value(number: int, name: str) -> bytes:
    text = name.encode()
    return b"\x00\x00\x00\x00\x02" + bytes([number * 2, len(text) * 2]) + text


@pytest.fixture
def registry() -> Iterator[StubRegistry]:
    with stub_registry() as stub:
        stub.add(1, KEY)
        stub.add(2, ROW)
        yield stub


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path, registry: StubRegistry) -> Lake:
    one = Lake(spark, tmp_path)
    one.options = {"avro": {"registry": registry.address}}
    return one


def payloads(lake: Lake) -> list[object]:
    rows = lake.rows("key", "value")
    return [
        [json.loads(text)["payload"] if text is not None else None for text in (row.key, row.value)]
        for row in rows
    ]


def rejected(lake: Lake) -> list[dict[str, object]]:
    rows = lake.session.table(f"{lake.raw}__rejected").select("reason", "content").collect()
    return [{"reason": row.reason, **json.loads(row.content)} for row in rows]


def write_parquet(lake: Lake, *rows: tuple[int, bytes | None, bytes | None]) -> None:
    frame = lake.session.createDataFrame(
        [("p.shop.orders", 0, *row) for row in rows],
        "topic string, partition int, offset bigint, key binary, Value binary",
    )
    path = lake.folder / f"{next(_serial)}"
    frame.coalesce(1).write.parquet(str(path))


@pytest.mark.covers("form Avro with a registry: files")
def test_parquet_with_bytes_lands_as_json(lake: Lake) -> None:
    write_parquet(lake, (0, key(1), value(1, "ä")), (1, key(1), None), (2, None, b"no avro"))
    lake.run()
    assert payloads(lake) == [[{"id": 1}, {"id": 1, "name": "ä"}], [{"id": 1}, None]]
    (bad,) = rejected(lake)
    assert bad["Value" if "Value" in bad else "value"] == "bm8gYXZybw=="
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_lines_beside_are_text_as_ever(lake: Lake) -> None:
    lake.write("a.jsonl", '{"topic":"p.t","partition":0,"offset":0,"key":null,"value":"{}"}\n')
    lake.run()
    assert [row.value for row in lake.rows("value")] == ["{}"]


@pytest.mark.covers("form Avro with a registry: table")
def test_a_table_with_bytes_lands_as_json(lake: Lake) -> None:
    lake.session.createDataFrame(
        [("p.shop.orders", 0, 0, key(3), value(3, "c"))],
        "topic string, partition int, offset bigint, k binary, value binary",
    ).createOrReplaceTempView("avro_bronze")
    lake.input = {"type": "table", "relation": "avro_bronze", "columns": {"key": "k"}}
    lake.run()
    assert payloads(lake) == [[{"id": 3}, {"id": 3, "name": "c"}]]


@pytest.mark.covers("form Avro with a registry: kafka")
def test_kafka_lands_as_json_and_a_registry_that_is_down_stops_no_known_schema(
    spark: SparkSession, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Broker(tmp_path_factory.mktemp("broker")) as broker:
        topics = Topics(broker.address)
        topics.create("orders")
        lake = Lake(spark, tmp_path)
        lake.input = {"type": "kafka", "brokers": broker.address}
        lake.topic_prefix = topics.prefix
        with stub_registry() as stub:
            lake.options = {"avro": {"registry": stub.address, "key": "text"}}
            stub.add(2, ROW)
            topics.send("orders", [value(1, "a"), b"no avro"], key='{"id":1}')
            lake.run()
        assert [json.loads(row.value)["payload"] for row in lake.rows("value")] == [
            {"id": 1, "name": "a"}
        ]
        (bad,) = rejected(lake)
        assert (bad["offset"], bad["value"]) == (1, "bm8gYXZybw==")

        topics.send("orders", [value(2, "b")], key='{"id":2}')
        lake.run()
        assert lake.offsets() == [0, 2]

        # The registry has gone with its block: what is not known now may be known to it.
        topics.send("orders", [b"\x00\x00\x00\x00\x09x"], key='{"id":3}')
        before = lake.versions()
        with pytest.raises(RegistryError, match=rf"9.*{topics.name('orders')}"):
            lake.run()
        assert lake.versions() == before


def test_the_schemas_are_kept_beside_the_raw_table(lake: Lake) -> None:
    write_parquet(lake, (0, key(1), value(1, "a")))
    lake.run()
    rows = lake.session.table(f"{SCHEMA}.{lake.name}__schemas").select("id").collect()
    assert sorted(row.id for row in rows) == [1, 2]
