"""Every command of docs/commands.md works on a team's project, and the rows are right after each.

The page is the list: its commands run as they stand there, in its order.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.full.commands.team_project import TeamProject
from tests.support.paths import REPOSITORY
from tests.support.project import DbtResult

PAGE = (REPOSITORY / "docs" / "commands.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\| `(dbt [^`]+)` \|", PAGE, flags=re.MULTILINE)

Check = Callable[[TeamProject, list[str]], None]
CHECKS: dict[str, Check] = {}
# Of tables that say that nothing was read; obs_ of tables without rows.
WITH_CONTROL_ROWS = ("transactions_", "debezium_obs__")


def of(*commands: str) -> Callable[[Check], Check]:
    """Say which commands a function checks instead of `check`."""

    def register(function: Check) -> Check:
        CHECKS.update(dict.fromkeys(commands, function))
        return function

    return register


@pytest.fixture(scope="module")
def team(
    tmp_path_factory: pytest.TempPathFactory,
    state: Path,
    spark_by_target: dict[str, SparkSession],
) -> TeamProject:
    """Return the project, of which each source's last file has not arrived."""
    return TeamProject(tmp_path_factory.mktemp("team"), state, "team")


@pytest.mark.parametrize("command", COMMANDS)
def test_command(team: TeamProject, command: str) -> None:
    CHECKS.get(command, check)(team, shlex.split(command)[1:])


def test_every_check_is_of_a_command_of_the_page() -> None:
    assert set(CHECKS) <= set(COMMANDS)
    assert len(COMMANDS) == len(set(COMMANDS)) > 30


def check(team: TeamProject, arguments: list[str]) -> None:
    """Run a command, which does something to nodes, and compare the rows."""
    assert nodes_of(team.dbt(*arguments))
    team.check_rows()


def nodes_of(result: DbtResult) -> list[str]:
    """Return the nodes to which a command did something; hooks are none."""
    return [one.node.name for one in result.raw.result if one.node.resource_type != "operation"]


def models(team: TeamProject) -> set[str]:
    """Return the names of all models."""
    return set(
        team.dbt("--quiet", "list", "--resource-type", "model", "--output", "name").raw.result
    )


def shapes(team: TeamProject) -> dict[str, list[tuple[str, str]]]:
    """Return the columns and types of every relation of a model."""
    spark = team.spark()
    return {name: spark.table(name).dtypes for name in models(team)}


def counts(team: TeamProject, *beginnings: str) -> dict[str, int]:
    """Return how many rows models have whose names begin so."""
    spark = team.spark()
    return {name: spark.table(name).count() for name in models(team) if name.startswith(beginnings)}


def tables(team: TeamProject) -> dict[str, list[str]]:
    """Return all rows of the tables that add to their rows, as sorted texts."""
    spark = team.spark()
    beginnings = ("raw_", "catalog_", "stg_", "state_", "versions_", "transactions_", "cut_")
    return {
        name: sorted(str(row) for row in spark.table(name).collect())
        for name in models(team)
        if name.startswith(beginnings)
    }


@of("dbt build")
def check_build(team: TeamProject, arguments: list[str]) -> None:
    assert team.dbt(*arguments).success
    before = counts(team, "raw_")
    team.land_all()

    check(team, arguments)

    after = counts(team, "raw_")
    assert all(before[name] < after[name] for name in after) and len(after) == 2
    (team.path / "prod").mkdir()
    manifest = shutil.copy(team.path / "target" / "manifest.json", team.path / "prod")
    nodes = json.loads(Path(manifest).read_text(encoding="utf-8"))["nodes"].values()
    of_package = {one["resource_type"] for one in nodes if one["package_name"] == "debezium_spark"}
    assert of_package == {"operation"}, "models or tests of the demo are in the project"


@of("dbt build --empty")
def check_empty(team: TeamProject, arguments: list[str]) -> None:
    wanted = shapes(team)
    with team.using(schema="emptied"):
        team.hold_back()
        team.dbt(*arguments)
        assert shapes(team) == wanted
        found = counts(team, "")
        assert {n for n, rows in found.items() if rows} == {
            n for n, rows in found.items() if rows and n.startswith(WITH_CONTROL_ROWS)
        }

        team.dbt("build")
        assert shapes(team) == wanted
        before = tables(team)
        assert all(before[name] for name in before if name.startswith(("raw_", "stg_", "state_")))

        team.land_all()
        team.dbt(*arguments)
        assert tables(team) == before
        assert not any(counts(team, "cur_", "all_", "hist_").values())
        check(team, ["build"])


@of("dbt build --empty --full-refresh", "dbt run --empty")
def check_emptied(team: TeamProject, arguments: list[str]) -> None:
    raw = counts(team, "raw_")

    team.dbt(*arguments)

    assert not any(counts(team, "cur_").values())
    assert counts(team, "raw_") == raw
    if "--full-refresh" in arguments:
        assert not any(counts(team, "stg_", "state_", "versions_").values())
    check(team, ["build"])


@of('dbt build --sample "2 days"')
def check_sample(team: TeamProject, arguments: list[str]) -> None:
    check(team, arguments)

    ((whole, in_sample, sampled),) = team.rows(
        "select count(*), count_if(_cdc_source_at >= current_date() - interval 2 days),"
        " (select count(*) from goods_of_a_day) from goods_seen"
    )
    assert sampled == in_sample < whole
    check(team, ["build"])


def drop_failures(team: TeamProject) -> None:
    """Drop the tables of failures that earlier commands stored."""
    for _, name, _ in team.rows("show tables in team_dbt_test__audit"):
        team.rows(f"drop table team_dbt_test__audit.{name}")


@of("dbt build --store-failures", "dbt test --store-failures")
def check_stored_failures(team: TeamProject, arguments: list[str]) -> None:
    drop_failures(team)

    result = team.dbt(*arguments)

    data_tests = [one.node.name for one in result.raw.result if one.node.resource_type == "test"]
    stored = team.rows("show tables in team_dbt_test__audit")
    assert len(stored) == len(data_tests) > 50
    team.check_rows()


@of("dbt test --select config.store_failures:true")
def check_config_of_failures(team: TeamProject, arguments: list[str]) -> None:
    drop_failures(team)

    assert len(nodes_of(team.dbt(*arguments))) == 1

    assert len(team.rows("show tables in team_dbt_test__audit")) == 1


@of("dbt build --target delta")
def check_target(team: TeamProject, arguments: list[str]) -> None:
    team.dbt(*arguments)

    with team.using(target="delta"):
        team.check_rows()
    team.check_rows()


@of("dbt build --select state:modified+ --state prod")
def check_modified(team: TeamProject, arguments: list[str]) -> None:
    model = team.path / "models" / "team" / "goods_seen.sql"
    text = model.read_text()
    model.write_text(text + "-- changed\n")

    assert set(nodes_of(team.dbt(*arguments))) == {"goods_seen", "goods_of_a_day"}

    model.write_text(text)
    team.check_rows()


@of("dbt build --select goods_by_supplier --defer --state prod")
def check_deferred(team: TeamProject, arguments: list[str]) -> None:
    goods = len(team.rows("select * from cur_inventory__goods"))
    with team.using(schema="developed"):
        team.dbt(*arguments)
        assert team.rows("select sum(goods) from goods_by_supplier") == [(goods,)]
        made = {row[1] for row in team.rows("show tables")} | {
            row[1] for row in team.rows("show views")
        }
        assert made & models(team) == {"goods_by_supplier"}
    team.check_rows()


@of("dbt clone --state prod")
def check_clone(team: TeamProject, arguments: list[str]) -> None:
    with team.using(schema="cloned"):
        result = team.try_dbt(*arguments)
        assert not result.success
        assert "shallow clone requires file_format be set to 'delta'" in result.text
        assert not team.rows("show tables")
    team.check_rows()


@of("dbt retry")
def check_retry(team: TeamProject, arguments: list[str]) -> None:
    model = team.path / "models" / "team" / "goods_seen.sql"
    text = model.read_text()
    model.write_text(text.replace("select code", "select no_such_column, code"))
    assert team.try_dbt("build").statuses["goods_seen"] == "error"
    model.write_text(text)

    assert set(nodes_of(team.dbt(*arguments))) >= {"goods_seen", "goods_of_a_day"}
    team.check_rows()

    model.write_text(text.replace("select code", "select no_such_column, code"))
    assert not team.try_dbt("run", "--empty").success
    model.write_text(text)
    team.dbt(*arguments)
    assert not any(counts(team, "cur_").values())
    check(team, ["build"])


@of("dbt show --select cur_inventory__goods")
@of("""dbt show --inline "select * from {{ ref('cur_inventory__goods') }}" --limit 3""")
def check_show(team: TeamProject, arguments: list[str]) -> None:
    results = team.dbt(*arguments).raw.result
    (shown,) = [one for one in results if one.node.resource_type in ("model", "sql_operation")]

    wanted = 3 if "3" in arguments else len(team.rows("select * from cur_inventory__goods limit 5"))
    assert len(shown.agate_table.rows) == wanted
    assert "code" in shown.agate_table.column_names


@of("dbt parse")
def check_parse(team: TeamProject, arguments: list[str]) -> None:
    assert team.dbt(*arguments).raw.result.nodes


@of("dbt list")
def check_list(team: TeamProject, arguments: list[str]) -> None:
    listed = team.dbt(*arguments).raw.result

    assert {"team.team.goods_by_supplier", "team.current.inventory.cur_inventory__goods"} <= set(
        listed
    )


@of("dbt docs generate", "dbt docs generate --static")
def check_docs(team: TeamProject, arguments: list[str]) -> None:
    described: Any = team.dbt(*arguments).raw.result

    assert {name.rpartition(".")[2] for name in described.nodes} >= models(team)
    page = team.path / "target" / "static_index.html"
    assert page.is_file() == ("--static" in arguments)


@of("dbt docs generate --empty-catalog")
def check_empty_catalog(team: TeamProject, arguments: list[str]) -> None:
    assert team.dbt(*arguments).raw.result.nodes == {}


@of("dbt source freshness")
def check_freshness(team: TeamProject, arguments: list[str]) -> None:
    results = team.dbt(*arguments).raw.result

    assert [one.status for one in results if one.node.resource_type == "source"] == ["pass"]


@of("dbt snapshot", "dbt snapshot --empty")
def check_snapshot(team: TeamProject, arguments: list[str]) -> None:
    assert nodes_of(team.dbt(*arguments)) == ["goods_kept"]

    kept = "select * except (dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to)"
    current = f"{kept} from goods_kept where dbt_valid_to is null"
    assert not team.rows(f"select * from cur_inventory__goods except {current}")
    team.check_rows()
