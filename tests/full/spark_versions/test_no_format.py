"""A profile of a team, in which nobody configured a table format: what its runs say."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.paths import DEMO
from tests.support.programs import run_program

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
    program(folder.parent, "init", str(folder), *source)
    (folder / "profiles.yml").write_text(PROFILE, encoding="utf-8")
    return folder


def program(folder: Path, *arguments: str, code: int = 0) -> str:
    return run_program(
        sys.executable, "-c", PROGRAM, *arguments, folder=folder, environment=os.environ, code=code
    )


def test_generate_ends_in_one_sentence_with_the_line_to_add(project: Path) -> None:
    output = program(project, "generate", code=1)

    last = output.rstrip().splitlines()[-1]
    assert "debezium_spark: target `dev` of profiles.yml cannot write iceberg tables" in last
    assert "add `debezium_spark.format: iceberg`" in last
    assert "\tat " not in output and "Exception" not in output


def test_the_line_that_the_sentence_names_is_enough(project: Path) -> None:
    line = "schema: team, server_side_parameters: {debezium_spark.format: iceberg}"
    (project / "profiles.yml").write_text(PROFILE.replace("schema: team", line), encoding="utf-8")

    program(project, "generate")

    assert (project / "models" / "current" / "inventory").is_dir()
