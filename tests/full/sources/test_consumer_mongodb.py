"""A person's way with a MongoDB source: init, name fields, generate, build, build again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from ruamel.yaml import YAML

from dev.demo.__main__ import Source, compare_source
from dev.demo.truth import Comparison
from tests.support.paths import REPOSITORY
from tests.support.shop import Shop, differences

CONTENT = REPOSITORY / "dev" / "demo" / "data" / "mongodb"
FIELDS = {
    "title": "string",
    "author.name": "string",
    "views": "bigint",
    "rating": "double",
    "price": "decimal(12,2)",
    "published": "timestamp",
    "tags": "json",
}


@dataclass
class Told:
    """What the person saw on the way."""

    generated: str = ""
    checked: str = ""
    compared: list[Comparison] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    versions: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Told:
    """Walk the way once: two thirds of the records, then all."""
    parts = sorted((CONTENT / "records").iterdir())
    shop = Shop(tmp_path_factory.mktemp("person"))
    told = Told()
    shop.land(parts[:2])
    source = ("--source", "content", "--connector", "mongodb", "--input", shop.landing.name)
    shop.command("init", "shop", *source, folder=shop.path.parent)
    _name_fields(shop.path / "dbt_project.yml")
    told.generated = shop.command("generate")
    told.statuses = shop.dbt("build").statuses

    shop.land(parts[2:])
    told.checked = shop.command("generate", "--check")
    shop.dbt("build")
    spark = shop.spark()
    told.compared = [one for one, _ in compare_source(spark, Source("content", "", ""), CONTENT)]
    told.versions.append(shop.versions())
    shop.dbt("run")
    told.versions.append(shop.versions())
    return told


def _name_fields(file: Path) -> None:
    yaml = YAML()
    project = yaml.load(file.read_text(encoding="utf-8"))
    project["vars"]["debezium_sources"]["content"]["tables"] = {"cms.articles": {"fields": FIELDS}}
    with file.open("w", encoding="utf-8") as stream:
        yaml.dump(project, stream)


def test_a_folder_of_records_becomes_models(told: Told) -> None:
    assert "2 tables" in told.generated
    assert told.statuses["state_content__articles"] == "success"
    assert told.statuses["debezium_obs__unavailable"] == "success"
    assert told.statuses["debezium_obs__drift"] == "success"


def test_the_documents_are_those_of_the_source(told: Told) -> None:
    assert not differences(told.compared)
    assert [one.rows for one in told.compared] == [35, 54]


def test_a_run_without_new_records_commits_to_no_table(told: Told) -> None:
    before, after = told.versions
    assert {"stg_content__comments", "state_content__comments"} <= set(before)
    assert before == after
