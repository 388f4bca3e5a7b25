"""An export of a database's catalog in Spark, and the catalog of records without schemas."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.catalog.column_export import rows
from dbt_debezium_spark.catalog.column_export.rows import ColumnExport, read_export
from dbt_debezium_spark.catalog.column_export.tables import exported_tables
from dbt_debezium_spark.config.for_macros import load_source
from tests.support.catalog_run import CatalogRun
from tests.support.paths import REPOSITORY
from tests.support.stripped_demo import EXPORTS

CSV = REPOSITORY / EXPORTS / "postgresql.csv"
FILES = {"type": "files", "path": "records"}


def exported(export: ColumnExport) -> Any:
    source = {"connector": "postgresql", "topic_prefix": "shop", "input": FILES}
    found = exported_tables(load_source("s", {"s": source}), export.name, export.rows)
    assert found.problems == []
    return found.tables


@pytest.fixture(scope="module")
def columns(spark: SparkSession) -> str:
    """Return the name of a view with the rows of the export, numbers as numbers."""
    with CSV.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = ("ordinal_position", "key_position")
    values = [
        tuple((int(one) if one else None) if name in numbers else one or None
              for name, one in row.items())
        for row in rows
    ]  # fmt: skip
    types = ", ".join(
        f"{name.upper()} {'int' if name in numbers else 'string'}" for name in rows[0]
    )
    spark.createDataFrame(values, types).createOrReplaceTempView("shop_columns")
    return "shop_columns"


def test_every_form_of_the_export_has_the_same_tables(
    spark: SparkSession, columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def texts(sql: str) -> list[str]:
        return [row[0] for row in spark.sql(sql).collect()]

    spark.table(columns).repartition(3).write.parquet(str(tmp_path / "columns.parquet"))
    of_file = exported(read_export(str(CSV), str(tmp_path), texts))
    assert len(of_file) == 9
    assert exported(read_export(f"table:{columns}", str(tmp_path), texts)) == of_file
    assert exported(read_export("columns.parquet", str(tmp_path), texts)) == of_file
    # a CSV file that only Spark can see
    monkeypatch.setattr(rows, "local_path", lambda location: None)
    assert exported(read_export(str(CSV), str(tmp_path), texts)) == of_file


def record(offset: int, value: Any) -> dict[str, Any]:
    source = {
        "version": "3.6.3.Final",
        "connector": "postgresql",
        "name": "shop",
        "ts_ms": 1,
        "db": "shop",
        "schema": "public",
        "table": "orders",
        "lsn": offset,
        "sequence": f'["1","{offset}"]',
    }
    envelope = {"before": None, "after": value, "source": source, "op": "c", "ts_ms": 1}
    return {
        "topic": "shop.public.orders", "partition": 0, "offset": offset, "timestamp": offset,
        "key": json.dumps({"id": offset}), "value": json.dumps(envelope), "headers": [],
    }  # fmt: skip


@pytest.mark.covers("form types from an export of the catalog: every input")
def test_records_without_schemas_get_the_types_of_the_export(spark: SparkSession) -> None:
    source = {
        "connector": "postgresql", "topic_prefix": "shop", "input": FILES, "columns_from": str(CSV),
    }  # fmt: skip
    run = CatalogRun(spark, {"shop": source})
    run.land([record(1, {"id": 1, "customer_id": 2, "total": "E4g=", "later": True})])
    run.build()
    found = run.columns("column_name", "connect_type", "database_type", "is_key", "evidence")
    assert found[:4] == [
        ("id", "int64", "bigint", True, "column_export"),
        ("customer_id", "int32", "integer", False, "column_export"),
        ("status", "string", "order_status", False, "column_export"),
        ("total", "bytes", "numeric(20,4)", False, "column_export"),
    ]
    assert run.columns("enum_values", where=lambda row: row["column_name"] == "status") == [
        (["new", "paid", "on hold", "shipped"],)
    ]
    assert ("later", "presence", "no such column", "column_export", "column", "records") in (
        run.disagreements()
    )
