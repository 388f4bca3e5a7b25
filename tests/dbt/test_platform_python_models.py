"""Python models in dbt's own session, and the raw materialization."""

from __future__ import annotations

import json

import pytest

RAW = """
    import json

    class Landed:
        def __init__(self, frame, note):
            self.frame = frame
            self.note = note

        def commit(self):
            with open(self.note, "a") as file:
                file.write("commit\\n")

    def model(dbt, session):
        dbt.config(materialized="debezium_raw")
        note = dbt.project_dir + "/" + dbt.debezium_source["name"] + ".txt"
        rows = []
        for line in open(dbt.project_dir + "/data/records.jsonl"):
            rows.append((json.loads(line), dbt.debezium_file_format))
        if not rows:
            return Landed(None, note)
        frame = session.createDataFrame(
            rows, "offset bigint, value string"
        ).selectExpr(
            "value", "'t' as topic", "0 as partition", "offset", "cast(null as string) as key",
            "timestamp'2026-01-01 00:00:00' as timestamp", "0 as timestampType",
            "cast(null as array<struct<key: string, value: string>>) as headers",
            "cast(1 as bigint) as _cdc_batch_id",
            "timestamp'2026-01-01 00:00:00' as _cdc_landed_at",
        )
        return Landed(frame, note)
"""

SOURCES = {
    "debezium_sources": {
        "shop": {
            "connector": "postgresql",
            "topic_prefix": "dbserver1",
            "input": {"type": "files", "path": "data/*.jsonl"},
        }
    }
}


@pytest.fixture
def raw_project(dbt_project_factory, target):
    files = {"python_models/raw/raw_shop.py": RAW, "data/records.jsonl": "1\n2\n"}
    return dbt_project_factory(files, vars=SOURCES, target=target)


def test_raw_appends_by_name_commits_and_is_left_alone_without_new_records(raw_project):
    raw_project.run("run")
    columns = ["topic", "offset", "value"]
    landed = [("t", 1, raw_project.target), ("t", 2, raw_project.target)]
    assert raw_project.rows("raw_shop", columns) == landed
    before = raw_project.version("raw_shop")

    raw_project.write({"data/records.jsonl": ""})
    raw_project.run("run")

    assert raw_project.version("raw_shop") == before
    assert (raw_project.path / "shop.txt").read_text() == "commit\ncommit\n"

    raw_project.write({"data/records.jsonl": "3\n"})
    raw_project.run("run")
    assert raw_project.rows("raw_shop", columns) == [*landed, ("t", 3, raw_project.target)]


def test_a_full_refresh_never_rewrites_raw_and_says_so(raw_project):
    raw_project.run("run")
    raw_project.write({"data/records.jsonl": "3\n"})

    result = raw_project.run("run", "--full-refresh")

    assert "--full-refresh does not touch" in result.text
    assert [row[0] for row in raw_project.rows("raw_shop", ["offset"])] == [1, 2, 3]


def test_raw_is_partitioned_by_topic(raw_project):
    raw_project.run("run")
    rows = raw_project.sql("describe table extended {schema}.raw_shop")
    names = [row["col_name"] for row in rows]
    start = names.index("# Partition Information") if "# Partition Information" in names else -1
    assert "topic" in names[start:][:4] or ("Part 0", "topic") in [(r[0], r[1]) for r in rows]


def test_a_raw_model_that_returns_something_else_is_told_what_to_return(raw_project):
    raw_project.write(
        {
            "python_models/raw/raw_shop.py": """
        def model(dbt, session):
            dbt.config(materialized="debezium_raw")
            return session.range(3)
    """
        }
    )
    result = raw_project.invoke("run")
    assert not result.success
    assert "must return the result of landing.land(), got DataFrame" in result.text


def test_a_source_that_is_not_selected_may_lack_its_input(raw_project):
    sources = {"shop": SOURCES["debezium_sources"]["shop"]}
    sources["late"] = sources["shop"] | {"input": {"type": "files", "path": "late/*.jsonl"}}
    raw_project.write({"python_models/raw/raw_late.py": RAW})
    variables = json.dumps({"debezium_sources": sources})

    raw_project.run("run", "--select", "raw_shop", "--vars", variables)

    assert len(raw_project.rows("raw_shop")) == 2
    result = raw_project.invoke("run", "--vars", variables)
    assert not result.success and str(raw_project.path / "late") in result.text


FAILING = """
    def halve(value):
        return value / 0


    def model(dbt, session):
        dbt.config(materialized="table", file_format="iceberg")
        frame = session.range(3)
        {failure}
        return frame
"""


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        ("halve(1)", "ZeroDivisionError: division by zero"),
        ("frame.select('missing').collect()", "AnalysisException"),
        ("raise ValueError('debezium_spark: no such thing. Do this.')", "no such thing. Do this."),
    ],
)
def test_an_error_names_the_model_and_its_line(dbt_project_factory, failure, error):
    project = dbt_project_factory({"python_models/broken.py": FAILING.format(failure=failure)})

    result = project.invoke("run")

    assert not result.success
    line = 2 if failure.startswith("halve") else 8
    assert f"python_models/broken.py, line {line}" in result.text
    assert error in result.text


COUNTING = """
    def model(dbt, session):
        dbt.config(materialized="table", file_format="iceberg")
        for _ in range(5):
            session.range({number}).createOrReplaceTempView("same_name")
            assert session.table("same_name").count() == {number}
        return session.table("same_name")
"""


def test_four_threads_share_no_temporary_view(dbt_project_factory):
    files = {
        f"python_models/count_{number}.py": COUNTING.format(number=number)
        for number in (10, 20, 30, 40)
    }
    project = dbt_project_factory(files)
    project.run("run", "--threads", "4")
    counts = {name: len(project.rows(f"count_{name}")) for name in (10, 20, 30, 40)}
    assert counts == {10: 10, 20: 20, 30: 30, 40: 40}


def test_a_python_model_reads_sql_models_and_is_read_by_them(dbt_project_factory, target):
    project = dbt_project_factory(
        {
            "models/numbers.sql": """
                {{ config(materialized='table', file_format=target.name) }} select 1 as id
            """,
            "python_models/doubled.py": f"""
                def model(dbt, session):
                    dbt.config(materialized="table", file_format="{target}")
                    return dbt.ref("numbers").selectExpr("id * 2 as id")
            """,
            "models/seen.sql": """
                {{ config(materialized='view') }} select id from {{ ref('doubled') }}
            """,
        },
        target=target,
    )
    project.run("run")
    project.run("run")
    assert project.rows("seen") == [(2,)]
