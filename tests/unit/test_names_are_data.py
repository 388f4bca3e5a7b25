"""Names, labels and comments of a stranger's database are data: dbt reads them and runs none.

dbt itself parses and compiles the generated files here; Spark is not asked.
"""

from __future__ import annotations

import pytest

from tests.support.macros import Macros
from tests.support.parsed_project import catalog_row, generated, read_by_dbt

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
