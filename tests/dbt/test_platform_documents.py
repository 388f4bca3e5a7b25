"""Materialization debezium_documents: what dbt and a table format add to the walk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.support.documents import TOPIC
from tests.support.documents_project import Collection

N = {"name": "n", "path": "n", "type": "int"}
CITY = {"name": "city", "path": "address.city", "type": "string"}


def change(offset: int, op: str, number: int, **members: Any) -> KafkaRecord:
    source = {"version": "3.6.1.Final", "ord": 1, "wallTime": 1_760_000_000_000 + offset}
    source |= {"db": "inventory", "collection": "customers", "ts_ms": source["wallTime"]}
    value = {"op": op, "ts_ms": 1, "source": source, **members}
    key = json.dumps({"id": str(number)})
    return KafkaRecord(TOPIC, 0, offset, 1_700_000_000_000 + offset, key, json.dumps(value))


def test_documents_are_folded_on_until_their_configuration_changes(
    tmp_path: Path, spark_by_target: dict[str, SparkSession], target: str
) -> None:
    schema = f"documents_{target}"
    folder = tmp_path / "project"
    tables = Collection(folder, spark_by_target[target], schema=schema, target=target, fields=[N])

    def versions() -> list[Any]:
        return [tables.project.version(f"{layer}_sim__customers") for layer in ("stg", "state")]

    def state(column: str) -> dict[str, Any]:
        return {row["_cdc_key"]: row[column] for row in tables.rows("state")}

    tables.land([change(0, "c", 1, after='{"_id": 1, "n": 1}')], 1)
    tables.land([change(1, "c", 2, after='{"_id": 2, "address": {"city": "Bergen"}}')], 1)
    tables.run()
    assert tables.documents() == {
        "1": '{"_id":1,"n":1}',
        "2": '{"_id":2,"address":{"city":"Bergen"}}',
    }
    assert state("n") == {"!watermark": None, "1": 1, "2": None}

    fields = {"removedFields": None, "updatedFields": '{"n": 5}', "truncatedArrays": None}
    tables.land([change(2, "u", 1, updateDescription=fields)], 2)
    tables.run()
    assert tables.documents()["1"] == '{"_id":1,"n":5}'
    assert state("n") == {"!watermark": None, "1": 5, "2": None}
    assert state("_cdc_batch_id") == {"!watermark": 2, "1": 2, "2": 1}

    before = versions()
    tables.run()
    assert versions() == before

    tables.name_fields([N, CITY])
    tables.run()
    assert state("city") == {"!watermark": None, "1": None, "2": "Bergen"}
    assert [row["city"] for row in tables.rows("cur") if row["_id"] == "2"] == ["Bergen"]
    assert versions()[0] == before[0] and versions()[1] != before[1]
