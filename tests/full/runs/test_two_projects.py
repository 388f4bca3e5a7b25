"""Two projects in one Python process: each sees its own tables, or is refused."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.paths import PROFILES
from tests.support.programs import run_program

NOTEBOOK = """
import sys, json
from dbt_debezium_spark import spark_session

target, stops = sys.argv[1], sys.argv[2] == "stop"

def open_project(name):
    session = spark_session(name, "profiles", target)
    if not session.sql("show tables").collect():
        session.sql(f"create table project using {target} as select '{name}' as name")
    seen = [row.name for row in session.table("project").collect()]
    if stops:
        session.stop()
    return seen

seen = [open_project("A")]
try:
    seen += [open_project("B"), open_project("A"), open_project("B")]
except Exception as error:
    seen.append(str(error))
print(json.dumps(seen))
"""
RUNNER = """
import sys, json
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

target, stops = sys.argv[1], sys.argv[2] == "stop"

def build(name):
    arguments = ["--project-dir", name, "--profiles-dir", "profiles", "--target", target]
    result = dbtRunner().invoke(["run", *arguments])
    if stops:
        SparkSession.builder.getOrCreate().stop()
    if result.exception:
        return str(result.exception)
    if not result.success:
        return [one.message for one in result.result]
    query = "select * from {{ ref('project') }}"
    shown = dbtRunner().invoke(["show", "--inline", query, *arguments])
    if stops:
        SparkSession.builder.getOrCreate().stop()
    return [list(row.values()) for row in shown.result.results[0].agate_table.rows]

print(json.dumps([build("A"), build("B")], default=str))
"""


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    shutil.copytree(PROFILES, tmp_path / "profiles")
    for name in ("A", "B"):
        folder = tmp_path / name
        (folder / "models").mkdir(parents=True)
        (folder / "dbt_project.yml").write_text(
            f"name: project_{name.lower()}\nprofile: debezium_spark\n", encoding="utf-8"
        )
        (folder / "models/project.sql").write_text(
            "{{ config(materialized='table', file_format=target.name) }}"
            f" select '{name}' as name",
            encoding="utf-8",
        )
    return tmp_path


def run(folder: Path, script: str, *arguments: str) -> list[object]:
    """Return what a script prints at last, in a process of its own, each project with its state."""
    command = (sys.executable, "-c", script, *arguments)
    own = {name: text for name, text in os.environ.items() if name != "DEBEZIUM_SPARK_STATE"}
    lines = run_program(*command, folder=folder, environment=own).splitlines()
    return list(json.loads([line for line in lines if line.startswith("[")][-1]))


@pytest.mark.parametrize("stops", ["stop", "go on"])
def test_a_notebook_on_two_projects_of_iceberg_shows_the_tables_of_each(projects, stops):
    assert run(projects, NOTEBOOK, "iceberg", stops) == [["A"], ["B"], ["A"], ["B"]]


@pytest.mark.parametrize("stops", ["stop", "go on"])
def test_a_second_metastore_needs_a_new_process(projects, stops):
    first, told = run(projects, NOTEBOOK, "delta", stops)

    assert first == ["A"]
    assert "Open this project in a new Python process" in str(told)
    assert str(projects / "B") in str(told)


@pytest.mark.parametrize("stops", ["stop", "go on"])
def test_dbt_on_two_projects_builds_the_tables_of_each(projects, stops):
    assert run(projects, RUNNER, "iceberg", stops) == [[["A"]], [["B"]]]
