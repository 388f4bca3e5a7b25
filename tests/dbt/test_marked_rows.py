"""Truncates and complete snapshots by the MERGE that dbt runs: rows of no key in the batch end."""

from __future__ import annotations

from collections.abc import Callable

from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]


def shown(project: LandedProject) -> list[tuple[int, str]]:
    return [tuple(row) for row in project.rows("cur_goods", ["id", "v"])]


def test_rows_end_without_events_of_their_own(
    target: str, landed: Callable[..., LandedProject]
) -> None:
    options = {"tables": {"public.goods": {"close_unseen": True}}}
    models = table_models("goods", source="ends", columns=COLUMNS)
    project = landed("ends", models, target=target, options=options)
    log = Log()

    def after(batch: int) -> list[tuple[int, str]]:
        project.land_log(batch, log, "ends.public.goods")
        project.run("run")
        return shown(project)

    log.c(1, 10, "a").c(2, 20, "b").c(3, 30, "c")
    assert after(1) == [(1, "a"), (2, "b"), (3, "c")]

    log.t(40).c(3, 50, "d").c(4, 60, "e")
    assert after(2) == [(3, "d"), (4, "e")]

    # a repeat of the truncate removes nothing; the snapshot did not see the rows of keys 1 and 3
    log.again(3).r(4, 70, "f", snapshot="first").r(5, 70, "g", snapshot="last")
    assert after(3) == [(4, "f"), (5, "g")]
    state = project.sql("select _cdc_key from {schema}.state_goods where _cdc_key not like '!%'")
    assert len(state) == 5
