"""Each way to fold a batch is taken when it should be, and gives the reference's rows.

A table for each: what a third run finds landed for it calls for one plan. Which plan was taken
shows in what a model decides. The logs are ordinary cases: `tests/cases/fold_plans*.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import Config, Folded, fold
from tests.cases import listed  # noqa: F401
from tests.cases.fold_plans import BOUNDARY
from tests.cases.planned import ANEW, IN_ORDER, NOTHING, PLANNED, RUNS, WALK, Planned
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.raw import raw_row

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "v", "type": "string"},
    {"name": "w", "type": "string"},
]
NAMES = [column["name"] for column in COLUMNS]

EPOCHS = [{"topic": one.topic, **epoch} for one in PLANNED.values() for epoch in one.case.epochs]
RESTORED = [name for name, one in PLANNED.items() if one.case.epochs]


# One for each plan; the others are left to `make test-all`, where their rows are cases, too.
QUICK = {"quiet", "late", "former", "moved", "truncated", "replayed", "restored", "recreated"}
EACH = pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in PLANNED],
)


class Built:
    """The tables after each run."""

    def __init__(self) -> None:
        """Begin before the first run."""
        self.sql: dict[tuple[str, int], str] = {}
        self.current: dict[tuple[str, int], list[dict[str, Any]]] = {}
        self.state: dict[tuple[str, int], dict[str, Any]] = {}
        self.decisions: dict[tuple[str, int], dict[str, Any]] = {}


def asked_for(items: Iterable[pytest.Item]) -> list[Planned]:
    """Return the tables that collected tests look at: one test needs no others."""
    names: set[str] = set()
    for item in items:
        if item.path == Path(__file__) and "built" in getattr(item, "fixturenames", ()):
            names.add(item.callspec.params["name"])  # type: ignore[attr-defined]
    return [one for one in PLANNED.values() if one.name in names]


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest, lab_spark: SparkSession) -> Built:
    """Three runs over the tables."""
    return build(lab_spark, asked_for(request.session.items))


def build(lab_spark: SparkSession, tables: list[Planned]) -> Built:
    """Fold tables in three runs."""
    lab = Lab(lab_spark)
    built = Built()
    for run in range(1, RUNS + 1):
        rows = [raw_row(r, run) for t in tables for r in t.records(run)[len(t.records(run - 1)) :]]
        lab.append("raw", lab.rows(rows))
        sources = configured(EPOCHS if run == RUNS else [])
        for source in dict.fromkeys(map(source_of, tables)):
            # what a table's events are is not asked here: they are staged together, and dealt out
            lab.stage(
                sources,
                source,
                "raw",
                f"staged_{source}",
                topics=[one.topic for one in tables if source_of(one) == source],
                table="public.any",
                key=COLUMNS[:1],
                columns=COLUMNS,
            )
        for one in tables:
            stg, state = f"stg_{one.name}", f"state_{one.name}"
            staged = lab.tables[lab.name(f"staged_{source_of(one)}")]
            lab.append(stg, staged.where(f"_cdc_topic = '{one.topic}' and _cdc_batch_id = {run}"))
            built.decisions[one.name, run] = lab.fold(
                sources,
                source_of(one),
                stg,
                state,
                table=f"public.{one.name}",
                key=["id"],
                columns=NAMES,
            )
            built.sql[one.name, run] = lab.sql[state]
            current = lab.macros(sources, "").current(state=lab.name(state), columns=NAMES)
            built.current[one.name, run] = [
                row.asDict() for row in lab_spark.sql(current).collect()
            ]
            built.state[one.name, run] = {
                row["_cdc_key"]: row.asDict(recursive=True)
                for row in lab.tables[lab.name(state)].collect()
            }
    return built


def configured(epochs: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Return the sources, with epochs of the one that has them."""
    block: dict[str, Any] = source_options("postgresql", "plans")
    return {
        "plans": block,
        "recreated": block | {"incarnations": [BOUNDARY]},
        "restored": block | ({"epochs": epochs} if epochs else {}),
    }


def source_of(one: Planned) -> str:
    """Return its source; epochs and incarnations are configured for a whole one."""
    if one.name in RESTORED:
        return "restored"
    return one.name if one.name == "recreated" else "plans"


def reference(one: Planned, run: int) -> Folded:
    """Return what the reference fold says after a run."""
    return fold(one.records(run), config_of(one, run))


def config_of(one: Planned, run: int) -> Config:
    """Return what the reference knows in a run: epochs only in the last."""
    config = one.case.config()
    epochs = tuple(replace(epoch, topic=one.topic) for epoch in config.epochs)
    return replace(config, epochs=epochs if run == RUNS else ())


def rows_of(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the columns of the table, ordered."""
    return sorted(({name: row.get(name) for name in NAMES} for row in found), key=lambda r: r["id"])


@pytest.mark.parametrize("run", range(1, RUNS + 1))
@EACH
def test_rows_are_those_of_the_reference(built: Built, name: str, run: int) -> None:
    expected = reference(PLANNED[name], run)

    assert rows_of(built.current[name, run]) == rows_of(list(expected.rows.values()))


@pytest.mark.parametrize("run", range(2, RUNS + 1))
@EACH
def test_the_plan_is_the_one_called_for(built: Built, name: str, run: int) -> None:
    decisions = built.decisions[name, run]
    taken = IN_ORDER if "merge_values" in decisions else WALK
    if decisions["replaces_table"]:
        taken = ANEW
    if decisions["nothing_new"]:
        taken = NOTHING

    assert taken == PLANNED[name].plans[run - 2]


@pytest.mark.parametrize("run", range(1, RUNS + 1))
@EACH
def test_replays_are_counted_and_explained_by_the_log(built: Built, name: str, run: int) -> None:
    expected = reference(PLANNED[name], run)
    rows = {k: row for k, row in built.state[name, run].items() if not k.startswith("!")}

    for counts, column in (
        (expected.replays, "_cdc_fold_replays"),
        (expected.unexplained, "_cdc_fold_unexplained"),
    ):
        assert {k: row[column] for k, row in rows.items() if row[column]} == counts


def test_before_its_epoch_is_configured_lower_positions_do_not_count() -> None:
    for name in RESTORED:
        rows = reference(PLANNED[name], 2).rows
        assert (rows['{"id":1}']["v"], rows['{"id":3}']["v"]) == ("a2", "c")


@pytest.mark.parametrize("name", ["quiet"])
def test_a_run_without_news_decides_that_nothing_is_to_be_written(built: Built, name: str) -> None:
    assert built.decisions[name, 3]["nothing_new"]
    assert built.state[name, 3] == built.state[name, 2]
    assert not built.decisions[name, 2]["nothing_new"]


@EACH
def test_a_merge_gets_the_keys_that_it_writes(built: Built, name: str) -> None:
    for run, plan in zip(range(2, RUNS + 1), PLANNED[name].plans, strict=True):
        assert bool(built.decisions[name, run]["key_hashes"]) == (plan in (IN_ORDER, WALK)), run


@pytest.mark.parametrize("name", ["quiet", "truncated", "former"])
def test_a_merge_finds_all_rows_that_it_writes(lab_spark: SparkSession, name: str) -> None:
    # the lab asserts it of each MERGE; here in a test and not in its fixture
    built = build(lab_spark, [PLANNED[name]])

    assert rows_of(built.current[name, RUNS]) == rows_of(
        list(reference(PLANNED[name], RUNS).rows.values())
    )


@pytest.mark.parametrize("name", ["truncated"])
def test_truncates_are_remembered(built: Built, name: str) -> None:
    for run in (2, 3):
        assert [k for k in built.state[name, run] if k.startswith("!truncate:")]
