"""Records of a layout that their table had before, or that the models do not know yet."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from pyspark.sql import Row, SparkSession

from tests.cases.log import Log
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.raw import raw_row

SOURCES = {"shop": source_options("postgresql", "shop")}
TOPIC = "shop.public.orders"
ID = {"name": "id", "type": "int32"}
REGION = {"name": "region", "type": "string"}


def staged(
    spark: SparkSession,
    log: Log,
    columns: list[dict[str, Any]],
    sources: dict[str, Any] | None = None,
    **model: Any,
) -> list[Row]:
    """Return the staged records in the order of the log."""
    lab = Lab(spark)
    lab.append("raw", lab.rows(raw_row(replace(one, topic=TOPIC), 1) for one in log.records))
    lab.stage(
        sources or SOURCES,
        "shop",
        "raw",
        "stg",
        topics=[TOPIC],
        table="public.orders",
        columns=columns,
        **model,
    )
    return lab.tables[lab.name("stg")].orderBy("_cdc_offset").collect()


def order(number: int, region: str | None) -> dict[str, Any]:
    return {"id": number, "region": region}


def test_a_record_under_a_former_key_is_of_the_row_that_this_key_showed_last(spark):
    log = Log("postgresql")
    log.add("c", {"id": 1}, 10, order(1, "eu")).add("c", {"id": 2}, 20, order(2, "us"))
    log.add("d", {"id": 1}, 30, before={"id": 1}).tombstone({"id": 1})
    log.add("c", {"id": 1}, 40, order(1, "asia"))
    log.add("d", {"id": 1}, 50, before={"id": 1}).tombstone({"id": 1})
    log.add("c", order(1, "africa"), 60, order(1, "africa"))
    log.add("d", {"id": 3}, 70, before={"id": 3})

    rows = staged(spark, log, [ID, REGION], key=[ID, REGION], former_keys=[["id"]])
    # nothing showed the region of 3
    assert [json.loads(row["_cdc_key"]) for row in rows] == [
        order(1, "eu"),
        order(2, "us"),
        *[order(1, "eu")] * 2,
        *[order(1, "asia")] * 3,
        order(1, "africa"),
        {"id": "3"},
    ]


def test_a_row_without_a_key_that_is_older_than_a_column_is_found_when_it_goes(spark):
    """Its image before the event has the default that it has as a row."""
    old, new = {"id": 1}, order(2, "us")
    log = Log("postgresql").add("c", None, 10, old).add("c", None, 20, old)
    log.add("u", None, 30, {"id": 3}, before=old).add("d", None, 40, before=old)
    log.add("c", None, 50, new)
    columns = [ID, {**REGION, "added_default": "eu"}]
    options = {"tables": {"public.orders": {"replica_identity": "full"}}}
    sources = {"shop": source_options("postgresql", "shop", **options)}
    rows = staged(spark, log, columns, sources, key=[])
    assert [row["region"] for row in rows if row["_cdc_op"] != "d"] == ["eu"] * 3 + ["us"]
    before = [row["_cdc_before"] for row in rows]
    assert [image and image["region"] for image in before] == [None, None, "eu", "eu", None]


def test_a_null_of_a_table_is_no_more_than_an_absent_column(spark):
    """Without schemas: whether an older record has it depends on when the table was read."""
    log = Log("postgresql").add("c", {"id": 1}, 10, {"id": 1})
    log.add("u", {"id": 1}, 20, order(1, None) | {"other": None})
    log.add("u", {"id": 1}, 30, order(1, "us") | {"other": "x", "third": None})
    table = {"type": "table", "relation": "bronze.orders", "nested": {"types": "none"}}

    columns = [ID, {**REGION, "added_default": "eu"}]
    sources = {"shop": {**SOURCES["shop"], "input": table}}
    rows = staged(spark, log, columns, sources, key=[ID])
    assert [row["region"] for row in rows] == ["eu", "eu", "us"]
    assert [row["_cdc_unmapped"] for row in rows] == [None, None, {"other": "x"}]
