"""Bundled sources on an adapter that builds on dbt-spark: from raw to current tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.demo.__main__ import SOURCES, compare_source
from tests.support import harbor
from tests.support.paths import REPOSITORY
from tests.support.project import DbtProject
from tests.support.shop import differences

SCHEMA = "on_harbor"
SOURCE = "inventory"


@pytest.fixture
def project(tmp_path: Path, spark: SparkSession) -> DbtProject:
    """The repository's own project, with the profile of the other adapter."""
    harbor.install()
    return DbtProject(
        REPOSITORY,
        SCHEMA,
        "iceberg",
        spark,
        {"DBT_TARGET_PATH": str(tmp_path / "target")},
        harbor.write_profiles(tmp_path / "profiles"),
    )


@pytest.mark.full
@pytest.mark.parametrize(
    "select",
    [
        pytest.param(f"tag:{SOURCE}", id="one-source"),
        pytest.param("*", id="demo"),
    ],
)
def test_the_demo_runs_on_an_adapter_that_builds_on_dbt_spark(
    project: DbtProject, select: str
) -> None:
    from dbt.adapters.harbor.impl import CALLS

    CALLS.clear()
    project.run("build", "--select", select)
    used = project.spark.sql("select current_schema()").first()[0]
    project.spark.sql(f"use {SCHEMA}")
    try:
        compared = [
            comparison
            for source in SOURCES
            if select == "*" or source.name == SOURCE
            for comparison, _ in compare_source(project.spark, source)
        ]
    finally:
        project.spark.sql(f"use {used}")

    assert not differences(compared)
    assert sum(one.rows for one in compared) > 10
    # its own methods were called, each before or after ours
    assert {
        "acquire_connection",
        "execute",
        "list_relations_without_caching",
        "post_model_hook",
        "pre_model_hook",
    } == set(CALLS)
    assert CALLS["pre_model_hook"] == CALLS["post_model_hook"]
    again = project.run("run", "--select", select)
    assert "no new files" in again.text and "up to date" in again.text
    # the views are listed, so they are not created again
    created = [sql for _, sql in again.statements if "create or replace view" in sql]
    assert created == []
