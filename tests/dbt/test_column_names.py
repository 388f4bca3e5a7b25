"""Columns of a source with the names that the models' SQL uses for its own work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.cases.log import GONE, Log, again
from tests.support.examples import START_MS
from tests.support.landed import LandedProject
from tests.support.models import history_models, table_models
from tests.support.paths import REPOSITORY

FOLDERS = ("envelope", "history", "observability", "sequence", "staging", "state", "types")
FEED = """\
{{{{ config(materialized='debezium_view') }}}}
{{{{ debezium_spark.feed(
    source='shop', table='public.t', state=ref('state_t'), columns={names}
) }}}}
"""


def working_names() -> list[str]:
    """Return the names of relations and columns in the SQL that macros render."""
    names: set[str] = set()
    for folder in FOLDERS:
        for path in (REPOSITORY / "macros" / folder).rglob("*.sql"):
            text = path.read_text(encoding="utf-8")
            names.update(re.findall(r"\bas `?([a-z][a-z0-9_]*)`?\b", text))
            names.update(re.findall(r"\n([a-z][a-z0-9_]*) as \(", text))
    assert {"kind", "landing", "op", "ends", "row_key", "winner", "full_read"} <= names
    return sorted(names - {"id"})


@pytest.mark.full
@pytest.mark.parametrize("target", ["iceberg", "delta"])
def test_a_column_has_the_name_of_a_working_column(
    landed: Callable[..., LandedProject], target: str
) -> None:
    names = working_names()
    columns: list[dict[str, Any]] = [{"name": "id", "type": "int32"}]
    columns += [{"name": name, "type": "string"} for name in names]
    files = {
        **table_models("t", source="shop", columns=columns),
        **history_models("t", source="shop", columns=columns),
        **table_models("u", source="shop", columns=columns, key=[]),
    }
    has_feed = target == "iceberg"  # Derby has no room for the text of a view of so many columns
    if has_feed:
        files["models/all_t.sql"] = FEED.format(names=json.dumps(["id", *names]))
    tables = {
        "public.t": {"feed": True, "history": True, "close_unseen": True},
        "public.u": {"replica_identity": "full"},
    }
    project = landed("shop", files, target=target, options={"tables": tables})

    def row(id_: int, version: int, **other: Any) -> dict[str, Any]:
        return {"id": id_, **{name: f"{name} {version}" for name in names}, **other}

    logs = {"t": Log(), "u": Log()}

    def add(op: str, id_: int | None, position: int, after: Any = None, before: Any = None) -> None:
        transaction = {"txId": position, "ts_ms": START_MS + 1000 * position}
        places = {"commit": position, "source": transaction}
        key = None if id_ is None else {"id": id_}
        logs["t"].add(op, key, position, after, before=before and {"id": id_}, **places)
        if after and after["kind"] == GONE:
            after = after | {"kind": "kind 0"}  # as a table without a key says it
        logs["u"].add(op, None, position, after, before=before, **places)

    def build(batch: int) -> None:
        for name, log in logs.items():
            project.land_log(batch, log, f"shop.public.{name}")
        assert project.run("build").success

    for id_ in (1, 2, 3):
        add("c", id_, 10 * id_, row(id_, 0))
    build(1)
    # in order, with a value that is unavailable
    add("u", 1, 50, row(1, 1, kind=GONE), row(1, 0))
    add("d", 2, 60, None, row(2, 0))
    build(2)
    # again, and behind what was folded
    for log in logs.values():
        log.records += again(log.records[-2:-1])
    add("u", 3, 70, row(3, 2), row(3, 0))
    add("t", None, 80)
    add("c", 4, 90, row(4, 3))
    build(3)

    def rows(model: str, condition: str = "true") -> list[dict[str, Any]]:
        shown = ", ".join(f"`{name}`" for name in ("id", *names))
        found = project.spark.sql(f"select {shown} from {project.table(model)} where {condition}")
        return sorted((one.asDict() for one in found.collect()), key=lambda one: one["id"])

    assert rows("cur_t") == rows("cur_u") == [row(4, 3)]
    assert rows("hist_t", "_cdc_is_current") == [row(4, 3)]
    assert rows("hist_t", "_cdc_ended_by = 'truncate' and id = 1") == [row(1, 1, kind="kind 0")]
    if has_feed:
        assert rows("all_t", "not _cdc_is_deleted") == [row(4, 3)]
        assert [one["id"] for one in rows("all_t")] == [1, 2, 3, 4]
