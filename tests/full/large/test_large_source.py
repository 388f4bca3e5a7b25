"""A hundred tables, from a schema-change topic and rows to tested tables, by the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from click.testing import Result
from pyspark.sql import SparkSession

from dbt_debezium_spark.text.literals import read_argument
from dev.benchmarks.generate import make_project
from dev.simulator.warehouse import (
    ALTERED,
    BACKTICK,
    COMPOSITE,
    KEYLESS,
    NAMES,
    SILENT,
    Warehouse,
)
from tests.support.generated_project import GeneratedProject
from tests.support.project import DbtProject, DbtResult

TABLES = 100
# All tables take a suite too long to build and lint: every kind is among these. (A table with 1,000
# columns is built by test_generated_tables.)
BUILT = [f"dbo.{name}" for name in ("words", BACKTICK, COMPOSITE, KEYLESS, SILENT, *NAMES[:6])]


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
        return {read_argument(one["table"]): one["model"] for one in about}


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
        text = told.files[0][f"models/staging/depot/stg_depot__{told.models()[plan.full_name]}.sql"]
        assert b"'added later'" in text, plan.name


def test_tables_of_every_kind_are_built_with_their_rows(told: Told) -> None:
    models = told.models()
    selected = [f"+cur_depot__{models[name]}" for name in BUILT]

    result = told.made.dbt("build", "--select", *selected)

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
    texts = [name for name, kind in plan.columns.items() if kind.name == "nvarchar"]
    assert len(texts) > 3
    for row, number in zip(rows, sorted(plan.rows), strict=True):
        assert {name: row[name] for name in texts} == {
            name: plan.rows[number][name] for name in texts
        }
