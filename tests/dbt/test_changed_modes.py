"""An operator changes `decimal.handling.mode` in the middle of a topic: each record by its schema.

The models are those of the first layout; the second batch brings records of another one.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.support.examples import compact
from tests.support.project import create_project
from tests.support.raw import RAW_TYPE, raw_row

DECIMAL = "org.apache.kafka.connect.data.Decimal"
TOPIC = "modes.public.prices"
PRICE = {
    "name": "price",
    "type": "bytes",
    "semantic": DECIMAL,
    "parameters": {"scale": "2", "connect.decimal.precision": "10"},
}
COLUMNS = [{"name": "id", "type": "int32", "optional": False}, PRICE]


def node(kind: str, **more: object) -> dict[str, object]:
    """Return the schema of the column `price` in a record."""
    return {"field": "price", "type": kind, "optional": True, **more}


PRECISE = node("bytes", name=DECIMAL, parameters=PRICE["parameters"])
FINER = node("bytes", name=DECIMAL, parameters={"scale": "4", "connect.decimal.precision": "12"})
TEXT = node("string")


@pytest.mark.full
def test_records_of_changed_modes_are_read_by_their_own_schemas(
    tmp_path: Path, spark_by_target: dict[str, SparkSession]
) -> None:
    spark, schema = spark_by_target["iceberg"], "changed_modes"
    spark.sql(f"create schema if not exists `{schema}`")
    spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed").create()
    given = json.dumps(COLUMNS)
    project = create_project(
        tmp_path,
        schema=schema,
        target="iceberg",
        spark=spark,
        files={
            "models/raw_modes.sql": (
                "{{ config(materialized='view') }}\n" + f"select * from `{schema}`.landed"
            ),
            "models/catalog_modes__schemas.sql": (
                "{{ config(materialized='debezium_append') }}\n"
                "{{ debezium_spark.catalog_schemas(source='modes', raw=ref('raw_modes')) }}"
            ),
            "models/stg_prices.sql": (
                "{{ config(materialized='debezium_append') }}\n"
                "{{ debezium_spark.staging(source='modes', table='public.prices',"
                " raw=ref('raw_modes'), schemas=ref('catalog_modes__schemas'),"
                f" topics=['{TOPIC}'], key=[{{'name': 'id', 'type': 'int32'}}],"
                f" columns={given}) }}}}"
            ),
        },
        variables={
            "debezium_sources": {
                "modes": {
                    "connector": "postgresql",
                    "topic_prefix": "modes",
                    "input": {"type": "files", "path": str(tmp_path)},
                }
            }
        },
    )
    batches = [
        [(1, PRECISE, "ATk=")],
        # as base64 these digits would be another price, which looks like one
        [(2, TEXT, "2025"), (3, FINER, "AeII"), (4, FINER, "AeIJ"), (5, PRECISE, "ATk=")],
    ]
    offset = 0
    for run, batch in enumerate(batches, 1):
        records = []
        for number, schema_node, price in batch:
            offset += 1
            identity = {"field": "id", "type": "int32", "optional": False}
            image = {"type": "struct", "fields": [identity, schema_node], "optional": True}
            source = {"lsn": 10 * offset, "sequence": f'["1","{10 * offset}"]', "schema": "public"}
            envelope = {
                "before": None,
                "after": {"id": number, "price": price},
                "source": source | {"db": "d", "table": "prices", "version": "3.6.1.Final"},
                "op": "c",
                "ts_ms": 1,
            }
            value = {
                "schema": {"type": "struct", "fields": [image | {"field": "after"}]},
                "payload": envelope,
            }
            record = KafkaRecord(
                topic=TOPIC,
                partition=0,
                offset=offset,
                timestamp_ms=1_600_000_000_000 + offset,
                key=compact({"id": number}),
                value=compact(value),
            )
            records.append(raw_row(record, run))
        spark.createDataFrame(records, RAW_TYPE).coalesce(1).writeTo(f"`{schema}`.landed").append()
        project.run("run")

    rows = project.rows("stg_prices", ("id", "price", "_cdc_errors"))
    prices = {number: price for number, price, _ in rows}
    assert prices == {
        1: Decimal("3.13"),
        2: Decimal("2025.00"),
        3: Decimal("12.34"),
        4: None,
        5: Decimal("3.13"),
    }
    assert {number for number, _, errors in rows if errors} == {4}
