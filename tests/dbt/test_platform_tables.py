"""Materializations debezium_append, debezium_merge and debezium_table: one project, run by run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from tests.support.formats import DEFAULT_FIRST
from tests.support.project import DbtProject, DbtResult, create_project

IS_LATER = "debezium_spark.loads_incrementally()"
# `seen` is a model of dbt's own; `thing` is another materialization in every run.
MODELS = {
    "log": f"""
        {{{{ config(materialized='debezium_append') }}}}
        {{% if {IS_LATER} %}}
        select id, name from (values (3, 'c')) as rows(id, name)
        {{% else %}}
        select id, name from (values (1, 'a'), (2, 'b')) as rows(id, name)
        {{% endif %}}
    """,
    "seen": "{{ config(materialized='view') }} select id from {{ ref('log') }}",
    "state": f"""
        {{{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}}}
        {{% if {IS_LATER} %}}
        select 'new' as `Full Name`, '{{"id":1}}' as _cdc_key, 2 as `order`
        union all
        select 'added' as `Full Name`, '{{"id":3}}' as _cdc_key, 2 as `order`
        {{% else %}}
        select '{{"id":1}}' as _cdc_key, 'old' as `Full Name`, 1 as `order`
        union all
        select '{{"id":2}}' as _cdc_key, 'kept' as `Full Name`, 1 as `order`
        {{% endif %}}
    """,
    "idle_log": f"""
        {{{{ config(
            materialized='debezium_append', persist_docs={{'relation': true, 'columns': true}}
        ) }}}}
        {{% if {IS_LATER} %}}
        {{% do debezium_spark.decide({{'nothing_new': true}}) %}}
        select 1 as id where false
        {{% else %}}
        select 1 as id
        {{% endif %}}
    """,
    "empty_log": """
        {{ config(materialized='debezium_append') }}
        {% do debezium_spark.decide({'nothing_new': true}) %}
        select 1 as id where false
    """,
    "hooked": """
        {{ config(
            materialized='debezium_append',
            pre_hook='create table if not exists {{ this.schema }}.audit (what string)',
            post_hook="insert into {{ this.schema }}.audit values ('{{ this.identifier }}')",
        ) }}
        select 1 as id
    """,
    "text": """
        {{ config(materialized='debezium_append') }}
        {% if var('columns', 'old') == 'new' %}
        select 'x' as id
        {% else %}
        select 1 as id
        {% endif %}
    """,
    "unrefreshed": """
        {{ config(materialized='debezium_append') }}
        select {{ "raise_error('half way')" if should_full_refresh() else "1" }} as id
    """,
    "read": f"""
        {{{{ config(materialized='debezium_append') }}}}
        {{% if {IS_LATER} and var('id', none) is none %}}
        {{% do debezium_spark.decide({{'nothing_new': true}}) %}}
        {{% endif %}}
        select cast({{{{ var('id', 1) }}}} as int) as id
    """,
    "greatest": f"""
        {{{{ config(materialized='debezium_merge', unique_key='id') }}}}
        select id, max(name) as name from {{{{ ref('log') }}}} group by id
        {{% if {IS_LATER} %}} having id > 1 {{% endif %}}
    """,
}
MODELS["idle_state"] = MODELS["idle_log"].replace("debezium_append", "debezium_merge")
PROPERTIES = "tblproperties={'format-version': '3'}, unique_key="
MODELS["own"] = MODELS["state"].replace("unique_key=", PROPERTIES)
MADE = """
    {{ config(materialized='debezium_table', persist_docs={'relation': true, 'columns': true}) }}
    {% set read = "select count(*), max(id) from " ~ ref('read') %}
    {% set found = run_query(read).rows[0] if debezium_spark.is_running() else [0, 0] %}
    {% set highest = found[1] ~ " + " ~ var('more', 0) ~ " as highest" %}
    {% set sql = "select " ~ found[0] ~ " as rows, " ~ highest %}
    {% do debezium_spark._decide_by_merged_rows(sql) %}
    {{ sql }}
"""
MODELS["made"] = MADE
MODELS["half_made"] = MADE.replace(
    "found[1]", """"if(" ~ found[1] ~ " < 5, 1, raise_error('half way'))\""""
)
GROWING = """
    {{ config(materialized='%s', unique_key='id'%s) }}
    {%% if var('columns', 'old') == 'new' %%}
    select cast(3000000000 as bigint) as amount, 'x' as `New Column`, 2 as id
    {%% else %%}
    select 1 as id, 5 as amount
    {%% endif %%}
"""
for name, materialized, mode in (
    ("growing_log", "debezium_append", ", on_schema_change='append_new_columns'"),
    ("growing_state", "debezium_merge", ", on_schema_change='append_new_columns'"),
    ("growing_by_default", "debezium_append", ""),
    ("ignoring", "debezium_append", ", on_schema_change='ignore'"),
    ("strict", "debezium_append", ", on_schema_change='fail'"),
):
    MODELS[name] = GROWING % (materialized, mode)
GROWN = ["id", "amount", "`New Column`"]
YAML = r"""
models:
  - name: idle_log
    description: It's a "log" \ of nothing.
    columns: [{name: id, description: The row's id.}]
unit_tests:
  - name: greatest__keeps_the_greatest_name
    model: greatest
    given:
      - input: ref('log')
        rows: [{id: 1, name: a}, {id: 1, name: b}, {id: 2, name: c}]
    expect: {rows: [{id: 1, name: b}, {id: 2, name: c}]}
    overrides: {macros: {debezium_spark.loads_incrementally: false}}
  - name: greatest__reads_only_new_rows
    model: greatest
    given:
      - input: ref('log')
        rows: [{id: 1, name: a}, {id: 2, name: c}]
    expect: {rows: [{id: 2, name: c}]}
    overrides: {macros: {debezium_spark.loads_incrementally: true}}
"""
# What each run is called, and what it is told.
RUNS = {
    "first": (),
    "second": (),
    "new columns": ("--vars", "{columns: new, id: 1}"),
    "more": ("--vars", "more: 7"),
    "more again": ("--vars", "more: 7"),
    "refreshed": ("--full-refresh",),
    "other rows": ("--full-refresh", "--vars", "id: 5", "--select", "read", "thing"),
    "after them": (),
    "after them again": (),
}
THINGS = ["view", "debezium_append", "view", "table", "view", "debezium_table", "view"]
THINGS += ["debezium_merge", "view"]
EVERY = ("log", "state", "idle_log", "idle_state", "made", "half_made", "read", "ignoring")


@dataclass
class Walked:
    """The project, and by run: dbt's result, the rows of tables, and which commit they are at."""

    project: DbtProject
    results: dict[str, DbtResult] = field(default_factory=dict)
    rows: dict[str, dict[str, list[Row]]] = field(default_factory=dict)
    versions: dict[str, dict[str, Any]] = field(default_factory=dict)

    def look(self, run: str) -> None:
        """Keep what the tables show after a run."""
        spark, table = self.project.spark, self.project.table
        found = {name: spark.table(table(name)).collect() for name in [*MODELS, "thing", "audit"]}
        self.rows[run] = found
        self.versions[run] = {name: self.project.version(name) for name in EVERY}

    def told(self, run: str, name: str, columns: list[str] | None = None) -> list[tuple[Any, ...]]:
        """Return the sorted rows of a table after a run."""
        rows = self.rows[run][name]
        names = [one.strip("`") for one in columns or rows[0].__fields__] if rows else []
        return sorted((tuple(row[one] for one in names) for row in rows), key=repr)


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def walked(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    spark_by_target: dict[str, SparkSession],
) -> Walked:
    """Run the project run by run."""
    target: str = request.param
    folder: Path = tmp_path_factory.mktemp(f"platform_{target}")
    files = {f"models/{name}.sql": text for name, text in MODELS.items()}
    project = create_project(
        folder,
        schema=f"platform_{target}",
        target=target,
        spark=spark_by_target[target],
        files=files | {"models/models.yml": YAML},
        variables={},
    )
    walked = Walked(project)
    for (run, arguments), thing in zip(RUNS.items(), THINGS, strict=True):
        model = f"{{{{ config(materialized='{thing}') }}}} select 1 as id"
        project.write({"models/thing.sql": model})
        walked.results[run] = project.invoke("run", *arguments)
        walked.look(run)
    return walked


def failed(walked: Walked, run: str) -> set[str]:
    """Return the models that a run ended with an error."""
    statuses = walked.results[run].statuses
    return {name for name, status in statuses.items() if status not in ("success", "skipped")}


def test_only_what_must_not_run_fails(walked: Walked) -> None:
    expected = dict.fromkeys(RUNS, set[str]())
    expected["new columns"] = {"ignoring", "strict", "text"}
    expected["refreshed"] = {"unrefreshed"}
    expected["after them"] = expected["after them again"] = {"half_made"}
    assert {run: failed(walked, run) for run in RUNS} == expected


def test_a_second_run_appends_and_merges_by_name(walked: Walked) -> None:
    assert walked.told("first", "log") == [(1, "a"), (2, "b")]
    assert walked.told("second", "log") == [(1, "a"), (2, "b"), (3, "c")]
    assert walked.told("second", "state", ["_cdc_key", "Full Name", "order"]) == [
        ('{"id":1}', "new", 2),
        ('{"id":2}', "kept", 1),
        ('{"id":3}', "added", 2),
    ]


@pytest.mark.parametrize("name", ["idle_log", "idle_state"])
def test_a_run_without_new_records_leaves_the_table_untouched(walked: Walked, name: str) -> None:
    runs = ("first", "second", "new columns", "more", "more again")
    assert len({walked.versions[run][name] for run in runs}) == 1


def test_descriptions_are_persisted_as_they_are(walked: Walked) -> None:
    comments = walked.project.sql("describe table {schema}.idle_log")
    assert [(row["col_name"], row["comment"]) for row in comments][0] == ("id", "The row's id.")
    extended = walked.project.sql("describe table extended {schema}.idle_log")
    texts = {row["col_name"]: row["data_type"] for row in extended}
    assert texts["Comment"] == 'It\'s a "log" \\ of nothing.'


def test_nothing_new_on_the_first_run_creates_the_empty_table(walked: Walked) -> None:
    assert walked.rows["first"]["empty_log"] == []


@pytest.mark.parametrize(("name", "rows"), [("growing_log", 3), ("growing_state", 2)])
def test_new_columns_are_added_and_types_widened(walked: Walked, name: str, rows: int) -> None:
    told = set(walked.told("new columns", name, GROWN))
    assert told == {(1, 5, None), (2, 3000000000, "x")}
    before, after = (len(walked.rows[run][name]) for run in ("new columns", "more"))
    assert after == before + (rows == 3), "the old columns again"


def test_columns_are_added_by_default_and_ignored_on_demand(walked: Walked) -> None:
    assert (2, 3000000000, "x") in walked.told("new columns", "growing_by_default", GROWN)
    assert set(walked.told("new columns", "ignoring")) == {(1, 5)}


def test_changed_columns_stop_a_run_that_must_not_change_them(walked: Walked) -> None:
    text = walked.results["new columns"].text
    assert "new ['New Column'], of another type ['amount']" in text
    assert set(walked.told("new columns", "strict")) == {(1, 5)}


def test_a_type_that_needs_conversion_stops_the_run(walked: Walked) -> None:
    text = walked.results["new columns"].text
    assert "is int, the model now gives string. Rebuild it" in text
    assert set(walked.told("new columns", "text")) == {(1,)}


def test_a_view_becomes_a_table_and_a_view_again(walked: Walked) -> None:
    for run, materialized in zip(RUNS, THINGS, strict=True):
        assert walked.results[run].statuses["thing"] == "success", materialized
        assert walked.rows[run]["thing"][0] == (1,), materialized


def test_a_table_is_made_anew_when_its_text_or_the_rows_read_change(walked: Walked) -> None:
    versions = [walked.versions[run]["made"] for run in RUNS]
    assert walked.told("first", "made") == [(1, 1)]
    assert versions[0] == versions[1]
    assert walked.told("new columns", "made") == [(2, 1)], "the same row once more"
    assert walked.told("more", "made") == [(2, 8)], "another text"
    assert versions[3] == versions[4]
    assert versions[5] != versions[4], "a full refresh"
    assert walked.told("refreshed", "made") == [(1, 1)]


def test_a_table_is_made_anew_when_other_rows_stand_for_those_read(walked: Walked) -> None:
    assert walked.told("other rows", "made") == [(1, 1)]
    assert walked.told("after them", "made") == [(1, 5)]


def test_a_failing_statement_leaves_the_table_and_its_mark(walked: Walked) -> None:
    for run in ("after them", "after them again"):
        assert walked.told(run, "half_made") == [(1, 1)]
        assert walked.results[run].statuses["half_made"] == "error", "the rows read are others"


def test_full_refresh_replaces_the_rows(walked: Walked) -> None:
    assert len(walked.rows["more again"]["log"]) > 3
    assert walked.told("refreshed", "log") == [(1, "a"), (2, "b")]


def test_a_failing_full_refresh_leaves_the_old_table(walked: Walked) -> None:
    before, after = (walked.told(run, "unrefreshed") for run in ("more again", "refreshed"))
    assert before == after == [(1,)] * 5


def test_the_tables_have_the_properties_a_merge_needs(walked: Walked) -> None:
    properties = _properties(walked.project, "state")
    if walked.project.target == "delta":
        assert properties["delta.enableDeletionVectors"] == "true"
    else:
        assert properties["write.merge.mode"] == "merge-on-read"
        assert properties["format-version"] == "2"


def test_a_models_own_properties_go_before_those_of_the_package(walked: Walked) -> None:
    properties = _properties(walked.project, "own")
    assert properties["format-version"] == "3"
    assert walked.told("second", "own", ["Full Name"]) == [("added",), ("kept",), ("new",)]
    if walked.project.target == "iceberg":
        assert properties["write.merge.mode"] == "merge-on-read"
        written = walked.project.sql("select distinct file_format from {schema}.own.delete_files")
        assert [row[0] for row in written] == ["PUFFIN"]


def _properties(project: DbtProject, name: str) -> dict[str, str]:
    rows = project.sql(f"show tblproperties {{schema}}.{name}")
    return {row["key"]: row["value"] for row in rows}


def test_hooks_of_dbt_run(walked: Walked) -> None:
    assert walked.told("second", "audit") == [("hooked",), ("hooked",)]


def test_docs_list_tables_and_views_with_their_columns(walked: Walked) -> None:
    catalog = walked.project.run("docs", "generate").raw.result
    found = {key: node.metadata.type for key, node in catalog.nodes.items()}
    assert (found["model.shop.log"], found["model.shop.seen"]) == ("table", "view")
    assert list(catalog.nodes["model.shop.seen"].columns) == ["id"]


def test_unit_tests_run_on_a_merge_model(walked: Walked) -> None:
    result = walked.project.run("test", "--select", "test_type:unit")
    assert list(result.statuses.values()).count("pass") == 2
