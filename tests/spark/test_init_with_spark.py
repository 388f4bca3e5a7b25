"""`init` looks into tables and remote files with Spark, as landing reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from dbt_debezium_spark.config import load_source
from dbt_debezium_spark.generator.spark_samples import look_into_input
from tests.support.sink_writer import compressed, write_connect

SCHEMA = "init_tests"


def event(name: str = "shop", table: str = "orders") -> str:
    source = {"name": name, "connector": "postgresql", "schema": "public", "table": table}
    return json.dumps({"op": "c", "after": {"id": 1}, "source": source})


@pytest.fixture
def init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Result]:
    """Run `init` for an input; dbt is not called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)

    def init(path: str) -> Result:
        arguments = ["--source", "s", "--connector", "postgresql", "--input", path]
        return CliRunner().invoke(app, ["init", "new", *arguments])

    return init


def create(spark: SparkSession, name: str, columns: str, *rows: tuple[Any, ...]) -> None:
    spark.sql(f"create schema if not exists {SCHEMA}")
    spark.sql(f"drop table if exists {SCHEMA}.{name}")
    spark.sql(f"create table {SCHEMA}.{name} ({columns}) using iceberg")
    spark.createDataFrame(list(rows), columns).writeTo(f"{SCHEMA}.{name}").append()


def test_a_table_tells_the_prefix_and_whether_records_are_flattened(
    spark: SparkSession, init: Callable[[str], Result], tmp_path: Path
) -> None:
    columns = "topic string, partition int, offset bigint, value binary"
    flattened = json.dumps({"id": 1, "__op": "c", "__name": "shop"})
    rows = [("shop.public.orders", 0, 1, event()), ("shop.public.rows", 0, 1, flattened)]
    create(spark, "one", columns, *[(*place, text.encode()) for *place, text in rows])

    result = init(f"table:{SCHEMA}.one")
    assert result.exit_code == 0, result.output
    assert (
        f"Looked into {SCHEMA}.one: 2 records, flattened, 2 tables, topic prefix shop,"
        " connector postgresql"
    ) in result.output.replace("\n", " ")
    project = yaml.safe_load((tmp_path / "new" / "dbt_project.yml").read_text())
    source = project["vars"]["debezium_sources"]["s"]
    assert (source["topic_prefix"], source["flattened"]) == ("shop", True)
    assert not (tmp_path / "new" / ".lakehouse").exists()


def test_tables_without_topics_tell_the_prefix_by_their_records(
    spark: SparkSession, init: Callable[[str], Result]
) -> None:
    source = "source struct<name string, connector string, table string>"
    columns = f"partition int, offset bigint, op string, {source}"
    create(spark, "t_orders", columns, (0, 1, "c", ("shop", "postgresql", "orders")))
    create(spark, "t_lines", columns, (0, 1, "c", ("shop", "postgresql", "lines")))
    create(spark, "t_other", "id int", (1,))

    result = init(f"table:{SCHEMA}.t_*")
    output = result.output.replace("\n", " ")
    assert result.exit_code == 0, output
    assert f"Looked into 2 relations like {SCHEMA}.t_*: 2 records, 2 tables, topic pre" in output
    assert f"Not read: `{SCHEMA}`.`t_other`: it has no column `partition`." in output


def test_what_failed_and_the_remedy_are_one_sentence_and_nothing_is_written(
    spark: SparkSession, init: Callable[[str], Result], tmp_path: Path
) -> None:
    for path, why in ((f"table:{SCHEMA}.nowhere", "NOT_FOUND"), ("s3x://bucket/a", "FileSystem")):
        result = init(path)
        assert result.exit_code == 2, result.output
        assert f"Spark was to look into `{path}`, and this failed: " in result.stderr
        assert why in result.stderr
        assert "Add --topic-prefix" in result.stderr
        assert not (tmp_path / "new").exists()


def test_files_elsewhere_are_looked_into_like_those_of_this_machine(
    spark: SparkSession, tmp_path: Path
) -> None:
    records = [
        {"topic": "shop.public.orders", "partition": 0, "offset": offset, "key": None}
        | {"value": event(), "headers": [], "timestamp": 1}
        for offset in (1, 2)
    ]
    for one in write_connect(tmp_path / "in", records, flush=1):
        one.write_bytes(compressed(one.read_bytes(), ".snappy"))
        one.rename(f"{one}.snappy")
    # Spark sees this folder as one of another file system.
    options = {"connector": "postgresql", "topic_prefix": "x"}
    options |= {"input": {"type": "files", "path": f"file://{tmp_path}/in"}}
    found = look_into_input(spark, "in", load_source("s", {"s": options}), "/")
    assert found.layout == {"layout": "connect"}
    assert found.looked == "2 files (JSON lines, snappy)"
    assert found.topic_prefix("postgresql") == "shop"
