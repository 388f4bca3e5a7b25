"""Models whose tables are up to date: one look at each, and nothing is rendered or written.

A source has two tables. What makes one of them not up to date must be noticed, whatever it is: new
records, another text or configuration, a run that was interrupted, a table that was rolled back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.cases.log import Log
from tests.support.formats import DEFAULT_FIRST
from tests.support.models import table_models
from tests.support.project import DbtProject, DbtResult, create_project
from tests.support.raw import RAW_TYPE, raw_row

TABLES = ("goods", "people")
MODELS = [f"{layer}_{name}" for name in TABLES for layer in ("stg", "state", "cur")]
PROPERTY = "debezium_spark.up_to_date"
# at a table, and once at the raw records
_LOOKS = re.compile("show tblproperties|describe history|group by topic")


def models(schema: str, name: str, *more: str) -> dict[str, str]:
    """Return the models of a table with columns `id`, `name`, `password` and `more`.

    Spark hides properties in which some of these names stand.
    """
    columns = [{"name": "id", "type": "int32"}, *({"name": n, "type": "string"} for n in more)]
    return table_models(
        name,
        source="standing",
        landed=f"`{schema}`.landed",
        topics=[f"standing.public.{name}"],
        table=f"public.{name}",
        key=columns[:1],
        columns=[*columns, *({"name": n, "type": "string"} for n in ("name", "password", "url"))],
    )


def source(folder: Any, **options: Any) -> dict[str, Any]:
    """Return the configuration of the source."""
    files = {"type": "files", "path": str(folder / "data")}
    block = {"connector": "postgresql", "topic_prefix": "standing", "input": files}
    return {"debezium_sources": {"standing": {**block, **options}}}


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def project(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    spark_by_target: dict[str, SparkSession],
) -> Iterator[DbtProject]:
    """Return the project after both tables were built, in a run of their own."""
    schema = f"standing_{request.param}"
    folder = tmp_path_factory.mktemp(schema)
    (folder / "data").mkdir()
    spark = spark_by_target[request.param]
    project = create_project(
        folder,
        schema=schema,
        target=request.param,
        spark=spark,
        files=models(schema, "goods") | models(schema, "people"),
        variables=source(folder),
    )
    spark.sql(f"create schema if not exists `{schema}`")
    landed = spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed")
    landed.using(request.param).createOrReplace()
    land(project, 1, goods=1, people=1)
    project.run("run")
    yield project


def land(project: DbtProject, batch: int, **ids: int) -> None:
    """Append a batch with the insert of one row of each table named."""
    rows = []
    for name, id_ in ids.items():
        log = Log("postgresql")
        log.add("c", {"id": id_}, 10 * batch, {"id": id_, "name": f"{name} {id_}"})
        for record in log.cut()[0]:
            record = replace(record, topic=f"standing.public.{name}", offset=batch)
            rows.append(raw_row(record, batch))
    project.spark.createDataFrame(rows, RAW_TYPE).writeTo(project.table("landed")).append()


def touched(result: DbtResult) -> list[str]:
    """Return the models with which a run did more than to look at their tables."""
    return sorted(
        {node for node, sql in result.statements if node in MODELS and not _LOOKS.search(sql)}
    )


def rows(project: DbtProject, name: str) -> list[tuple[Any, ...]]:
    """Return the current rows of a table."""
    found = project.sql(f"select id, name from {project.table(f'cur_{name}')} order by id")
    return [tuple(row) for row in found]


def held(project: DbtProject, model: str) -> str:
    """Return what a table remembers that it is up to date with."""
    (value,) = project.sql(f"show tblproperties {project.table(model)} ('{PROPERTY}')")
    return str(value["value"])


def commits(project: DbtProject, model: str) -> int:
    """Return how many commits a table has."""
    query = f"describe history {project.table(model)}"
    if project.target == "iceberg":
        query = f"select * from `{project.schema}`.`{model}`.metadata_log_entries"
    return len(project.sql(query))


def test_nothing_new_is_one_look_at_each_table(project: DbtProject) -> None:
    before = {model: commits(project, model) for model in MODELS if model[:3] != "cur"}

    result = project.run("run")

    assert touched(result) == []
    looks = [node for node, sql in result.statements if "show tblproperties" in sql]
    assert sorted(looks) == sorted(MODELS)
    assert len([sql for _, sql in result.statements if "group by topic" in sql]) == len(TABLES)
    assert result.text.count("up to date") == len(MODELS)
    assert {model: commits(project, model) for model in before} == before


def test_new_records_touch_the_models_of_their_table(project: DbtProject) -> None:
    land(project, 2, goods=2)

    # the view stays: its text and the columns below it are what they were
    assert touched(project.run("run")) == ["state_goods", "stg_goods"]

    assert rows(project, "goods") == [(1, "goods 1"), (2, "goods 2")]
    assert touched(project.run("run")) == []


def test_another_text_touches_its_model_and_those_behind_it(project: DbtProject) -> None:
    project.write(models(project.schema, "people", "api_token"))

    assert touched(project.run("run")) == ["cur_people", "state_people", "stg_people"]

    assert "api_token" in project.spark.table(project.table("cur_people")).columns
    assert touched(project.run("run")) == []


def test_another_configuration_touches_all_tables(project: DbtProject) -> None:
    changed = source(project.path, unavailable_value_placeholder="gone")
    tables = sorted(model for model in MODELS if model[:3] != "cur")

    assert set(tables) <= set(touched(project.run("run", "--vars", json.dumps(changed))))

    assert set(tables) <= set(touched(project.run("run")))
    assert touched(project.run("run")) == []


@pytest.mark.full
def test_what_an_interrupted_run_wrote_is_seen(project: DbtProject) -> None:
    noted = held(project, "stg_goods")
    land(project, 3, goods=3)
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
def test_a_table_that_was_rolled_back_is_brought_up_to_date(project: DbtProject) -> None:
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
        written = [one["version"] for one in versions if one["operation"] == "WRITE"]
        project.sql(f"restore table {table} to version as of {written[0] - 1}")
    assert project.sql(f"select count(*) from {table}") < events

    project.run("run")

    assert project.sql(f"select count(*) from {table}") == events
    assert touched(project.run("run")) == []


def test_a_macro_within_other_sql_always_gives_its_own(project: DbtProject) -> None:
    within = "{{ debezium_spark.current(state=ref('state_goods'), columns=['id']) }}"
    head = "{{ config(materialized='debezium_view') }}\n"
    project.write({"models/within.sql": f"{head}select id from ({within}) as goods"})

    for _ in range(2):
        project.run("run", "--select", "within")

    assert len(project.sql(f"select * from {project.table('within')}")) == len(
        rows(project, "goods")
    )


def test_an_empty_run_reads_nothing_and_the_next_one_everything(project: DbtProject) -> None:
    people, events = rows(project, "people"), project.rows("stg_people")
    land(project, 20, people=20)

    changed = source(project.path, unavailable_value_placeholder="gone")
    project.run("run", "--empty", "--vars", json.dumps(changed))

    assert project.rows("stg_people") == events
    assert rows(project, "people") == []
    project.run("run")
    assert rows(project, "people") == [*people, (20, "people 20")]


def test_a_sample_of_staged_events_is_refused(project: DbtProject) -> None:
    properties = "models: [{name: stg_goods, config: {event_time: _cdc_source_at}}]"
    project.write({"models/sampled.yml": properties})
    goods = rows(project, "goods")

    result = project.invoke("run", "--sample", "1 day")

    assert "debezium_spark.--sample: stg_goods has event_time: _cdc_source_at" in result.text
    assert rows(project, "goods") == goods
    (project.path / "models" / "sampled.yml").unlink()


def test_in_place_of_a_view_a_table_is_written_when_its_rows_change(project: DbtProject) -> None:
    as_tables = ("run", "--vars", "{debezium_views: false}")
    project.run(*as_tables)
    shown = ("cur_goods", "cur_people")
    before = {model: commits(project, model) for model in shown}
    people = rows(project, "people")

    project.run(*as_tables)
    assert {model: commits(project, model) for model in shown} == before

    land(project, 30, goods=30)
    project.run(*as_tables)
    assert (30, "goods 30") in rows(project, "goods")
    assert commits(project, "cur_goods") != before["cur_goods"]
    assert commits(project, "cur_people") == before["cur_people"]

    project.run("run")
    views = {row["viewName"] for row in project.sql("show views in {schema}")}
    assert views >= set(shown)
    assert rows(project, "people") == people
