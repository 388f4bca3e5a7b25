"""A recording of a real PostgreSQL in typed, nested columns: the tables are those of the database.

Once as Parquet files, as sinks write them, and once as a table for each topic, as Redpanda has
them. Snapshot and traffic come first; then a crash with its repeats, and altered tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tests.support.nested_rewriting import lines_of, write_nested_parquet
from tests.support.part_of_recording import write_part
from tests.support.paths import REPOSITORY
from tests.support.shop import Shop, differences

pytestmark = [pytest.mark.slow, pytest.mark.full]

DEMO = REPOSITORY / "dev" / "demo" / "data" / "postgresql"
# Types that Spark cannot tell: bits, times of day and intervals are bytes and numbers in columns.
WITHOUT = ("archive.orders", "public.Order", "public.order_lines", "public.recorder_marker")
FIRST = 6


@pytest.fixture
def recording(tmp_path: Path, spark_by_target: dict[str, SparkSession]) -> Path:
    return write_part(DEMO, tmp_path / "recording", without=WITHOUT)


def parts_of(recording: Path) -> tuple[list[Path], list[Path]]:
    parts = sorted((recording / "records").iterdir())
    return parts[:FIRST], parts[FIRST:]


def assert_right(shop: Shop, recording: Path) -> None:
    compared = shop.compare(recording)
    assert not differences(compared)
    assert len(compared) == 4 and sum(one.rows for one in compared) > 40
    before = shop.versions()
    shop.dbt("run")
    assert shop.versions() == before


@pytest.mark.covers("form Parquet with nested columns: files")
def test_nested_parquet_files(tmp_path: Path, recording: Path) -> None:
    shop = Shop(tmp_path)
    first, then = parts_of(recording)
    write_nested_parquet(lines_of(first), shop.landing, "a")
    # the prefix is read from the files
    shop.init()
    shop.configure()
    shop.command("generate")
    shop.dbt("build")

    write_nested_parquet(lines_of(then), shop.landing, "b")
    # the same records again, as a sink writes them after a crash
    write_nested_parquet(lines_of(then[:2]), shop.landing, "c")
    shop.command("generate")
    shop.dbt("build")
    assert_right(shop, recording)


@pytest.mark.covers("form a table per topic: table")
def test_a_table_per_topic(tmp_path: Path, recording: Path) -> None:
    shop = Shop(tmp_path)
    first, then = parts_of(recording)
    source = ("--source", "shop", "--connector", "postgresql", "--topic-prefix", "shop")
    shop.command("init", "shop", *source, "--input", "table:bronze.shop_*", folder=shop.path.parent)
    shop.configure()
    files = write_nested_parquet(lines_of(first), tmp_path / "files", "a")
    write_tables(shop.spark(), files)
    shop.command("generate")
    shop.dbt("build")

    files += write_nested_parquet(lines_of(then), tmp_path / "files", "b")
    write_tables(shop.spark(), files, dropped="legacy_code")
    shop.command("generate")
    shop.dbt("build")
    assert_right(shop, recording)


def write_tables(spark: SparkSession, files: Sequence[Path], dropped: str = "") -> None:
    """Write a table for each topic, with all columns that the topic ever had but one."""
    spark.sql("create schema if not exists bronze")
    by_topic: dict[str, list[DataFrame]] = {}
    for file in files:
        topic = file.stem.split("-")[1]
        by_topic.setdefault(topic, []).append(spark.read.parquet(str(file)))
    for topic, frames in by_topic.items():
        rows = reduce(lambda a, b: a.unionByName(b, allowMissingColumns=True), frames)
        metadata = F.struct(
            F.col("partition"),
            F.col("offset"),
            F.timestamp_millis("timestamp").alias("timestamp"),
            F.transform(
                "headers",
                lambda one: F.struct(one["key"].alias("key"), one["value"].cast("binary")),
            ).alias("headers"),
            F.col("key_text").cast("binary").alias("key"),
            F.lit(0).alias("timestamp_type"),
        )
        values = ("before", "after", "source", "transaction", "op", "ts_ms", "ts_us", "ts_ns")
        table = rows.select(metadata.alias("redpanda"), *values)
        if dropped in rows.schema["after"].dataType.names:
            table = table.withColumns(
                {name: F.col(name).dropFields(dropped) for name in ("before", "after")}
            )
        name = topic.replace(".", "_")
        table.writeTo(f"bronze.`{name}`").using("iceberg").createOrReplace()
