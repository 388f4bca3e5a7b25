"""Names, labels and comments of a stranger's database are data: dbt reads them and runs none.

dbt itself parses and compiles the generated files here; Spark is not asked. A larger number of
tables, and with Spark: `tests/full/names`.
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

from dbt_debezium_spark.text import literals
from dbt_debezium_spark.text.names import collision, unwritable
from tests.support.generated_text import arguments_of
from tests.support.macros import Macros
from tests.support.parsed_project import catalog_row, generated, read_by_dbt
from tests.support.strange_texts import drawn_tables, tables, texts

# -- chosen ones ----------------------------------------------------------------------------------


ENUM = {"type": "string", "name": "io.debezium.data.Enum"}
TEXT = {"type": "string"}
READS_ENVIRONMENT = 'env_var("CANARY_OF_THE_ENVIRONMENT")'
CODE = [
    READS_ENVIRONMENT,
    " env_var('CANARY_OF_THE_ENVIRONMENT') ",
    'var("canary_variable")',
    'var("x", canary_macro())',
    'ref("no_such_model")',
    'source("no", "such")',
    'doc("no_such_block")',
    "{{ env_var('CANARY_OF_THE_ENVIRONMENT') }}",
    "{{ canary_macro() }}",
    "{{ '{{' }} canary_macro() }}",
    "{{{{ var('canary_variable') }}}}",
    "{% do exceptions.raise_compiler_error('evaluated') %}",
    "{% endraw %}{{ canary_macro() }}",
    "{# a comment #}",
    "{{",
    "}}",
    "{%",
    "' ~ canary_macro() ~ '",
    '" ~ canary_macro() ~ "',
    r"\' ~ canary_macro() ~ \'",
    "it's; drop table x; --",
    "a`b",
    "*/ x /*",
    "true",
    "~",
    "- x",
    "x: y",
    "&anchor",
    "*alias",
    "!tag",
    "!!python/object/apply:os.system [touch canary]",
    "$(touch canary)",
    "../../canary",
    "\u202ertl",
    "zero\u200bwidth",
    "😀",
]


SHELL = (
    """var("x", adapter.execute("select transform(a) using 'touch RCE-PROOF' as (b) """
    """from (select 1 as a)", fetch=true))"""
)
DROPS = 'var("x",adapter.execute("drop view debezium.cur_src__good"))'


def rows_of(number, code):
    """Return a table that has a text wherever a stranger's database may bring one."""
    table = f"t{number}{code}"
    about = {"comment": code, "table_comment": code, "default_value": code}
    about |= {"database_type": f"enum('{code}')", "ended_by": f"renamed to public.{code}"}
    about |= {"topics": [f"pg.{code}"]}
    return [
        catalog_row(table, key=1, **about),
        catalog_row(table, code, 2, key=2, schema=ENUM, enum_values=[code], **about),
        catalog_row(table, f"x{code}", 3, schema=ENUM, enum_lists=[code], **about),
    ]


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    """What dbt made of one project with all these texts: it evaluated none of them."""
    rows = [row for number, code in enumerate(CODE) for row in rows_of(number, code)]
    for table, label in (("rce", SHELL), ("label60", DROPS), ("enums", READS_ENVIRONMENT)):
        rows += [catalog_row(table, key=1)]
        rows += [catalog_row(table, "e", 2, schema=ENUM, enum_lists=[label])]
    rows += [catalog_row("good", key=1), catalog_row("funcs", key=1)]
    rows += [catalog_row("funcs", READS_ENVIRONMENT, 2, schema=TEXT)]
    files, messages = generated(rows)
    # the tables that were renamed at the source
    assert {one["kind"] for one in messages} == {"note"}
    return read_by_dbt(tmp_path_factory.mktemp("strangers") / "shop", files)


@pytest.mark.covers("trap 63", "case enum-label-runs-sql-and-shell")
def test_an_enum_label_runs_no_sql_and_no_shell_command(reading):
    # evaluated, either would have asked Spark, which is not there
    tests = reading.compiled("accepted_values")
    assert [sum(word in one for one in tests) for word in ("RCE-PROOF", "drop view")] == [1, 1]


@pytest.mark.covers("case column-name-reads-env")
def test_a_column_name_reads_no_environment_variable(reading):
    assert READS_ENVIRONMENT in reading.columns("cur_shop__funcs")
    assert any(f"`{READS_ENVIRONMENT}` in (" in one for one in reading.compiled("no_placeholder"))


@pytest.mark.covers("case enum-label-runs-sql-and-shell")
def test_nothing_of_a_record_is_evaluated_wherever_it_stands(reading):
    models = [
        node
        for node in reading.manifest["nodes"].values()
        if node["resource_type"] == "model" and node["name"].startswith("cur_shop__t")
    ]
    assert len(models) == len(CODE)
    found = {name for model in models for name in model["columns"]}
    assert {*CODE, *(f"x{code}" for code in CODE)} <= found
    for model in models:
        theirs = [
            column["description"]
            for name, column in model["columns"].items()
            if not name.startswith("_cdc_")
        ]
        for text in [model["description"], *theirs]:
            assert not set(text) & set("<>{}[]") and text.isprintable()
    # the models hold each text as it is
    for code in CODE:
        assert any(f"`{code.replace('`', '``')}`" in one for one in reading.compiled("cur_shop__t"))


@pytest.mark.covers("case comment-breaks-view")
def test_a_comment_that_ends_in_a_backslash_is_a_comment_of_the_view():
    macros = Macros()
    described = {
        "c": type("Column", (), {"description": "a path like C:\\"}),
        "d": type("Column", (), {"description": "x\\') as select 1 --"}),
    }

    sql = macros._create_view_sql("v", "select 1", ["c", "d", "E`"], described, "it's \\")

    assert sql == (
        "create or replace view v (\n"
        "    `c` comment 'a path like C:\\\\',\n"
        "    `d` comment 'x\\\\\\') as select 1 --',\n"
        "    `E```\n)\n"
        "comment 'it\\'s \\\\'\nas\nselect 1"
    )


# -- any, drawn -----------------------------------------------------------------------------------


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
