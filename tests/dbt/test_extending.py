"""What docs/extending.md shows, read from the page, in a project that `init` made and dbt built."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.embedded_records import field, table_record
from tests.support.generated_project import GeneratedProject
from tests.support.paths import REPOSITORY
from tests.support.project import DbtProject

pytestmark = pytest.mark.slow

PAGE = (REPOSITORY / "docs" / "extending.md").read_text(encoding="utf-8")
FIELDS = [
    field("id", optional=False),
    *(field(name, "string") for name in ("email", "notes", "password")),
]


def snippets(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def customer(number: int) -> str:
    row = {"id": number, "email": f"{number}@x", "notes": "private", "password": "secret"}
    record = table_record(FIELDS, offset=number, table="customers", after=row)
    return json.dumps(record) + "\n"


def extend(folder: Path) -> None:
    """Do what the page says."""
    file = folder / "dbt_project.yml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    (block,) = (yaml.safe_load(text)["vars"]["debezium_sources"] for text in snippets("yaml"))
    settings["vars"]["debezium_sources"]["shop"] |= block["shop"]
    file.write_text(yaml.safe_dump(settings), encoding="utf-8")
    (folder / "macros").mkdir(exist_ok=True)
    (folder / "macros" / "ours.sql").write_text("\n".join(snippets("jinja")), encoding="utf-8")


def columns(project: DbtProject, name: str) -> list[str]:
    names = project.spark.table(project.table(name)).columns
    return [one for one in names if not one.startswith("_cdc_")]


def test_a_project_changes_columns_a_layer_and_a_template(
    tmp_path: Path,
    dbt_project_factory: Callable[..., DbtProject],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "1.jsonl").write_text(customer(1), encoding="utf-8")
    project = GeneratedProject(tmp_path / "shop", dbt_project_factory(), monkeypatch)
    project.init("shop", "PostgreSQL_server")

    def build() -> dict[str, Any]:
        made = project.generate()
        assert made.exit_code == 0, made.output
        (tmp_path / "records" / "2.jsonl").write_text(customer(2), encoding="utf-8")
        result = project.dbt("build")
        assert result.success, result.text
        return {one.node.name: one.node for one in result.raw.result}

    tables = project.project
    build()
    assert columns(tables, "cur_shop__customers") == ["id", "email", "notes", "password"]
    extend(project.folder)
    nodes = build()

    assert columns(tables, "stg_shop__customers") == ["id", "address", "password"]
    assert columns(tables, "cur_shop__customers") == ["address", "id", "password"]
    rows = tables.sql("select id, address from {schema}.cur_shop__customers order by id")
    assert [tuple(row) for row in rows] == [(1, "1@x"), (2, "2@x")]
    staged = tables.sql("select * from {schema}.stg_shop__customers")
    assert {(one["_cdc_errors"], one["_cdc_unmapped"]) for one in staged} == {(None, None)}
    (raw, _) = tables.sql("select value from {schema}.raw_shop")
    assert "private" in raw["value"]
    assert "staging" in nodes["stg_shop__customers"].tags
    assert "staging" not in nodes["state_shop__customers"].tags
