"""A hundred tables, from a schema-change topic and rows to tested tables, by the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyspark.sql import SparkSession
from sqlfluff.cli.commands import lint

from generated_project import GeneratedProject
from project_harness import DbtProject, DbtResult
from tests.depot import make_project
from tests.simulator.warehouse import (
    ALTERED,
    BACKTICK,
    COMPOSITE,
    KEYLESS,
    NAMES,
    SILENT,
    WIDE,
    Warehouse,
)

TABLES = 100
LAYERS = {"staging": "stg", "state": "state", "current": "cur"}
# All tables take a suite too long to build and lint: every kind is among these. (A table with 1,000
# columns is built by test_generated_tables.)
BUILT = [f"dbo.{name}" for name in ("words", BACKTICK, COMPOSITE, KEYLESS, SILENT, *NAMES[:6])]
LINTED = (WIDE, BACKTICK, KEYLESS, "{{ x }}", "客户")


@dataclass
class Told:
    """What was done to the project, once for all tests."""

    made: GeneratedProject
    warehouse: Warehouse
    generated: list[Result] = field(default_factory=list)
    files: list[dict[str, bytes]] = field(default_factory=list)
    parsed: DbtResult | None = None

    def models(self) -> dict[str, str]:
        """Return the model part of every table, by the table's name, as dbt reads both."""
        assert self.parsed is not None and self.parsed.success, self.parsed
        about = [
            node.config.meta["debezium_spark"]
            for node in self.parsed.raw.result.nodes.values()
            if node.resource_type == "model" and node.name.startswith("cur_depot__")
        ]
        return {one["table"]: one["model"] for one in about}


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Iterator[Told]:
    """Generate, generate again, check, and let dbt read the project."""
    home = tmp_path_factory.mktemp("depot")
    warehouse = Warehouse(TABLES)
    with pytest.MonkeyPatch.context() as patch:
        folder = make_project(home, warehouse)
        project = DbtProject(folder, "depot", "iceberg", spark_by_target["iceberg"])
        told = Told(GeneratedProject(folder, project, patch), warehouse)
        for arguments in ((), ("--no-build",), ("--check", "--no-build")):
            told.generated.append(told.made.generate(*arguments))
            told.files.append(told.made.files())
        told.parsed = told.made.dbt("parse")
        yield told


def test_every_table_gets_its_models(told: Told) -> None:
    first = told.generated[0]

    assert first.exit_code == 0, first.output
    assert f"{TABLES} tables" in first.stdout
    models = told.models()
    assert set(models) == set(told.warehouse.row_counts())
    assert len(set(models.values())) == TABLES
    assert models["archive.customers"] == "archive_customers"
    assert models["dbo.客户"] == "customers_zh"


def test_generating_again_changes_nothing(told: Told) -> None:
    again, check = told.generated[1:]

    assert (again.exit_code, check.exit_code) == (0, 0), again.output + check.output
    assert f"{len(told.files[0])} unchanged" in again.stdout
    assert told.files[0] == told.files[1] == told.files[2]


def test_altered_tables_have_their_new_column(told: Told) -> None:
    altered = [plan for plan in told.warehouse.plans if plan.altered]

    assert len(altered) == ALTERED
    for plan in altered:
        text = told.files[0][f"models/current/depot/cur_depot__{told.models()[plan.full_name]}.sql"]
        assert b"'added later'" in text, plan.name


def test_tables_of_every_kind_are_built_with_their_rows(told: Told) -> None:
    models = told.models()
    selected = [f"+cur_depot__{models[name]}" for name in BUILT]

    result = told.made.dbt("build", "--exclude-resource-type", "unit_test", "--select", *selected)

    assert result.success, result.text[:5000]
    counts = told.warehouse.row_counts()
    found = {
        name: told.made.project.sql(f"select count(*) from {{schema}}.cur_depot__{models[name]}")[
            0
        ][0]
        for name in BUILT
    }
    assert found == {name: counts[name] for name in BUILT}
    plan = told.warehouse.plan("dbo.words")
    rows = told.made.project.sql("select * from {schema}.cur_depot__words order by id")
    texts = [name for name, (kind, _, _) in plan.columns.items() if kind.name == "nvarchar"]
    assert len(texts) > 3
    for row, number in zip(rows, sorted(plan.rows), strict=True):
        assert {name: row[name] for name in texts} == {
            name: plan.rows[number][name] for name in texts
        }


def test_sqlfluff_finds_nothing_in_hard_tables(told: Told) -> None:
    models = told.models()
    paths = [
        f"models/{layer}/depot/{prefix}_depot__{models['dbo.words']}.sql"
        for layer, prefix in LAYERS.items()
    ]
    paths += [f"models/current/depot/cur_depot__{models[f'dbo.{name}']}.sql" for name in LINTED]
    paths += [
        path
        for path in told.files[0]
        if path.endswith(".sql") and path.split("/")[1] in ("catalog", "observability")
    ]

    output = _lint(told.made.folder, paths)

    assert output.exit_code == 0, output.output[-5000:]


def _lint(folder: Path, paths: list[str]) -> Result:
    """Run sqlfluff on files of a project; its dbt templater wants to be in the project's folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(lint, ["--disable-progress-bar", *paths])
    finally:
        os.chdir(before)
