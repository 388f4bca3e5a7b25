"""A model that fails keeps nobody from seeing what is wrong with all the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models
from tests.support.project import DbtResult

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "born", "type": "int32"}]
BROKEN = (
    "{{ config(materialized='debezium_append') }}\nselect raise_error('no memory left') as _cdc_key"
)
SUBJECTS = ("tables", "quarantine", "drift")


RAWS = "raws=[('shop', ref('raw_fine'))]"


def observed(more: str = "") -> str:
    entries = [
        f"{{'source': 'shop', 'table': 'public.{one}', 'relation': ref('stg_{one}')"
        f"{more.format(one)}}}"
        for one in ("fine", "broken")
    ]
    return f"stagings=[{', '.join(entries)}]"


MODELS = {
    "tables": RAWS + ", " + observed(", 'state': ref('state_{}')"),
    "quarantine": f"{RAWS}, {observed()}",
    "drift": observed(),
}
TESTS = """\
models:
  - name: debezium_obs__quarantine
    data_tests:
      - debezium_spark.reports_nothing:
          arguments: {condition: "reason not like 'record: ignored: %'"}
"""


@pytest.fixture
def project(landed: Callable[..., LandedProject]) -> LandedProject:
    """Return a project of two tables, one of which cannot be staged, that has never run."""
    files = {"models/observability.yml": TESTS}
    for name in ("fine", "broken"):
        files |= table_models(name, source="shop", columns=COLUMNS)
    for subject, arguments in MODELS.items():
        text = f"{{{{ debezium_spark.obs_{subject}({arguments}) }}}}"
        files[f"models/debezium_obs__{subject}.sql"] = text
    project = landed("shop", files)
    log = Log("postgresql").add("c", {"id": 1}, 10, {"id": 1, "born": "spring"})
    for name in ("fine", "broken"):
        project.land_log(1, log, f"shop.public.{name}")
    return project


def tables_of(project: LandedProject, subject: str) -> list[str]:
    views = {row["viewName"] for row in project.sql("show views in {schema}")}
    assert f"debezium_obs__{subject}" in views
    rows = project.rows(f"debezium_obs__{subject}", ["table_name"])
    return [row[0] for row in rows]


def staged(project: LandedProject) -> list[str]:
    columns = ["table_name", "newest_batch_id", "replays"]
    rows = project.rows("debezium_obs__tables", columns)
    assert [row[0] for row in rows] == ["public.broken", "public.fine"]
    return [row[0] for row in rows if row[1] is not None]


def told(result: DbtResult) -> list[str]:
    return [line for line in result.messages if "that its test does not allow" in line]


def test_observability_is_there_when_the_first_build_fails(project: LandedProject) -> None:
    mended = (project.path / "models/stg_broken.sql").read_text()
    project.write({"models/stg_broken.sql": BROKEN})

    result = project.invoke("build")
    assert not result.success
    assert result.statuses["stg_broken"] == "error"
    assert {result.statuses[f"debezium_obs__{subject}"] for subject in SUBJECTS} == {"skipped"}
    assert tables_of(project, "quarantine") == staged(project) == ["public.fine"]
    assert tables_of(project, "drift") == []
    (line,) = told(result)
    assert "debezium_obs__quarantine has 1 row that its test does not allow" in line

    # what failed is mended: the views are made by their models, and see both tables
    project.write({"models/stg_broken.sql": mended})
    result = project.invoke("build")
    assert {result.statuses[f"debezium_obs__{subject}"] for subject in SUBJECTS} == {"success"}
    assert tables_of(project, "quarantine") == ["public.broken", "public.fine"]
    assert told(result) == []

    # and fails again: what was staged before is still seen
    project.write({"models/stg_broken.sql": BROKEN})
    result = project.invoke("build")
    assert tables_of(project, "quarantine") == ["public.broken", "public.fine"]
    assert "debezium_obs__quarantine has 2 rows" in told(result)[0]


@pytest.mark.full
def test_nothing_is_built_yet(project: LandedProject) -> None:
    project.write({"models/stg_broken.sql": BROKEN, "models/stg_fine.sql": BROKEN})
    result = project.invoke("build")
    assert not result.success
    assert tables_of(project, "quarantine") == tables_of(project, "drift") == staged(project) == []
    types = dict(project.spark.table(project.table("debezium_obs__quarantine")).dtypes)
    assert (types["offset"], types["_cdc_landed_at"]) == ("bigint", "timestamp")


def test_a_run_that_does_not_build_them_leaves_them_alone(project: LandedProject) -> None:
    project.write({"models/stg_broken.sql": BROKEN})
    project.invoke("build", "--select", "stg_broken")
    names = {row["viewName"] for row in project.sql("show views in {schema}")}
    assert names.isdisjoint({f"debezium_obs__{subject}" for subject in SUBJECTS})


@pytest.mark.full
def test_one_of_them_built_alone_shows_what_there_is(project: LandedProject) -> None:
    project.run("build", "--select", "+state_fine")
    result = project.invoke("build", "--select", "debezium_obs__quarantine debezium_obs__tables")
    assert result.statuses["debezium_obs__tables"] == "success"
    assert tables_of(project, "quarantine") == ["public.fine"]
    assert told(result) == []
