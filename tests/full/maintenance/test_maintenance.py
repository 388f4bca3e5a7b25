"""`dbt run-operation debezium_maintain`: fewer files, the same rows, and the next run goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.embedded_records import field, table_record
from tests.support.models import history_models, table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
FIELDS = [field("id", optional=False), field("name", "string")]
TOPIC = "PostgreSQL_server.public.people"
SOURCES = {
    "shop": {
        "connector": "postgresql",
        "topic_prefix": "PostgreSQL_server",
        "input": {"type": "files", "path": "data"},
    }
}
FILES = {
    "python_models/raw_shop.py": """
        from dbt_debezium_spark import landing

        def model(dbt, session):
            dbt.config(materialized="debezium_raw")
            return landing.land(dbt, session, source="shop")
    """,
}
MODEL: dict[str, Any] = {"source": "shop", "columns": COLUMNS, "table": "public.people"}
FILES |= table_models("shop", topics=[TOPIC], landed=None, **MODEL)
FILES |= history_models("shop", **MODEL)
VIEWS = ("cur_shop", "hist_shop")
TABLES = ("raw_shop", "raw_shop__files", "stg_shop", "state_shop", "versions_shop")
BATCHES = {"iceberg": 6, "delta": 2}  # Iceberg joins five small files, not fewer


@pytest.fixture
def project(dbt_project_factory, target):
    made = dbt_project_factory(FILES, vars={"debezium_sources": SOURCES}, target=target)
    for batch in range(BATCHES[target]):
        land(made, batch)
    return made


def land(project, batch):
    """Land and fold one change of row 0 and a new row."""
    rows = [{"id": 0, "name": f"name {batch}"}, {"id": batch + 1, "name": "new"}]
    lines = [
        json.dumps(table_record(FIELDS, ("id",), table="people", after=row, offset=2 * batch + n))
        for n, row in enumerate(rows)
    ]
    project.write({f"data/part-{batch}.jsonl": "\n".join(lines) + "\n"})
    project.run("run")


def file_count(project, table):
    if project.target == "delta":
        return project.sql(f"describe detail {project.table(table)}")[0]["numFiles"]
    return project.sql(f"select count(*) from {project.table(table)}.files")[0][0]


def test_maintenance_changes_no_row_and_the_next_run_goes_on(project):
    landed = BATCHES[project.target]
    rows = {name: project.rows(name) for name in (*TABLES, *VIEWS)}
    files = {name: file_count(project, name) for name in TABLES}
    assert (f"name {landed - 1}",) in [row[1:2] for row in rows["cur_shop"]]

    told = project.run("run-operation", "debezium_maintain")

    assert {name: project.rows(name) for name in (*TABLES, *VIEWS)} == rows
    for name in TABLES:
        assert file_count(project, name) < files[name], name
        assert f"`{name}`: {files[name]} files before, {file_count(project, name)} now" in told.text

    land(project, landed)

    staged = project.rows("stg_shop")
    assert len(staged) == 2 * (landed + 1) and set(rows["stg_shop"]) < set(staged)
    current = {row[0]: row[1] for row in project.rows("cur_shop")}
    assert current == {0: f"name {landed}"} | dict.fromkeys(range(1, landed + 2), "new")
    versions = project.rows("hist_shop", ["id", "name"])
    assert versions == sorted(
        [*((0, f"name {batch}") for batch in range(landed + 1))]
        + [(one, "new") for one in range(1, landed + 2)]
    )


def test_wrong_arguments_are_refused_with_the_remedy(dbt_project_factory):
    project = dbt_project_factory(FILES, vars={"debezium_sources": SOURCES})
    for arguments, words in (
        ("{older_than_days: soon}", "older_than_days must be a number of days, got: soon"),
        ("{source: shops}", "the project has no source `shops`. Known: shop."),
    ):
        result = project.invoke("run-operation", "debezium_maintain", "--args", arguments)
        assert not result.success
        assert words in result.text
