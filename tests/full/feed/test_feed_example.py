"""The incremental model that docs/feed.md shows equals a rebuild after each of twenty batches."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dev.simulator import History
from tests.property.dbt_trial import create_histories_project
from tests.property.groups import Group, draw
from tests.property.histories import landings
from tests.support.paths import REPOSITORY
from tests.support.project import DbtProject

pytestmark = [pytest.mark.slow, pytest.mark.full]

BATCHES = 20
PAGE = (REPOSITORY / "docs" / "feed.md").read_text(encoding="utf-8")
GROUP = Group("mariadb", 901, 12, {"key": "single", "truncates": True, "transforms": False})
FEED = """
{{ config(materialized='debezium_view') }}
{{
    debezium_spark.feed(
        source='sim',
        table='shop.articles',
        state=ref('state_sim__articles'),
    )
}}
"""
_serial = itertools.count(1)


def example(target: str) -> str:
    """Return the model of the page, on the feed of the simulated table, in a table format."""
    (text,) = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
    assert text.count("all_shop__orders") == text.count("file_format='iceberg'") == 1
    text = str(text).replace("file_format='iceberg'", f"file_format='{target}'")
    return text.replace("all_shop__orders", "all_sim__articles")


def contents(project: DbtProject, name: str) -> dict[str, tuple[Any, ...]]:
    """Return the rows of a relation by key, without the landing that changed them."""
    frame = project.spark.table(project.table(name)).drop("_cdc_batch_id", "_cdc_landed_at")
    rows = frame.select(*sorted(frame.columns)).collect()
    assert len({row["_cdc_key"] for row in rows}) == len(rows)
    return {row["_cdc_key"]: tuple(row) for row in rows}


def cuts(histories: list[History]) -> Iterator[list[Any]]:
    """Yield the records of each batch: late files included, twenty batches in all."""
    landed = [landings(history, BATCHES) for history in histories]
    for number in range(max(map(len, landed))):
        yield [one for batches in landed for one in (batches[number : number + 1] or [[]])[0]]


def test_the_documented_model_equals_a_rebuild_after_each_batch(
    target: str, tmp_path: Path, spark_by_target: dict[str, SparkSession]
) -> None:
    (histories,) = draw([GROUP])
    spark = spark_by_target[target]
    schema = f"feed_{next(_serial)}"
    project = create_histories_project(
        tmp_path,
        spark,
        histories,
        schema,
        target,
        options={"feed": True},
        more={
            "models/all_sim__articles.sql": FEED,
            "models/copy_of_articles.sql": example(target),
        },
    )
    deleted = set()

    for batch, records in enumerate(cuts(histories), start=1):
        project.land(batch, records)
        project.run("run", "--select", "+copy_of_articles")
        rebuilt = contents(project, "all_sim__articles")
        assert contents(project, "copy_of_articles") == rebuilt, f"after batch {batch}"
        deleted |= {
            row["_cdc_key"]
            for row in project.sql(
                "select _cdc_key from {schema}.copy_of_articles"
                " where _cdc_is_deleted and _cdc_op not in ('d', 'tombstone')"
            )
        }

    assert batch >= BATCHES - 4 and deleted, "no truncate ended a row of the copy"
    before = contents(project, "copy_of_articles")
    project.run("run", "--full-refresh", "--select", "copy_of_articles")
    assert contents(project, "copy_of_articles") == before
