"""Tables, views and an input in a REST catalog, by names of three parts.

One source lands a table by SQL, the other one files in Python: both kinds of models name the
catalog. The session's own catalog is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import open_session, read_settings
from dbt_debezium_spark.spark.session import session_for
from dev.demo.__main__ import SOURCES, compare_source
from dev.servers.rest_catalog import RestCatalog
from tests.support.bare_catalog import write_profile
from tests.support.demo_tables import DemoTable
from tests.support.paths import DEMO, REPOSITORY
from tests.support.project import DbtProject, newest_files
from tests.support.shop import differences

pytestmark = pytest.mark.slow

CATALOG = "web.debezium"
INVENTORY = next(source for source in SOURCES if source.name == "inventory")
CONTENT = next(source for source in SOURCES if source.name == "content")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestCatalog]:
    with RestCatalog(tmp_path_factory.mktemp("rest")) as running:
        yield running


def _settings(catalog: RestCatalog) -> dict[str, str]:
    return {
        "spark.sql.catalog.web": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.web.type": "rest",
        "spark.sql.catalog.web.uri": catalog.address,
        "spark.sql.catalog.web.cache-enabled": "false",
    }


def test_both_sources_are_equal_to_their_truths(
    spark: SparkSession, catalog: RestCatalog, tmp_path: Path
) -> None:
    profiles = write_profile(tmp_path / "profile", CATALOG, _settings(catalog))
    session = session_for(read_settings(REPOSITORY, profiles, "iceberg")[0])
    table = DemoTable(session, INVENTORY, "web.bronze")
    made = table.project(tmp_path, CATALOG)
    settings = yaml.safe_load((tmp_path / "dbt_project.yml").read_text("utf-8"))
    demo = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text("utf-8"))
    content = demo["vars"]["debezium_sources"]["content"]
    content["input"]["path"] = str(DEMO / CONTENT.folder / "records")
    settings["vars"]["debezium_sources"]["content"] = content
    (tmp_path / "dbt_project.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    project = DbtProject(made.path, CATALOG, "iceberg", session, profiles=profiles)

    parts = table.parts()
    for batch in (parts[:1], parts[1:]):
        table.add(batch)
        project.command("generate")
        project.run("build")

    views = {row.viewName for row in session.sql(f"show views in {CATALOG}").collect()}
    assert "cur_inventory__goods" in views
    session.sql(f"use {CATALOG}")
    for source in (INVENTORY, CONTENT):
        compared = [one for one, _ in compare_source(session, source)]
        assert sum(one.rows for one in compared) > 10
        assert not differences(compared)

    before = newest_files(session, CATALOG)
    assert len(before) > 10
    project.run("build")
    assert newest_files(session, CATALOG) == before
    # a notebook is in the schema of the target
    opened = open_session(project.path, profiles, "iceberg")
    assert opened.table("cur_inventory__goods").count() > 0
