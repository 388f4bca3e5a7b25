"""Tables are altered at the source: what is shown before and after models are generated again.

One source holds a table for each change, so that a delivery, `generate` and `dbt build` run once
for all of them. The stories and the rows they end in: `tests/dbt/schema_changes/story.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from tests.dbt.schema_changes.story import Change, changes
from tests.support.formats import DEFAULT_FIRST
from tests.support.generated_project import GeneratedProject
from tests.support.project import DbtProject, DbtResult

pytestmark = pytest.mark.slow

CHANGES = changes()
# One of each kind. The lab shows drift and staging of all; `make test-all` builds them.
QUICK = (
    "column added with a default",
    "column renamed",
    "columns widened",
    "key changed",
    "column added without a key",
)
EACH = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in CHANGES]
Rows = list[dict[str, Any]]


@dataclass
class Told:
    """What was seen of the tables, by table, at each stage."""

    project: GeneratedProject
    changes: dict[str, Change]
    rows: dict[str, dict[str, Rows]] = field(default_factory=dict)
    results: dict[str, DbtResult] = field(default_factory=dict)
    staged: dict[str, Any] = field(default_factory=dict)
    output: dict[str, str] = field(default_factory=dict)
    drift: dict[str, list[Any]] = field(default_factory=dict)

    def look(self, stage: str) -> None:
        """Keep what the tables show now."""
        self.rows[stage] = {}
        self.drift[stage] = self.project.project.sql("select * from {schema}.debezium_obs__drift")
        for change in self.changes.values():
            frame = self.project.project.spark.table(
                self.project.project.table(f"cur_shop__{change.table.name}")
            )
            names = [name for name in frame.columns if not name.startswith("_cdc_")]
            selected = frame.select(*[f"`{name}`" for name in names])
            self.rows[stage][change.table.name] = [row.asDict() for row in selected.collect()]


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def told(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    spark_by_target: dict[str, SparkSession],
) -> Iterator[Told]:
    """Walk the way once per table format; each ends in another way."""
    target = request.param
    folder = tmp_path_factory.mktemp(f"altered_{target}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        project = DbtProject(folder, f"altered_{target}", target, spark_by_target[target])
        asked = [getattr(item, "callspec", None) for item in request.session.items]
        names = [one.params.get("change") for one in asked if one is not None]
        chosen = {name: change for name, change in changes().items() if name in names}
        told = Told(GeneratedProject(folder / "shop", project, patch), chosen)
        _alter(told, folder)
        if target == "iceberg":
            told.results["again"] = told.project.dbt("run")
        else:
            told.results["refreshed"] = told.project.dbt("run", "--full-refresh")
            told.look("refreshed")
        yield told


# What the operator's word does, and runs after that, are the same statements on every format.
on_one_format = pytest.mark.parametrize("told", ["iceberg"], indirect=True)
# A first build of the same records; histories compare those batch by batch.
on_delta = pytest.mark.parametrize(
    "told", [pytest.param("delta", marks=pytest.mark.full)], indirect=True
)


def _alter(told: Told, folder: Path) -> None:
    project = told.project
    happening = list(told.changes.values())
    (folder / "records").mkdir()
    project.init("shop", "shop")

    for change in happening:
        for step in change.before:
            step(change.table)
    _land(folder, "first", happening)
    _configure(told, "first_options")
    _generate(told, "first")
    told.results["first"] = project.dbt("run")

    for change in happening:
        for step in change.after:
            step(change.table)
    _land(folder, "second", happening)
    told.results["early"] = project.dbt("run")
    assert told.results["early"].success, told.results["early"].text[-3000:]
    told.look("early")

    _configure(told, "options")
    _generate(told, "late")
    if project.project.target == "iceberg":
        told.results["refused"] = project.dbt("run")
    told.results["late"] = project.dbt("run", "--vars", "debezium_incompatible_changes: rebuild")
    told.look("late")


def _land(folder: Path, name: str, happening: list[Change]) -> None:
    lines = []
    for change in happening:
        lines += change.table.lines
        change.table.lines = []
    (folder / "records" / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _configure(told: Told, which: str) -> None:
    path = told.project.folder / "dbt_project.yml"
    settings = yaml.safe_load(path.read_text())
    source = settings["vars"]["debezium_sources"]["shop"]
    for change in told.changes.values():
        options = getattr(change, which)
        if options:
            tables = source.setdefault("tables", {})
            tables.setdefault(f"public.{change.table.name}", {}).update(options)
    path.write_text(yaml.safe_dump(settings, allow_unicode=True))


def _generate(told: Told, stage: str) -> None:
    generated = told.project.generate()
    told.output[stage] = generated.stdout + generated.stderr
    assert generated.exit_code == 0, told.output[stage]


def _sorted(rows: Rows) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)


@pytest.fixture(params=EACH)
def change(request: pytest.FixtureRequest) -> Change:
    """Each change in turn."""
    return CHANGES[request.param]


def test_every_stage_runs(told: Told) -> None:
    for stage in {"first", "early", "again", "refreshed"} & told.results.keys():
        assert told.results[stage].success, (stage, told.results[stage].text[-3000:])
    failed = [name for name, status in told.results["late"].statuses.items() if status == "error"]
    assert not failed, told.results["late"].text[-3000:]


def test_before_generating_again_nothing_known_is_lost(told: Told, change: Change) -> None:
    assert _sorted(told.rows["early"][change.table.name]) == _sorted(change.early)


def test_drift_foretells_what_a_build_will_do(told: Told, change: Change) -> None:
    table = f"public.{change.table.name}"
    rows = [row for row in told.drift["early"] if row.table_name == table]
    assert rows and all(row.is_compatible for row in rows) == change.is_compatible, rows
    commands = f"debezium-spark generate, then dbt build --select stg_shop__{change.table.name}+"
    assert all(commands in row.remedy for row in rows), rows
    assert [row for row in told.drift["late"] if row.table_name == table] == []


def test_after_generating_again_old_and_new_events_are_right(told: Told, change: Change) -> None:
    assert _sorted(told.rows["late"][change.table.name]) == _sorted(change.late)


@on_delta
def test_a_full_refresh_gives_the_same_rows(told: Told, change: Change) -> None:
    assert told.rows["refreshed"][change.table.name] is not None
    assert _sorted(told.rows["refreshed"][change.table.name]) == _sorted(change.late)


@on_one_format
def test_only_incompatible_changes_wait_for_the_operators_word(told: Told, change: Change) -> None:
    status = told.results["refused"].statuses[f"stg_shop__{change.table.name}"]
    assert status == ("success" if change.is_compatible else "error")
    if not change.is_compatible:
        text = " ".join(told.results["refused"].text.split())
        assert f"the change of stg_shop__{change.table.name} is incompatible" in text
        assert f"dbt build --select stg_shop__{change.table.name}+" in text
        assert "debezium_incompatible_changes: rebuild" in text


@on_one_format
def test_a_run_after_that_writes_nothing(told: Told, change: Change) -> None:
    assert "built anew" not in told.results["again"].text
    assert told.results["again"].text.count("up to date") >= 2 * len(told.changes)
