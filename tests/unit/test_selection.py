"""What a scheduler selects: the models of one source, by one selector, without Spark."""

from __future__ import annotations

import json

import pytest
import yaml
from dbt.cli.main import dbtRunner

from tests.support.paths import PROFILES, REPOSITORY

SOURCES = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text())["vars"]["debezium_sources"]


@pytest.fixture
def listed(tmp_path):
    """Models by selector, and each model's folder, of the clone's project, which is read once."""
    places = ["--project-dir", str(REPOSITORY), "--profiles-dir", str(PROFILES)]
    places += ["--target-path", str(tmp_path), "--log-path", str(tmp_path)]
    manifest = dbtRunner().invoke(["--quiet", "parse", *places]).result

    def models(selector):
        result = dbtRunner(manifest).invoke(
            ["--quiet", "ls", "--resource-type", "model", "--select", selector]
            + ["--output", "json", "--output-keys", "name", "original_file_path", *places]
        )
        assert result.success, result.exception
        rows = [json.loads(line) for line in result.result]
        return {row["name"]: row["original_file_path"] for row in rows}

    return models


def test_a_tag_selects_every_model_of_a_source_and_nothing_else(listed):
    everything = listed("*")
    of_sources = {}
    for source in SOURCES:
        found = listed(f"tag:{source}")
        assert {f"raw_{source}", f"catalog_{source}__columns"} <= set(found)
        assert any(name.startswith(f"cur_{source}__") for name in found)
        of_sources |= found
    rest = {name: path for name, path in everything.items() if name not in of_sources}
    assert rest == listed("observability")
    for name in of_sources:
        assert name.split("__")[0].split("_", 1)[1] in SOURCES
