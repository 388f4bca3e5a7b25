"""`dbt build` answers the tests of untouched tables without a scan, and runs all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.formats import DEFAULT_FIRST
from tests.support.landed import LandedProject
from tests.support.models import table_models
from tests.support.project import DbtResult

TABLES = ("goods", "people")
COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]


def models(name: str) -> dict[str, str]:
    """Return the models of a table, with tests of dbt's and of this package."""
    files = table_models(name, source="tested", columns=COLUMNS)
    properties = f"""
models:
  - name: state_{name}
    data_tests:
      - debezium_spark.unique_key: {{arguments: {{columns: [_cdc_key]}}}}
  - name: cur_{name}
    columns:
      - name: id
        data_tests: [unique, not_null]
      - name: name
        data_tests:
          - not_null: {{config: {{where: "id < 100"}}}}
          - accepted_values: {{arguments: {{values: [{name} 1, {name} 2]}}}}
"""
    return {**files, f"models/{name}.yml": properties}


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def project(request: pytest.FixtureRequest, landed: Callable[..., LandedProject]) -> LandedProject:
    """Return a project whose tables were built and tested once."""
    project = landed("tested", models("goods") | models("people"), target=request.param)
    project.land_rows(1, goods=1, people=1)
    assert scanned(project.run("build")) == {"goods": 5, "people": 5}
    return project


def scanned(result: DbtResult) -> dict[str, int]:
    """Return how many tests of each table read it."""
    found = dict.fromkeys(TABLES, 0)
    for _, sql in result.statements:
        if "dbt_internal_test" in sql:
            (name,) = [one for one in TABLES if f"_{one}" in sql.split("dbt_internal_test")[0]]
            found[name] += 1
    return found


def passed(result: DbtResult) -> int:
    """Return how many tests a command reports as passed."""
    return len([one for one in result.raw.result if one.status == "pass"])


def test_tests_of_untouched_tables_are_answered(project: LandedProject) -> None:
    """But for the one with a condition, which may ask for the time."""
    for command in ("build", "test"):
        result = project.run(command)

        assert scanned(result) == {"goods": 1, "people": 1}
        assert passed(result) == 10


def test_failures_are_stored_of_tests_that_passed_before(project: LandedProject) -> None:
    selected = ("--select", "cur_goods,test_type:data")

    result = project.run("test", *selected, "--store-failures")

    audit = f"{project.schema}_dbt_test__audit"
    # Spark lists temporary views of the session, too
    shown = project.spark.sql(f"show tables in `{audit}`").collect()
    stored = [table for table in shown if not table["isTemporary"]]
    assert len(stored) == passed(result) == 4
    assert scanned(project.run("test", *selected)) == {"goods": 1, "people": 0}


@pytest.mark.full
def test_tests_of_a_table_with_new_rows_run(project: LandedProject) -> None:
    project.land_rows(2, goods=2)

    assert scanned(project.run("build")) == {"goods": 5, "people": 1}
    assert scanned(project.run("build")) == {"goods": 1, "people": 1}


def test_a_test_that_failed_runs_again_and_fails_again(project: LandedProject) -> None:
    project.land_rows(3, people=3)

    for command in ("build", "test"):
        result = project.invoke(command)

        assert passed(result) == 9
    assert scanned(result) == {"goods": 1, "people": 2}


def test_all_tests_run_when_asked(project: LandedProject) -> None:
    result = project.invoke("test", "--vars", "{debezium_repeat_tests: true}")

    assert scanned(result) == {"goods": 5, "people": 5}


def test_tests_of_a_table_that_somebody_wrote_run_and_fail(project: LandedProject) -> None:
    state = project.table("state_people")
    project.sql(f"insert into {state} select * from {state} where _cdc_key not like '!%'")

    result = project.invoke("test")

    assert scanned(result) == {"goods": 1, "people": 5}
    assert passed(result) == 7
