"""Models over few rows run in a session that compiles nothing, and give the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark import connection
from tests.cases.log import Log
from tests.support.formats import BOTH
from tests.support.models import table_models
from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
TOPIC = "few.public.goods"


@pytest.fixture(params=BOTH)
def project(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    spark_by_target: dict[str, SparkSession],
) -> Iterator[DbtProject]:
    """Return a project with one table and nothing landed."""
    schema = f"few_{request.param}"
    folder = tmp_path_factory.mktemp(schema)
    (folder / "data").mkdir()
    spark = spark_by_target[request.param]
    files = {"type": "files", "path": str(folder / "data")}
    block = {"connector": "postgresql", "topic_prefix": "few", "input": files}
    project = create_project(
        folder,
        schema=schema,
        target=request.param,
        spark=spark,
        files=table_models(
            "goods",
            source="few",
            landed=f"`{schema}`.landed",
            topics=[TOPIC],
            table="public.goods",
            key=COLUMNS[:1],
            columns=COLUMNS,
        ),
        variables={"debezium_sources": {"few": block}, "debezium_few_rows": 1000},
    )
    spark.sql(f"create schema if not exists `{schema}`")
    landed = spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed")
    landed.using(request.param).createOrReplace()
    yield project


def land(project: DbtProject, log: Log, batch: int) -> None:
    """Append what was added to a log since the last time."""
    rows = [raw_row(replace(record, topic=TOPIC), batch) for record in log.cut()[0]]
    held = project.spark.table(project.table("landed")).count()
    project.spark.createDataFrame(rows[held:], RAW_TYPE).writeTo(project.table("landed")).append()


def names(project: DbtProject) -> dict[int, str]:
    """Return what `cur_` shows."""
    return {
        row["id"]: row["name"] for row in project.spark.table(project.table("cur_goods")).collect()
    }


@pytest.mark.full
def test_how_many_records_are_new_decides(
    project: DbtProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    session_for_few_rows = connection.session_for_few_rows

    def open_session(settings: dict[str, str]) -> SparkSession:
        opened.append("few")
        return session_for_few_rows(settings)

    monkeypatch.setattr(connection, "session_for_few_rows", open_session)
    log = Log("postgresql")
    expected: dict[int, str] = {}
    for batch, count in enumerate((2, 2, 5000, 1), start=1):
        for number in range(count):
            id_, name = batch * 10_000 + number, f"{batch} {number}"
            log.add("c", {"id": id_}, 10_000 * batch + number, {"id": id_, "name": name})
            expected[id_] = name
        log.add(
            "u", {"id": 10_000}, 10_000 * batch + 9_000, {"id": 10_000, "name": f"after {batch}"}
        )
        expected[10_000] = f"after {batch}"
        land(project, log, batch)
        opened.clear()

        project.run("run")

        assert names(project) == expected
        assert bool(opened) == (count < 1000), (batch, opened)
