"""Materialization debezium_view and the data tests of ours, with texts that SQL would read."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.text.literals import argument_text, jinja_text, yaml_name, yaml_text
from tests.support.formats import DEFAULT_FIRST

COMMENTS = {
    "id": "a path like C:\\",
    "a`b": "x\\') as select 1 --",
    "it's": "two\nlines; --",
    "{{ x }}": "${env:HOME} {{ x }}",
}
LABEL = """it's `var("x", 1)` \\"""


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def argument(text):
    return yaml_name(argument_text(text))


@pytest.fixture(params=DEFAULT_FIRST)
def project(dbt_project_factory, request):
    """A view of two rows; the second breaks every test."""
    columns = "".join(
        f"      - {{name: {yaml_text(name)}, description: {yaml_text(text)}, quote: true}}\n"
        for name, text in COMMENTS.items()
    )
    names = jinja_text(", ".join(map(quoted, COMMENTS)))
    label = f"{{{{ debezium_spark.text_literal({jinja_text(LABEL)}) }}}}"
    sql = f"""
{{{{ config(materialized='debezium_view', persist_docs={{'relation': true, 'columns': true}}) }}}}
select * from values (1, 'k', {label}, 'p')
{{{{ ", (1, 'k', 'other', null)" if var('broken', false) }}}} as rows({{{{ {names} }}}})
"""
    tests = f"""
      - debezium_spark.accepted_texts:
          arguments: {{column: {argument("it's")}, texts: [{argument(LABEL)}]}}
      - debezium_spark.accepted_values_of_lists:
          arguments: {{column: {argument("it's")}, lists: [{argument("a," + LABEL)}]}}
      - debezium_spark.never_null:
          arguments: {{columns: [id, {argument("{{ x }}")}]}}
      - debezium_spark.unique_key:
          arguments: {{columns: [id, {argument("a`b")}]}}
"""
    properties = (
        f"models:\n  - name: seen\n    description: {yaml_text(COMMENTS['id'])}\n"
        f"    columns:\n{columns}    data_tests:{tests}"
    )
    made = dbt_project_factory(target=request.param)
    made.path.joinpath("models").mkdir()
    made.path.joinpath("models", "seen.sql").write_text(sql, encoding="utf-8")
    made.path.joinpath("models", "seen.yml").write_text(properties, encoding="utf-8")
    return made


@pytest.mark.covers("case comment-breaks-view")
def test_a_view_has_the_comments_and_names_that_it_was_given(project):
    project.run("run")
    project.run("run")

    described = {row["col_name"]: row["comment"] for row in project.sql("describe {schema}.seen")}
    assert described == COMMENTS
    assert project.rows("seen") == [(1, "k", LABEL, "p")]
    extended = {
        row["col_name"]: row["data_type"]
        for row in project.sql("describe table extended {schema}.seen")
    }
    assert extended["Comment"] == COMMENTS["id"]


def test_tests_of_ours_read_back_what_they_were_given(project):
    passed = project.run("build").statuses
    # one model, and the three hooks of the package
    assert sorted(passed.values()) == ["pass"] * 4 + ["success"] * 4

    failed = project.invoke("build", "--vars", "broken: true").statuses
    assert sorted(failed.values()) == ["fail"] * 4 + ["success"] * 4
