"""`debezium-spark status` in a project: what is wrong, its exit code, the page, freshness."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.text.literals import argument_text
from tests.cases.log import Log
from tests.support.examples import START_MS
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]
TABLES = {"well": "public.well", "odd": "public.<b>{{ x }}"}
RAWS = "raws=[('shop', ref('raw_shop'))]"
START = datetime.fromtimestamp(START_MS / 1000, UTC)
RAW = "{{ config(materialized='table') }}\nselect * from {{ target.schema }}.landed"


def stagings(more: str = "") -> str:
    entries = (
        f"{{'source': 'shop', 'table': {json.dumps(table)}, 'relation': ref('stg_{name}')"
        f"{more.replace('{}', name)}}}"
        for name, table in TABLES.items()
    )
    return f"stagings=[{', '.join(entries)}]"


VIEWS = {
    "tables": f"{RAWS}, " + stagings(", 'state': ref('state_{}')"),
    "quarantine": f"{RAWS}, {stagings()}",
}


def properties() -> str:
    """Return the properties of the models, as `generate` writes them, and of a dbt source."""
    models: list[Any] = [
        {"name": "raw_shop", "config": {"meta": {"debezium_spark": {"source": "shop"}}}}
    ]
    for name, table in TABLES.items():
        meta = {"source": "shop", "table": argument_text(table), "model": name}
        for layer in ("stg", "state", "cur"):
            model = {"name": f"{layer}_{name}", "config": {"meta": {"debezium_spark": meta}}}
            models.append(model)
    models[-1]["columns"] = [{"name": "v", "data_tests": ["not_null"]}]  # of cur_odd
    query = "{{ debezium_spark.source_freshness('shop') }}"
    freshness = {"error_after": {"count": 1, "period": "hour"}}
    table = {"name": "raw_shop", "config": {"loaded_at_query": query, "freshness": freshness}}
    source = {"name": "shop", "schema": "{{ target.schema }}", "tables": [table]}
    return yaml.safe_dump({"models": models, "sources": [source]})


@pytest.fixture
def project(landed: Callable[..., LandedProject], target: str) -> LandedProject:
    """Return a project of two tables and one event of each; the clock stands a minute later."""
    files = {"models/properties.yml": properties(), "models/raw_shop.sql": RAW}
    for name, table in TABLES.items():
        models = table_models(
            *(name,), source="shop", columns=COLUMNS, topics=[f"shop.{name}"], landed=None
        )
        for path, text in models.items():
            text = text.replace(f"ref('raw_{name}')", "ref('raw_shop')")
            files[path] = text.replace(f"'public.{name}'", json.dumps(table))
    for subject, arguments in VIEWS.items():
        text = f"{{{{ debezium_spark.obs_{subject}({arguments}) }}}}"
        files[f"models/debezium_obs__{subject}.sql"] = text
    project = landed(
        "shop",
        files,
        target=target,
        options={"max_lag": "1 hour"},
        variables={"debezium_as_of": (START + timedelta(minutes=1)).isoformat()},
    )
    for name in TABLES:
        log = Log("postgresql").add("c", {"id": 1}, 10, {"id": 1, "v": "x"})
        project.land_log(1, log, f"shop.{name}")
    project.run("build")
    return project


@pytest.mark.parametrize("target", ["iceberg", pytest.param("delta", marks=pytest.mark.full)])
def test_status(project: LandedProject, tmp_path: Path) -> None:
    well = project.command("status").splitlines()
    assert well[0] == "0 of 3 need attention, as of 2023-11-14 22:14:20Z"
    assert well[1].startswith("Last run: dbt build, ")

    log = Log("postgresql").add("c", {"id": 1}, 10, {"id": 1, "v": "x"})
    log.add("u", {"id": 1}, 5, {"id": 1, "v": None}).add("c", {"id": 2}, 11, value={"op": "?"})
    log.add("c", {"id": 3}, 12, {"id": 3, "v": None})
    project.land_log(2, log, "shop.odd")
    assert not project.invoke("build").success

    # the oldest time with which the source would be late, less max_lag; dbt's clock is the true one
    results = project.invoke("source", "freshness").raw.result.results
    (fresh,) = (one for one in results if one.node.name == "raw_shop")
    assert (str(fresh.status), fresh.max_loaded_at.replace(microsecond=0)) == ("error", START)

    page = tmp_path / "report.html"
    report = json.loads(project.command("status", "--json", "--html", str(page), code=1))
    rows = {(row["source"], row["table"]): row for row in report["tables"]}
    odd = rows["shop", TABLES["odd"]]
    assert odd == report["tables"][0]
    assert odd["wrong"] == {"run": "fail", "unexplained": "1", "quarantine": "1"}
    assert rows["shop", TABLES["well"]]["wrong"] == {}
    assert report["findings"] == ["unexplained", "unavailable_values", "quarantine"]
    assert min(rows["shop", None]["raw_bytes"], odd["staging_bytes"], odd["state_bytes"]) > 1000
    assert [(one["batch_id"], one["events"]) for one in report["batches"]] == [(1, 2), (2, 3)]
    text = page.read_text(encoding="utf-8")
    assert "public.&lt;b&gt;{{ x }}" in text and "<b>" not in text

    # the view has the time of its build, as a table in its place has
    settings = project.path / "dbt_project.yml"
    for hours, late in ((0.9, None), (1.1, "since the last build")):
        text = yaml.safe_load(settings.read_text(encoding="utf-8"))
        text["vars"]["debezium_as_of"] = (START + timedelta(hours=hours)).isoformat()
        settings.write_text(yaml.safe_dump(text), encoding="utf-8")
        report = json.loads(project.command("status", "--json", code=1))
        assert {row["wrong"].get("late") for row in report["tables"] if row["table"]} == {late}


def test_a_project_that_has_not_run(landed: Callable[..., LandedProject]) -> None:
    project = landed("shop", {})
    assert project.command("status", code=2).strip() == (
        "debezium_spark: the project has no view debezium_obs__tables."
        " Run `debezium-spark generate`, then `dbt build`."
    )
