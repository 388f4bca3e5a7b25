"""The bundled sources through the committed models: equal to their truths, and as generated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.demo.__main__ import SOURCES, Source, compare_source
from dev.demo.tour import STOPS
from tests.support.paths import REPOSITORY
from tests.support.project import DbtProject
from tests.support.shop import differences

pytestmark = pytest.mark.slow

SCHEMA = "demo_sources"
# of its column VIEW_EXPANDED_TEXT, less some room for a configuration of many tables
DERBY_CHARACTERS = 29_000


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[DbtProject]:
    """The repository's own project, built into a schema of its own."""
    target = tmp_path_factory.mktemp("target")
    project = DbtProject(REPOSITORY, SCHEMA, "iceberg", spark, {"DBT_TARGET_PATH": str(target)})
    project.run("build")
    used = spark.sql("select current_schema()").first()[0]
    spark.sql(f"use {SCHEMA}")
    yield project
    spark.sql(f"use {used}")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.folder)
def test_current_tables_equal_their_truths(demo: DbtProject, source: Source) -> None:
    compared = [comparison for comparison, _ in compare_source(demo.spark, source)]

    truth = REPOSITORY / "dev" / "demo" / "data" / source.folder / "truth"
    assert {f"{one.table}.jsonl" for one in compared} == {f.name for f in truth.glob("*.jsonl")}
    assert not differences(compared)


def test_current_versions_equal_their_truths(demo: DbtProject) -> None:
    compared = [
        comparison
        for source in SOURCES
        for comparison, _ in compare_source(demo.spark, source, layer="hist")
    ]

    assert [one.table for one in compared] == ["public.customers"]
    assert not differences(compared)


def test_the_committed_models_are_what_is_generated(demo: DbtProject) -> None:
    before = Path.cwd()
    output = demo.command("generate", "--check", "--no-build")

    assert "23 tables; files " in output and " unchanged" in output
    assert Path.cwd() == before


def test_views_fit_into_a_metastore_on_derby(demo: DbtProject) -> None:
    manifest = json.loads((Path(demo.environment["DBT_TARGET_PATH"]) / "manifest.json").read_text())
    views = {
        node["name"]: len(node["compiled_code"])
        for node in manifest["nodes"].values()
        if node["config"]["materialized"] in ("view", "debezium_view")
    }

    assert {name.split("_")[0] for name in views} == {"cur", "debezium", "hist"}
    assert len(views) > 20
    assert {name: length for name, length in views.items() if length > DERBY_CHARACTERS} == {}


def test_the_commands_at_the_end_of_the_demo_show_what_they_say(
    demo: DbtProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "target").mkdir()
    shown = []
    for stop in STOPS:
        program, *arguments = shlex.split(stop.command)
        shown.append(demo.run(*arguments).text if program == "dbt" else demo.command(*arguments))
    explained, quarantined, as_of, _, report = shown

    assert "came without: note" in explained and "repeat: " in explained
    assert "record: ignored: an example" in quarantined
    assert "_cdc_began_by" in as_of and "key_change" in as_of
    assert (Path(demo.environment["DBT_TARGET_PATH"]) / "static_index.html").is_file()
    assert report.startswith("0 of 29 need attention")
    assert "public.order_lines" in (tmp_path / "target" / "status.html").read_text("utf-8")
