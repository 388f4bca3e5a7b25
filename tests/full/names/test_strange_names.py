"""Names, labels and comments of strangers, from their records to tested tables."""

from __future__ import annotations

import itertools
import json
import os
import random
from operator import itemgetter
from pathlib import Path

import pytest
from sqlfluff.core import FluffConfig, Linter

from tests.support.embedded_records import field, table_record
from tests.support.generated_project import GeneratedProject
from tests.support.parsed_project import ENVIRONMENT_CANARY, MACRO_CANARY, generated, read_by_dbt
from tests.support.strange_texts import drawn_tables

TABLES = int(os.environ.get("DEBEZIUM_SPARK_NAMES", "60"))
SEED = int(os.environ.get("DEBEZIUM_SPARK_SEED", random.randrange(10**6)))
SHELL = """adapter.execute("select transform(a) using 'touch {}' as (b) from (select 1 as a)")"""


def record_of(rows):
    """Return a record of a table: names, labels and comments as the connector would send them."""
    fields = []
    for row in rows:
        parameters = {"__debezium.source.column.comment": row["comment"] or ""}
        node = {"parameters": parameters}
        labels = row.get("enum_lists") or row.get("enum_values")
        if labels:
            parameters["allowed"] = ",".join(labels)
            node["name"] = "io.debezium.data.Enum"
        if row["is_key"]:
            node["optional"] = False
        fields.append(field(row["column_name"], "string", **node))
    key = tuple(row["column_name"] for row in rows if row["is_key"])
    after = {}
    for row in rows:
        labels = row.get("enum_lists") or row.get("enum_values")
        after[row["column_name"]] = labels[0] if labels else "x"
    record = table_record(fields, key or ("id",), table=rows[0]["table_name"], after=after)
    return record if key else {**record, "key": None}


@pytest.fixture
def project(tmp_path, dbt_project_factory, monkeypatch):
    (tmp_path / "records").mkdir()
    made = GeneratedProject(tmp_path / "shop", dbt_project_factory(), monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(*ENVIRONMENT_CANARY)
    monkeypatch.setenv("DBT_USE_COLORS", "false")
    made.init("inventory", "PostgreSQL_server")
    (made.folder / "macros").mkdir(exist_ok=True)
    (made.folder / "macros" / "c.sql").write_text(
        "{% macro canary_macro() %}{{ return('value-of-' ~ 'the-macro') }}{% endmacro %}\n"
    )
    return made


def test_tables_of_strange_names_are_built_tested_documented_and_linted(project, tmp_path):
    touched = tmp_path / "touched"
    label = f'var("x" ~ {SHELL.format(touched)})'
    case = table_record(
        [
            field("id", optional=False),
            field("e", "string", name="io.debezium.data.Enum", parameters={"allowed": label}),
        ],
        table="rce",
        after={"id": 1, "e": label},
    )
    by_table = itertools.groupby(drawn_tables(TABLES, SEED), key=itemgetter("table_name"))
    records = [case, *(record_of(list(rows)) for _, rows in by_table)]
    lines = [json.dumps(one, ensure_ascii=True) + "\n" for one in records]
    (tmp_path / "records" / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    around = everything(tmp_path)

    made = project.generate()
    assert made.exit_code in (0, 1) and "Traceback" not in made.output, (SEED, made.output)
    lines = (made.stdout + made.stderr).split("\n")
    # Java's own lines may begin with a tab
    assert [line for line in lines if not line.lstrip("\t").isprintable()] == [], SEED
    built = project.dbt("build", "--exclude", "debezium_obs__*")
    statuses = {name: one for name, one in built.statuses.items() if one not in ("success", "pass")}
    assert statuses == {}, (SEED, built.text[:3000])
    assert project.dbt("docs", "generate").success, SEED
    assert linted(project) == [], SEED

    assert not touched.exists()
    assert everything(tmp_path) == around, SEED
    for value in (ENVIRONMENT_CANARY[1], MACRO_CANARY[1]):
        assert [
            path for path in written(project.folder) if value.encode() in path.read_bytes()
        ] == []


def test_dbt_evaluates_nothing_in_many_more_tables(tmp_path):
    files, messages = generated(drawn_tables(5 * TABLES, SEED))
    assert all(one["message"].isprintable() for one in messages), SEED
    read_by_dbt(tmp_path / "below" / "shop", files)


def linted(project):
    """Return why sqlfluff cannot read what dbt made of the current models."""
    settings_of = FluffConfig.from_path(str(project.folder), overrides={"templater": "raw"})
    linter = Linter(config=settings_of)
    compiled = sorted(project.folder.glob("target/compiled/*/models/current/**/cur_*.sql"))
    assert compiled
    return [
        (path.name, error.desc())
        for path in compiled
        if path.is_file()
        for error in linter.parse_string(path.read_text(encoding="utf-8")).violations
    ]


def everything(folder: Path) -> set[str]:
    """Return what lies beside a project and in the folder of this process."""
    return {path.name for path in folder.iterdir()} | {path.name for path in Path.cwd().iterdir()}


def written(folder: Path) -> list[Path]:
    """Return what dbt and the generator wrote."""
    return [
        path
        for below in ("target", "logs", "models", "python_models")
        for path in (folder / below).rglob("*")
        if path.is_file()
    ]
