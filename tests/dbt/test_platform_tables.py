"""Materializations debezium_append, debezium_merge and debezium_table, on both table formats."""

from __future__ import annotations

import pytest

LOG = """
{{ config(materialized='debezium_append') }}
{% if debezium_spark.loads_incrementally() %}
select id, name from (values (3, 'c')) as rows(id, name)
{% else %}
select id, name from (values (1, 'a'), (2, 'b')) as rows(id, name)
{% endif %}
"""

STATE = """
{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}
{% if debezium_spark.loads_incrementally() %}
select 'new' as `Full Name`, '{"id":1}' as _cdc_key, 2 as `order`
union all
select 'added' as `Full Name`, '{"id":3}' as _cdc_key, 2 as `order`
{% else %}
select '{"id":1}' as _cdc_key, 'old' as `Full Name`, 1 as `order`
union all
select '{"id":2}' as _cdc_key, 'kept' as `Full Name`, 1 as `order`
{% endif %}
"""


@pytest.fixture
def project(dbt_project_factory, target):
    return dbt_project_factory({"models/log.sql": LOG, "models/state.sql": STATE}, target=target)


def test_a_second_run_appends_and_merges_by_name(project):
    project.run("run")
    assert project.rows("log") == [(1, "a"), (2, "b")]

    project.run("run")

    assert project.rows("log") == [(1, "a"), (2, "b"), (3, "c")]
    assert project.rows("state", ["_cdc_key", "`Full Name`", "`order`"]) == [
        ('{"id":1}', "new", 2),
        ('{"id":2}', "kept", 1),
        ('{"id":3}', "added", 2),
    ]


IDLE = """
{{ config(materialized='debezium_append', persist_docs={'relation': true, 'columns': true}) }}
{% if debezium_spark.loads_incrementally() %}
{% do debezium_spark.decide({'nothing_new': true}) %}
select 1 as id where false
{% else %}
select 1 as id
{% endif %}
"""


def test_a_run_without_new_records_leaves_the_table_untouched(dbt_project_factory, target):
    project = dbt_project_factory(
        {
            "models/idle_log.sql": IDLE,
            "models/idle_state.sql": IDLE.replace("debezium_append", "debezium_merge"),
            "models/models.yml": """
                models:
                  - name: idle_log
                    description: It's a "log" \\ of nothing.
                    columns: [{name: id, description: The row's id.}]
            """,
        },
        target=target,
    )
    project.run("run")
    before = [project.version("idle_log"), project.version("idle_state")]

    project.run("run")

    assert [project.version("idle_log"), project.version("idle_state")] == before
    comments = project.sql("describe table {schema}.idle_log")
    assert [(row["col_name"], row["comment"]) for row in comments][0] == ("id", "The row's id.")
    extended = project.sql("describe table extended {schema}.idle_log")
    texts = {row["col_name"]: row["data_type"] for row in extended}
    assert texts["Comment"] == 'It\'s a "log" \\ of nothing.'


def test_nothing_new_on_the_first_run_creates_the_empty_table(
    dbt_project_factory,
):
    sql = """
        {{ config(materialized='debezium_append') }}
        {% do debezium_spark.decide({'nothing_new': true}) %}
        select 1 as id where false
    """
    project = dbt_project_factory({"models/empty_log.sql": sql})
    project.run("run")
    assert project.rows("empty_log") == []


GROWING = """
{{ config(materialized='%(materialized)s', unique_key='id', on_schema_change='%(mode)s') }}
{%% if var('columns', 'old') == 'new' %%}
select cast(3000000000 as bigint) as amount, 'x' as `New Column`, 2 as id
{%% else %%}
select 1 as id, 5 as amount
{%% endif %%}
"""


@pytest.mark.parametrize("materialized", ["debezium_append", "debezium_merge"])
def test_new_columns_are_added_and_types_widened(dbt_project_factory, target, materialized):
    sql = GROWING % {"materialized": materialized, "mode": "append_new_columns"}
    project = dbt_project_factory({"models/growing.sql": sql}, target=target)
    project.run("run")

    project.run("run", "--vars", "columns: new")

    columns = ["id", "amount", "`New Column`"]
    assert project.rows("growing", columns) == [(1, 5, None), (2, 3000000000, "x")]
    project.run("run", "--vars", "columns: old")
    assert len(project.rows("growing", columns)) == (3 if materialized == "debezium_append" else 2)


def test_columns_are_added_by_default_and_ignored_on_demand(dbt_project_factory):
    sql = GROWING % {"materialized": "debezium_append", "mode": "ignore"}
    plain = sql.replace(", on_schema_change='ignore'", "")
    project = dbt_project_factory({"models/ignoring.sql": sql, "models/growing.sql": plain})
    project.run("run")

    result = project.invoke("run", "--vars", "columns: new")

    assert result.statuses["growing"] == "success"
    assert result.statuses["ignoring"] == "error"
    assert project.rows("ignoring") == [(1, 5)]


def test_changed_columns_stop_a_run_that_must_not_change_them(dbt_project_factory):
    sql = GROWING % {"materialized": "debezium_append", "mode": "fail"}
    project = dbt_project_factory({"models/growing.sql": sql})
    project.run("run")

    result = project.invoke("run", "--vars", "columns: new")

    assert not result.success
    assert "new ['New Column'], of another type ['amount']" in result.text
    assert project.rows("growing") == [(1, 5)]


def test_a_type_that_needs_conversion_stops_the_run(dbt_project_factory, target):
    sql = """
        {{ config(materialized='debezium_append') }}
        {% if var('text', false) %} select 'x' as id {% else %} select 1 as id {% endif %}
    """
    project = dbt_project_factory({"models/log.sql": sql}, target=target)
    project.run("run")

    result = project.invoke("run", "--vars", "text: true")

    assert "is int, the model now gives string. Rebuild it" in result.text
    assert project.rows("log") == [(1,)]


def test_a_view_becomes_a_table_and_a_view_again(dbt_project_factory, target):
    project = dbt_project_factory(target=target)
    view = "{{ config(materialized='view') }} select 1 as id"
    ours = ("debezium_append", "debezium_table", "debezium_merge")
    for materialized in ("view", ours[0], "view", "table", "view", ours[1], "view", ours[2]):
        project.write({"models/thing.sql": view.replace("view", materialized)})
        project.run("run")
        assert project.rows("thing")[0] == (1,), materialized


READ = """
{{ config(materialized='debezium_append') }}
{% if debezium_spark.loads_incrementally() and var('id', none) is none %}
{% do debezium_spark.decide({'nothing_new': true}) %}
{% endif %}
select cast({{ var('id', 1) }} as int) as id
"""

MADE = """
{{ config(materialized='debezium_table', persist_docs={'relation': true, 'columns': true}) }}
{% set read = "select count(*), max(id) from " ~ ref('read') %}
{% set found = run_query(read).rows[0] if debezium_spark.is_running() else [0, 0] %}
{% set highest = found[1] ~ " + " ~ var('more', 0) ~ " as highest" %}
{% set sql = "select " ~ found[0] ~ " as rows, " ~ highest %}
{% do debezium_spark._decide_by_merged_rows(sql) %}
{{ sql }}
"""


def test_a_table_is_made_anew_when_its_text_or_the_rows_read_change(dbt_project_factory, target):
    project = dbt_project_factory({"models/read.sql": READ, "models/made.sql": MADE}, target=target)
    project.run("run")
    assert project.rows("made") == [(1, 1)]
    version = project.version("made")

    project.run("run")
    assert project.version("made") == version

    project.run("run", "--vars", "id: 1")
    assert project.rows("made") == [(2, 1)], "the same row once more"

    project.run("run", "--vars", "more: 7")
    assert project.rows("made") == [(2, 8)], "another text"
    version = project.version("made")
    project.run("run", "--vars", "more: 7")
    assert project.version("made") == version

    project.run("run", "--full-refresh", "--select", "made")
    assert project.version("made") != version
    assert project.rows("made") == [(2, 1)]


def test_a_table_is_made_anew_when_other_rows_stand_for_those_read(dbt_project_factory, target):
    project = dbt_project_factory({"models/read.sql": READ, "models/made.sql": MADE}, target=target)
    project.run("run")

    project.run("run", "--full-refresh", "--vars", "id: 5", "--select", "read")
    project.run("run")

    assert project.rows("made") == [(1, 5)]


def test_a_failing_statement_leaves_the_table_and_its_mark(dbt_project_factory, target):
    half_way = """"if(" ~ found[1] ~ " < 5, 1, raise_error('half way'))\""""
    made = MADE.replace("found[1]", half_way)
    project = dbt_project_factory({"models/read.sql": READ, "models/made.sql": made}, target=target)
    project.run("run")

    assert not project.invoke("run", "--vars", "id: 5").success

    assert project.rows("made") == [(1, 1)]
    assert not project.invoke("run").success, "the rows read are others still"


def test_full_refresh_replaces_the_rows(project):
    project.run("run")
    project.run("run")

    project.run("run", "--full-refresh")

    assert project.rows("log") == [(1, "a"), (2, "b")]


def test_a_failing_full_refresh_leaves_the_old_table(dbt_project_factory, target):
    sql = """
        {{ config(materialized='debezium_append') }}
        select {{ "raise_error('half way')" if should_full_refresh() else "1" }} as id
    """
    project = dbt_project_factory({"models/log.sql": sql}, target=target)
    project.run("run")

    assert not project.invoke("run", "--full-refresh").success

    assert project.rows("log") == [(1,)]


def properties_of_state(project):
    rows = project.sql("show tblproperties {schema}.state")
    return {row["key"]: row["value"] for row in rows}


def test_the_tables_have_the_properties_a_merge_needs(project):
    project.run("run")
    properties = properties_of_state(project)
    if project.target == "delta":
        assert properties["delta.enableDeletionVectors"] == "true"
    else:
        assert properties["write.merge.mode"] == "merge-on-read"
        assert properties["format-version"] == "2"


def test_a_models_own_properties_go_before_those_of_the_package(dbt_project_factory):
    sql = STATE.replace("unique_key=", "tblproperties={'format-version': '3'}, unique_key=")
    project = dbt_project_factory({"models/state.sql": sql})
    project.run("run")
    project.run("run")
    properties = properties_of_state(project)
    assert properties["format-version"] == "3"
    assert properties["write.merge.mode"] == "merge-on-read"
    written = project.sql("select distinct file_format from {schema}.state.delete_files")
    assert [row[0] for row in written] == ["PUFFIN"]
    assert project.rows("state", ["`Full Name`"]) == [("added",), ("kept",), ("new",)]


def test_docs_list_tables_and_views_with_their_columns(dbt_project_factory, target):
    project = dbt_project_factory(
        {
            "models/log.sql": LOG,
            "models/seen.sql": "{{ config(materialized='view') }} select id from {{ ref('log') }}",
        },
        target=target,
    )
    project.run("run")

    catalog = project.run("docs", "generate").raw.result

    found = {key: node.metadata.type for key, node in catalog.nodes.items()}
    assert found == {"model.shop.log": "table", "model.shop.seen": "view"}
    assert list(catalog.nodes["model.shop.seen"].columns) == ["id"]


def test_hooks_and_contracts_of_dbt_apply(dbt_project_factory, target):
    sql = """
        {{ config(
            materialized='debezium_append',
            pre_hook='create table if not exists {{ this.schema }}.audit (what string)',
            post_hook="insert into {{ this.schema }}.audit values ('{{ this.identifier }}')",
        ) }}
        select 1 as id
    """
    project = dbt_project_factory({"models/log.sql": sql}, target=target)
    project.run("run")
    project.run("run")
    assert project.rows("audit") == [("log",), ("log",)]


def test_unit_tests_run_on_a_merge_model(dbt_project_factory, target):
    project = dbt_project_factory(
        {
            "models/log.sql": LOG,
            "models/state.sql": """
                {{ config(materialized='debezium_merge', unique_key='id') }}
                select id, max(name) as name from {{ ref('log') }} group by id
                {% if debezium_spark.loads_incrementally() %} having id > 1 {% endif %}
            """,
            "models/tests.yml": """
                unit_tests:
                  - name: state__keeps_the_greatest_name
                    model: state
                    given:
                      - input: ref('log')
                        rows: [{id: 1, name: a}, {id: 1, name: b}, {id: 2, name: c}]
                    expect: {rows: [{id: 1, name: b}, {id: 2, name: c}]}
                    overrides: {macros: {debezium_spark.loads_incrementally: false}}
                  - name: state__reads_only_new_rows
                    model: state
                    given:
                      - input: ref('log')
                        rows: [{id: 1, name: a}, {id: 2, name: c}]
                    expect: {rows: [{id: 2, name: c}]}
                    overrides: {macros: {debezium_spark.loads_incrementally: true}}
            """,
        },
        target=target,
    )
    result = project.run("build")
    assert list(result.statuses.values()).count("pass") == 2
