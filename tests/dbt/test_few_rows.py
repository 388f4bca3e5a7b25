"""Models over few rows run in a session that compiles nothing, and give the same rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.spark import connection
from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
TOPIC = "few.public.goods"


@pytest.fixture
def project(target: str, landed: Callable[..., LandedProject]) -> LandedProject:
    """Return a project with one table and nothing landed."""
    models = table_models("goods", source="few", columns=COLUMNS)
    return landed("few", models, target=target, variables={"debezium_few_rows": 1000})


def names(project: LandedProject) -> dict[int, str]:
    """Return what `cur_` shows."""
    return {
        row["id"]: row["name"] for row in project.spark.table(project.table("cur_goods")).collect()
    }


@pytest.mark.full
def test_how_many_records_are_new_decides(
    project: LandedProject, monkeypatch: pytest.MonkeyPatch
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
        project.land_log(batch, log, TOPIC)
        opened.clear()

        project.run("run")

        assert names(project) == expected
        assert bool(opened) == (count < 1000), (batch, opened)
