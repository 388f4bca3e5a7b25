"""Models whose tables are up to date: a look at each, and nothing is asked, rendered or written.

A source has two tables. What makes one of them not up to date must be noticed, whatever it is: new
records, another text or configuration, a run that was interrupted, a table that was rolled back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import yaml
from dbt.adapters.spark.relation import SparkRelation

from dbt_debezium_spark.door.table_metadata import TableMetadata
from dbt_debezium_spark.spark.connection import properties_in_catalog
from tests.support.formats import DEFAULT_FIRST
from tests.support.landed import LandedProject
from tests.support.models import table_models
from tests.support.project import DbtResult

SOURCE, TABLES = "standing", ("goods", "people")
MODELS = [f"{layer}_{name}" for name in TABLES for layer in ("stg", "state", "cur")]
PROPERTY = "debezium_spark.up_to_date"
# once at the raw records; those at tables are no statements
_LOOKS = re.compile("group by topic")


def models(name: str, *more: str) -> dict[str, str]:
    """Return the models of a table with columns `id`, `name`, `password` and `more`.

    Spark hides properties in which some of these names stand.
    """
    texts = [{"name": one, "type": "string"} for one in (*more, "name", "password", "url")]
    return table_models(name, source=SOURCE, columns=[{"name": "id", "type": "int32"}, *texts])


def changed(project: LandedProject) -> tuple[str, str]:
    """Return arguments of dbt by which the source has another configuration."""
    settings = yaml.safe_load((project.path / "dbt_project.yml").read_text(encoding="utf-8"))
    sources = settings["vars"]["debezium_sources"]
    sources[SOURCE]["unavailable_value_placeholder"] = "gone"
    return "--vars", json.dumps({"debezium_sources": sources})


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def project(request: pytest.FixtureRequest, landed: Callable[..., LandedProject]) -> LandedProject:
    """Return the project after both tables were built, in a run of their own."""
    project = landed(SOURCE, models("goods") | models("people"), target=request.param)
    project.land_rows(1, goods=1, people=1)
    project.run("run")
    return project


def touched(result: DbtResult) -> list[str]:
    """Return the models with which a run did more than to look at their tables."""
    return sorted(
        {node for node, sql in result.statements if node in MODELS and not _LOOKS.search(sql)}
    )


def rows(project: LandedProject, name: str) -> list[tuple[Any, ...]]:
    """Return the current rows of a table."""
    found = project.sql(f"select id, name from {project.table(f'cur_{name}')} order by id")
    return [tuple(row) for row in found]


def held(project: LandedProject, model: str) -> str:
    """Return what a table remembers that it is up to date with."""
    (value,) = project.sql(f"show tblproperties {project.table(model)} ('{PROPERTY}')")
    return str(value["value"])


def commits(project: LandedProject, model: str) -> int:
    """Return how many commits a table has."""
    query = f"describe history {project.table(model)}"
    if project.target == "iceberg":
        query = f"select * from `{project.schema}`.`{model}`.metadata_log_entries"
    return len(project.sql(query))


def told(properties: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that macros ask for."""
    known = ("current-snapshot-id", "version")
    return {
        name: value
        for name, value in properties.items()
        if name in known or name.startswith("debezium_spark.")
    }


def test_catalog_and_statements_tell_the_same(project: LandedProject) -> None:
    statements = TableMetadata(lambda sql: [tuple(row) for row in project.sql(sql)])
    for model in MODELS:
        relation = SparkRelation.create(schema=project.schema, identifier=model, type="table")
        in_catalog = told(properties_in_catalog(project.spark, project.schema, model))
        assert in_catalog == told(statements.properties(relation))
        assert PROPERTY in in_catalog
    assert properties_in_catalog(project.spark, project.schema, "no_such_table") == {}


def test_nothing_new_asks_no_table(project: LandedProject) -> None:
    before = {model: commits(project, model) for model in MODELS if model[:3] != "cur"}

    result = project.run("run")

    assert touched(result) == []
    assert len([sql for _, sql in result.statements if "group by topic" in sql]) == len(TABLES)
    assert result.text.count("up to date") == len(MODELS)
    assert {model: commits(project, model) for model in before} == before


def test_new_records_touch_the_models_of_their_table(project: LandedProject) -> None:
    project.land_rows(2, goods=2)

    # the view stays: its text and the columns below it are what they were
    assert touched(project.run("run")) == ["state_goods", "stg_goods"]

    assert rows(project, "goods") == [(1, "goods 1"), (2, "goods 2")]
    assert touched(project.run("run")) == []


def test_another_text_touches_its_model_and_those_behind_it(project: LandedProject) -> None:
    project.write(models("people", "api_token"))

    assert touched(project.run("run")) == ["cur_people", "state_people", "stg_people"]

    assert "api_token" in project.spark.table(project.table("cur_people")).columns
    assert touched(project.run("run")) == []


def test_another_configuration_touches_all_tables(project: LandedProject) -> None:
    tables = sorted(model for model in MODELS if model[:3] != "cur")

    assert set(tables) <= set(touched(project.run("run", *changed(project))))

    assert set(tables) <= set(touched(project.run("run")))
    assert touched(project.run("run")) == []


@pytest.mark.full
def test_what_an_interrupted_run_wrote_is_seen(project: LandedProject) -> None:
    noted = held(project, "stg_goods")
    project.land_rows(3, goods=3)
    project.run("run", "--select", "stg_goods")
    # as if it had ended before it noted what its table is up to date with
    project.sql(
        f"alter table {project.table('stg_goods')} set tblproperties ('{PROPERTY}' = '{noted}')"
    )

    project.run("run", "--select", "state_goods")

    assert (3, "goods 3") in rows(project, "goods")
    project.run("run")
    assert touched(project.run("run")) == []


@pytest.mark.full
def test_a_table_that_was_rolled_back_is_brought_up_to_date(project: LandedProject) -> None:
    table = project.table("stg_goods")
    events = project.sql(f"select count(*) from {table}")
    if project.target == "iceberg":
        snapshots = project.sql(f"select snapshot_id from {table}.snapshots order by committed_at")
        catalog = project.sql("select current_catalog()")[0][0]
        project.sql(
            f"call {catalog}.system.rollback_to_snapshot("
            f"'{project.schema}.stg_goods', {snapshots[-2][0]})"
        )
    else:
        versions = project.sql(f"describe history {table}")
        written = [one["version"] for one in versions if one["operation"] == "MERGE"]
        project.sql(f"restore table {table} to version as of {written[0] - 1}")
    assert project.sql(f"select count(*) from {table}") < events

    project.run("run")

    assert project.sql(f"select count(*) from {table}") == events
    assert touched(project.run("run")) == []


def test_a_macro_within_other_sql_always_gives_its_own(project: LandedProject) -> None:
    within = "{{ debezium_spark.current(state=ref('state_goods'), columns=['id']) }}"
    head = "{{ config(materialized='debezium_view') }}\n"
    project.write({"models/within.sql": f"{head}select id from ({within}) as goods"})

    for _ in range(2):
        project.run("run", "--select", "within")

    assert len(project.sql(f"select * from {project.table('within')}")) == len(
        rows(project, "goods")
    )


def test_an_empty_run_reads_nothing_and_the_next_one_everything(project: LandedProject) -> None:
    people, events = rows(project, "people"), project.rows("stg_people")
    project.land_rows(20, people=20)

    project.run("run", "--empty", *changed(project))

    assert project.rows("stg_people") == events
    assert rows(project, "people") == []
    project.run("run")
    assert rows(project, "people") == [*people, (20, "people 20")]


def test_a_sample_of_staged_events_is_refused(project: LandedProject) -> None:
    properties = "models: [{name: stg_goods, config: {event_time: _cdc_source_at}}]"
    project.write({"models/sampled.yml": properties})
    goods = rows(project, "goods")

    result = project.invoke("run", "--sample", "1 day")

    assert "debezium_spark.--sample: stg_goods has event_time: _cdc_source_at" in result.text
    assert rows(project, "goods") == goods
    (project.path / "models" / "sampled.yml").unlink()
