"""`debezium-spark explain` and its macro in a project: strange keys, JSON, what cannot be found."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from dbt_debezium_spark.explain import NotExplained, explain
from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "it's a", "type": "string"}, {"name": "v", "type": "string"}]
STRANGE = "a'b {{ 1/0 }} \"`\\ ${x}\nline \U0001f40e \x01 é"
PROPERTIES = """
version: 2
models:
"""


@pytest.fixture(scope="module")
def project(landed: Callable[..., LandedProject]) -> LandedProject:
    about = json.dumps({"source": "asked", "table": "public.plain", "model": "plain"})
    described = "".join(
        f"  - {{name: {layer}_plain, config: {{meta: {{debezium_spark: {about}}}}}}}\n"
        for layer in ("stg", "state", "cur")
    )
    project = landed(
        "asked",
        table_models("plain", source="asked", columns=COLUMNS)
        | {"models/plain.yml": PROPERTIES.lstrip() + described},
    )
    log = Log()
    for number, text in enumerate((STRANGE, "5")):
        log.add("c", {"it's a": text}, 10 + number, {"it's a": text, "v": "<b>"})
    project.land_log(1, log, "asked.public.plain")
    project.run("run")
    return project


def test_a_strange_key_on_the_command_line(project: LandedProject):
    text = project.command("explain", "cur_plain", f"it's a={STRANGE}")

    assert "1. c asked.public.plain:0:0: applied\n   change: " in text
    assert "The row stands since asked.public.plain:0:0.\n" in text
    assert "\x01" not in text and "\U0001f40e" in text


@pytest.mark.parametrize("key", [["5"], ["it's a=5"], ['{"it\'s a":"5"}']])
def test_json(project: LandedProject, key: list[str]):
    explained = json.loads(project.command("explain", "public.plain", *key, "--json"))

    assert explained["key"] == '{"it\'s a":"5"}'
    assert explained["row"] == {"it's a": "5", "v": "<b>"}
    (record,) = explained["records"]
    assert (record["verdict"], record["link"]) == ("change", "docs/semantics.md#L112")
    assert explained["outcome"]["what"] == "stands"


def test_an_instant(project: LandedProject):
    text = project.command("explain", "public.plain", "5", "--as-of", "2000-01-01")

    assert "No row yet: its first version begins at 2023-11-14T22:13:20.000000" in text


@pytest.mark.parametrize(
    ("table", "key", "words"),
    [
        ("public.plane", "5", "no table public.plane. Known: public.plain."),
        ("plain", "5", "no table plain. Known: public.plain"),
        ("public.plain", ["v=5"], ""),
        ("public.plain", ["v=5", "x"], "Write column=value for each of it's a."),
    ],
)
def test_what_cannot_be_found(project: LandedProject, table: str, key: str | list[str], words: str):
    arguments = {"project_dir": project.path, "profiles_dir": project.profiles}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in project._variables.items():
            patch.setenv(name, value)
        if not words:
            found = explain(table, key, **arguments)
            assert found["outcome"]["what"] == "never seen"
            return
        with pytest.raises(NotExplained) as raised:
            explain(table, key, **arguments)
    assert words in str(raised.value)


def test_the_macro_in_a_statement(project: LandedProject):
    inline = "{{ debezium_spark.explain('public.plain', {\"it's a\": var('asked')}) }}"
    shown = project.run(
        *("show", "--inline", inline, "--output", "json", "--limit", "9"),
        *("--vars", json.dumps({"asked": "5"})),
    )

    (result,) = shown.raw.result.results
    lines = [
        dict(zip(result.agate_table.column_names, row, strict=True)) for row in result.agate_table
    ]
    assert [line["verdict"] for line in lines] == ["change", "stands"]
    assert lines[0]["event"] == "asked.public.plain:0:1"
    assert lines[1]["changed"] == json.dumps({"it's a": "5", "v": "<b>"})
