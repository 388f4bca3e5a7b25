"""Whatever strangers call their tables, columns and labels: the files hold it, and nothing runs it.

A larger number of tables, and with Spark: `tests/full/names`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import jinja2
import pytest
import yaml
from dbt.clients.jinja import add_rendered_test_kwargs
from hypothesis import HealthCheck, example, given, settings

from dbt_debezium_spark import literals
from dbt_debezium_spark.names import collision, unwritable
from tests.support.generated_text import arguments_of
from tests.support.parsed_project import generated, read_by_dbt
from tests.support.strange_texts import drawn_tables, tables, texts

# The same texts in every run; the part `names` of `make test-all` draws others.
FAST = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
# What we write with braces: one literal without any, a description of ours, an option of ours.
OURS = re.compile(r"\{\{ '[^{}']*(?:\\'[^{}']*)*' \}\}|\{\{ (?:doc|var)\('[a-z_]+', '\w+'\) \}\}")


class _Node:
    def __init__(self, argument: str) -> None:
        self.test_metadata = type("Metadata", (), {"kwargs": {"columns": [argument]}})


@settings(FAST, max_examples=200)
@given(texts)
@example("\r")
def test_a_text_comes_out_of_every_literal_as_it_went_in(text: str) -> None:
    in_jinja = literals.jinja_text(text)
    assert jinja2.Environment().from_string(f"{{{{ {in_jinja} }}}}").render() == text
    in_yaml = yaml.safe_load(literals.yaml_text(text))
    assert jinja2.Environment(keep_trailing_newline=True).from_string(in_yaml).render() == text
    assert ast.literal_eval(literals.python_text(text)) == text
    for literal in (in_jinja, literals.python_text(text)):
        assert not set(literal) & set("{}") and literal.isprintable()
    assert "{" not in in_yaml or OURS.fullmatch(in_yaml)


@settings(FAST, max_examples=200)
@given(texts)
def test_dbt_hands_the_argument_of_a_test_over_as_it_is(text: str) -> None:
    argument = yaml.safe_load(f"- {literals.yaml_name(literals.argument_text(text))}")[0]
    context: dict[str, object] = {}

    # twice: it would not matter if dbt did
    for _ in range(2):
        add_rendered_test_kwargs(context, _Node(argument))
        ((handed,),) = context["_dbt_generic_test_kwargs"].values()
        assert handed == argument
    assert literals.read_argument(argument) == text
    assert not re.search(r"[^\w .,\\-]", argument)


@settings(FAST, max_examples=200)
@given(texts)
def test_words_and_messages_are_plain_whatever_they_hold(text: str) -> None:
    words = literals.plain_words(text)

    assert words.isprintable() and not set(words) & set("<>{}[]`")
    assert literals.plain_words(words) == words
    assert literals.printable(text).isprintable()


@pytest.mark.covers("case odd-names")
@settings(FAST, max_examples=30)
@given(tables())
def test_a_table_is_written_as_it_is_or_refused_by_a_message(rows: list[dict]) -> None:
    files, messages = generated(rows)

    assert all(one["message"].isprintable() for one in messages)
    calls = [
        arguments_of(text) for path, text in files.items() if "/stg_" in path and ".sql" in path
    ]
    if any(one["kind"] == "problem" for one in messages):
        assert calls == []
        return
    columns = [row["column_name"] for row in rows]
    assert collision(columns) is None and not any(map(unwritable, columns))
    (call,) = calls
    assert [one["name"] for one in call["columns"]] == columns
    assert (call["table"], call["topics"]) == (
        f"public.{rows[0]['table_name']}",
        rows[0]["topics"],
    )
    for path, text in files.items():
        assert re.fullmatch(r"[a-z_]+(/[a-z0-9_]+)+\.(sql|py|yml)", path) and len(path) < 300
        if path.endswith(".yml"):
            for scalar in _scalars(yaml.safe_load(text)):
                assert not re.search("[{}]", OURS.sub("", scalar)), path


@pytest.mark.covers("case odd-names")
def test_dbt_reads_and_compiles_the_files_and_evaluates_nothing(tmp_path: Path) -> None:
    files, _ = generated(drawn_tables(20, of_seed=1))

    read_by_dbt(tmp_path / "below" / "shop", files)


def _scalars(value):
    if isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from _scalars(one)
    elif isinstance(value, list):
        for one in value:
            yield from _scalars(one)
    elif isinstance(value, str):
        yield value
