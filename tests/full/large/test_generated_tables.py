"""Tables that are hard to write models for, from their records to tested tables."""

from __future__ import annotations

import json

import pytest
from sqlfluff.core import FluffConfig, Linter

from tests.support.embedded_records import field, table_record
from tests.support.generated_project import GeneratedProject

ENUM = {"name": "io.debezium.data.Enum", "parameters": {"allowed": "sad,a,b,it's"}}
WORDS = ["select", "null", "current_date", "timestamp", "Mixed Case", "ключ", "it's", 'a"b', "a.b"]
BROKEN = [
    ("models/staging/inventory/stg_inventory__words.sql", "{{ debezium_spark.staging(\n"),
    ("models/current/inventory/cur_inventory__words.yml", "models:\n  - name: x\n   columns: [\n"),
    ("models/state/inventory/state_inventory__words.yml", "models:\n  - name: '{{ nope( }}'\n"),
    ("models/observability/debezium_obs__drift.sql", "{{ debezium_spark.quote(bad=1) }}\n"),
]


@pytest.fixture
def target():
    """One table format: the files are the same for both."""
    return "iceberg"


@pytest.fixture
def project(tmp_path, dbt_project_factory, target, monkeypatch):
    """A fresh project of source `inventory`; `land` gives it records."""
    (tmp_path / "records").mkdir()
    made = GeneratedProject(tmp_path / "shop", dbt_project_factory(target=target), monkeypatch)
    monkeypatch.chdir(tmp_path)
    made.init("inventory", "PostgreSQL_server")
    return made


def land(tmp_path, *records):
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in records]
    (tmp_path / "records" / "a.jsonl").write_text("".join(lines), encoding="utf-8")


def texts(names, **members):
    return [field(name, "string", **members) for name in names]


def words():
    fields = [field("id", optional=False), *texts(WORDS, optional=False), *texts(["order"])]
    row = {"id": 1, **{name: f"v {name}" for name in WORDS}, "order": None}
    return table_record(fields, ("id", "null", "current_date"), table="words", after=row)


def test_hard_tables_are_built_and_tested_or_refused_by_name(project, tmp_path):
    mood = [field("id", optional=False), field("mood", "string", **ENUM)]
    names = [f"c{number:04}" for number in range(1, 1000)]
    wide = [field("id", optional=False), *texts(names)]
    wide_row = {"id": 1, **dict.fromkeys(names), "c0999": "last"}
    land(
        tmp_path,
        words(),
        table_record(mood, table="Moods of the day", after={"id": 1, "mood": "a,b"}),
        table_record(mood, table="Moods of the day", after={"id": 2, "mood": "it's"}, offset=1),
        table_record(wide, table="wide", after=wide_row),
        table_record(texts(["id", "ID"]), table="case"),
        table_record(texts(["id", "_CDC_op"]), table="ours"),
        table_record(texts(["id"]), table="my table"),
        table_record(texts(["id"]), table="my_table"),
    )

    generated = project.generate()

    assert generated.exit_code == 1
    for words_of_refusal in (
        "table 'public.case' has the columns 'id' and 'ID'",
        "table 'public.ours' has the column '_CDC_op'",
        "table 'public.my table' would get the model name 'db_public_my_table', like",
        "table 'public.my_table' would get the model name 'db_public_my_table', like",
    ):
        assert words_of_refusal in " ".join(generated.stderr.split())
    files = {path.split("/")[-1] for path in project.files() if path.startswith("models/current")}
    assert {name for name in files if name.endswith(".sql")} == {
        "cur_inventory__words.sql",
        "cur_inventory__moods_of_the_day.sql",
        "cur_inventory__wide.sql",
    }

    result = project.dbt("build")
    assert result.success, result.text[:3000]
    tests = [name for name, status in result.statuses.items() if status == "pass"]
    assert any("not_null" in name and "current_date" in name for name in tests)
    assert any("unique_state" in name for name in tests)
    assert any("accepted_values_of_lists" in name for name in tests)
    rows = project.project.sql(
        """select `current_date`, `ключ`, `a"b`, `order` from {schema}.cur_inventory__words"""
    )
    assert [tuple(one) for one in rows] == [
        ("v current_date", "v ключ", 'v a"b', None),
    ]
    ((last,),) = project.project.sql("select c0999 from {schema}.cur_inventory__wide")
    assert last == "last"
    (compiled,) = project.folder.glob("target/compiled/*/models/staging/*/stg_inventory__wide.sql")
    assert parsing_errors(project, compiled.read_text(encoding="utf-8")) == []


def parsing_errors(project, sql):
    """Return why sqlfluff cannot read rendered SQL with the settings that `init` wrote."""
    settings = FluffConfig.from_path(str(project.folder), overrides={"templater": "raw"})
    return [error.desc() for error in Linter(config=settings).parse_string(sql).violations]


def test_a_generated_file_that_dbt_cannot_read_is_named_and_nothing_is_written(project, tmp_path):
    land(tmp_path, words())
    assert project.generate().exit_code == 0
    good = project.files()

    for path, text in BROKEN:
        file = project.folder / path
        whole = file.read_text()
        file.write_text(f"{whole.split(chr(10), 1)[0]}\n{text}")
        damaged = project.files()

        for arguments in (("--check", "--no-build"), ("--no-build",)):
            generated = project.generate(*arguments)
            assert generated.exit_code == 1, generated.output
            said = " ".join((generated.stdout + generated.stderr).split())
            # dbt does not say in which properties it cannot render a name
            place = "the project" if "nope" in text else path
            assert f"dbt cannot read {place}: " in said, said
            remedy = "Correct it" if "nope" in text else "restore it from version control"
            assert remedy in said, said
            assert project.files() == damaged

        file.write_text(whole)
        assert project.generate("--no-build").exit_code == 0
        assert project.files() == good
