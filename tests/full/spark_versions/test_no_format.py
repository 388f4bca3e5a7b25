"""A profile of a team, in which nobody configured a table format: what its runs say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import DEMO

pytestmark = pytest.mark.slow

PROFILE = """
debezium_spark:
  target: dev
  outputs:
    dev: {type: spark, method: session, host: NA, schema: team, threads: 2}
"""
PROGRAM = "from dbt_debezium_spark.cli import main; main()"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team") / "project"
    records = DEMO / "mysql" / "records"
    source = ("--source", "inventory", "--connector", "mysql", "--input", str(records))
    assert program(folder.parent, "init", str(folder), *source).returncode == 0
    (folder / "profiles.yml").write_text(PROFILE, encoding="utf-8")
    return folder


def program(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )


def test_generate_ends_in_one_sentence_with_the_line_to_add(project: Path) -> None:
    result = program(project, "generate")

    assert result.returncode == 1
    last = result.stdout.rstrip().splitlines()[-1]
    assert "debezium_spark: target `dev` of profiles.yml cannot write iceberg tables" in last
    assert "add `debezium_spark.format: iceberg`" in last
    assert "\tat " not in result.stdout and "Exception" not in result.stdout


def test_the_line_that_the_sentence_names_is_enough(project: Path) -> None:
    line = "schema: team, server_side_parameters: {debezium_spark.format: iceberg}"
    (project / "profiles.yml").write_text(PROFILE.replace("schema: team", line), encoding="utf-8")

    result = program(project, "generate")

    assert result.returncode == 0, result.stdout[-4000:]
    assert (project / "models" / "current" / "inventory").is_dir()
