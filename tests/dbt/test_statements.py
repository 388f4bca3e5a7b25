"""How many statements a table costs, whatever sends them: dbt, or the package's Python.

One source has three tables, another one: what both runs ask besides is the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dbt_common.events.contextvars import get_node_info
from pyspark.sql import SparkSession

from tests.support.formats import DEFAULT_FIRST
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
LAYERS = ("stg", "state", "cur")
# of all records of a log
ORIGINS = [{"schema": "public", "table": "customers"}]
ASKED_FOR_ALL = ("select to_json( named_struct(",)
# in a first load, a run with a batch, and one with nothing new; Delta's mark is in the first commit
MOST = {"iceberg": (6, 13, 0), "delta": (4, 13, 0)}
# only file metadata are looked at
PLANNED = "select 1 from"
CATALOG = """
{{ config(materialized='debezium_append') }}
{{ debezium_spark.catalog_schemas(source='%s', raw=ref('raw_%s')) }}
"""
DOCUMENTED = """
models:
  - name: cur_%s
    description: Rows of the source.
    columns: [{name: id, description: The key.}]
"""
# dbt's comment, and names in what begins a statement
_COMMENT, _NAME = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"`[^`]*`(\.`[^`]*`)*")

Statements = dict[str, list[str]]


def models(source: str, tables: list[str]) -> dict[str, str]:
    """Return the models of a source as they are generated, with comments and a catalog."""
    raw = f"raw_{source}"
    files = {f"models/catalog_{source}__schemas.sql": CATALOG % (source, source)}
    for name in tables:
        for path, text in table_models(name, source=source, columns=COLUMNS).items():
            if path == f"models/raw_{name}.sql":
                files[f"models/{raw}.sql"] = text
                continue
            more = f"schemas=ref('catalog_{source}__schemas'), origins={ORIGINS}"
            files[path] = text.replace(f"ref('raw_{name}')", f"ref('{raw}'), {more}")
        files[f"models/cur_{name}.yml"] = DOCUMENTED % name
    return files


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    """Return what reaches Spark: how each statement begins, by the model that sends it."""
    statements: Statements = defaultdict(list)
    sql = SparkSession.sql

    def send(session: SparkSession, text: str, *args: Any, **named: Any) -> Any:
        words = _NAME.sub("", _COMMENT.sub("", text)).split()
        statements[get_node_info().get("node_name", "")].append(" ".join(words[:3]))
        return sql(session, text, *args, **named)

    monkeypatch.setattr(SparkSession, "sql", send)
    return statements


def taken(sent: Statements, tables: list[str]) -> tuple[list[Statements], list[str]]:
    """Return the statements of each table by layer, and those that are of no table."""
    of_tables = [{layer: sent.pop(f"{layer}_{name}", []) for layer in LAYERS} for name in tables]
    others = [text for texts in sent.values() for text in texts]
    for texts in (texts for layers in of_tables for texts in layers.values()):
        # the first table to ask asks for all
        others += [text for text in texts if text in ASKED_FOR_ALL]
        texts[:] = [text for text in texts if text not in ASKED_FOR_ALL and text != PLANNED]
    sent.clear()
    return of_tables, sorted(others)


@pytest.mark.parametrize("target", DEFAULT_FIRST)
def test_statements(target: str, landed: Callable[..., LandedProject], sent: Statements) -> None:
    asked_once = []
    for source, tables in (("one", ["a1"]), ("three", ["b1", "b2", "b3"])):
        variables = {"debezium_few_rows": 20_000}
        project = landed(source, models(source, tables), target=target, variables=variables)
        settings = (project.path / "dbt_project.yml").read_text(encoding="utf-8")
        documented = "models: {+persist_docs: {relation: true, columns: true}}\n"
        project.write({"dbt_project.yml": settings + documented})
        runs = []
        for batch in (1, 2, None):
            if batch:
                project.land_rows(batch, **dict.fromkeys(tables, batch))
            sent.clear()
            project.run("run")
            runs.append(taken(sent, tables))
        asked_once.append([others for _, others in runs])
        for (of_tables, _), most in zip(runs, MOST[target], strict=True):
            for statements in of_tables:
                assert sum(map(len, statements.values())) <= most, statements
    assert asked_once[0] == asked_once[1]
