"""A model's write when another run wrote its table since this one looked at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dbt_debezium_spark.adapter_parts.concurrent_runs import ConcurrentRuns
from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import history_models, table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]
MODELS = {
    **table_models("goods", source="runs", columns=COLUMNS),
    **history_models("goods", source="runs", columns=COLUMNS),
    **table_models("visits", source="runs", columns=COLUMNS, key=[]),
}
OPTIONS = {
    "history": True,
    "tables": {
        "public.goods": {"replica_identity": "default"},
        "public.visits": {"replica_identity": "full"},
    },
}
ORDER = ["stg_goods", "stg_visits", "state_goods", "versions_goods", "state_visits"]


@pytest.fixture
def project(target: str, landed: Callable[..., LandedProject]) -> LandedProject:
    project = landed("runs", MODELS, target=target, options=OPTIONS)
    log = Log()
    log.c(1, 10, "a").c(2, 20, "b")
    land(project, 1, log)
    project.run("run")
    log.u(1, 30, "c").c(3, 40, "d")
    land(project, 2, log)
    return project


def land(project: LandedProject, batch: int, log: Log) -> None:
    for table in ("goods", "visits"):
        project.land_log(batch, log, f"runs.public.{table}")


def contents(project: LandedProject, model: str) -> list[str]:
    return sorted(map(str, project.spark.table(project.table(model)).collect()))


def test_each_write_is_refused_if_another_run_made_it(
    project: LandedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = ConcurrentRuns.execute

    def execute_behind_another_run(self: Any, sql: str, *args: Any, **kwargs: Any) -> Any:
        if sql.lstrip().startswith("merge into"):
            execute(self, sql, *args, **kwargs)
        return execute(self, sql, *args, **kwargs)

    for model in ORDER:
        with monkeypatch.context() as patch:
            patch.setattr(ConcurrentRuns, "execute", execute_behind_another_run)
            result = project.invoke("run", "--select", model)
        assert not result.success, model
        table = project.table(model).replace("`", "").split(".")[-1]
        assert f"another run wrote `{project.schema}`.`{table}`" in result.text
        assert "Run it again" in result.text
        held = contents(project, model)
        # it wrote its rows once, and this run goes on from them
        project.run("run", "--select", model)
        assert contents(project, model) == held

    assert project.rows("cur_goods", ["id", "v"]) == [(1, "c"), (2, "b"), (3, "d")]
    assert len(project.rows("stg_goods", ["_cdc_offset"])) == 4
