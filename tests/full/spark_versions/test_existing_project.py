"""A team adds a source to its own dbt project, with each line of Spark.

The project is in git, has two models, and a plain session profile. After each step git shows which
files are new; none of them names a place of this machine. A clone elsewhere builds the same rows.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.full.spark_versions.environments import SECONDS
from tests.support.paths import DEMO
from tests.support.programs import run_program

pytestmark = pytest.mark.slow

TEAM = {
    "dbt_project.yml": """\
        # ours
        name: team
        version: "1.0.0"
        profile: team
        model-paths: ["models"]
        models:
          team:
            staging: {+materialized: view}
        """,
    "models/staging/stg_days.sql": "select date'2026-01-01' as day\n",
    "models/days.sql": "select count(*) as days from {{ ref('stg_days') }}\n",
    "profiles.yml": """\
        team:
          target: dev
          outputs:
            dev: {type: spark, method: session, host: NA, schema: analytics, threads: 4}
        """,
    ".gitignore": "target/\nlogs/\ndbt_packages/\n.user.yml\n/landing/\n",
}
OF_THE_TEAM = "select role, count(*) as n from {{ ref('cur_web__accounts') }} group by role\n"
TABLE = "accounts"
LOOK = (
    "import json; from dbt_debezium_spark import spark_session;"
    " rows = spark_session('.', target='debezium').sql("
    "'select login, role from cur_web__accounts order by login').collect();"
    " print('rows:', json.dumps([row.asDict() for row in rows]))"
)


class Team:
    """A checkout of the project, and the programs of an environment."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of the environment, which must succeed; print what it took."""
        started = time.monotonic()
        output = run_program(
            self.programs / program, *arguments, folder=self.folder, seconds=SECONDS
        )
        shown = " ".join([program, *arguments])
        print(f"{time.monotonic() - started:6.1f} s  {shown if len(shown) < 100 else program}")
        return output

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=team", "-c", "user.email=team@example.com", *arguments]
        return subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout

    def changed(self) -> set[str]:
        """Return what git shows as changed or new, and commit it; no path of this machine in it."""
        self.git("add", "--all")
        changed = set(self.git("diff", "--cached", "--name-only").split())
        for name in changed:
            text = (self.folder / name).read_text(encoding="utf-8")
            for place in (self.folder, self.programs.parent):
                assert str(place) not in text, f"{name} names {place}"
        self.git("commit", "--allow-empty", "--message", "step")
        return changed

    def land(self, *parts: int) -> None:
        """Put files of the table's records where the project reads them."""
        (self.folder / "landing").mkdir(exist_ok=True)
        for part in parts:
            file = DEMO / "mariadb" / "records" / f"part-000{part}.jsonl"
            lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [one for one in lines if json.loads(one)["topic"].endswith(f".{TABLE}")]
            (self.folder / "landing" / file.name).write_text("".join(kept), encoding="utf-8")

    def rows(self) -> list[dict[str, str]]:
        text = self.run("python", "-c", LOOK)
        return json.loads(text.partition("rows:")[2].splitlines()[0])


def team_in(folder: Path, programs: Path) -> Team:
    """Write the team's project, as it was before."""
    for name, text in TEAM.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    return Team(folder, programs)


def truth() -> list[dict[str, str]]:
    file = DEMO / "mariadb" / "truth" / f"{TABLE}.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    told = [{"login": one["login"], "role": one["role"]} for one in rows]
    return sorted(told, key=lambda one: one["login"])


# the demo runs with every pair; both formats are among these
@pytest.mark.parametrize(
    ("line", "file_format"), [("4.0", "iceberg"), ("4.1", "iceberg"), ("4.2", "delta")]
)
def test_a_team_adds_a_source_and_a_colleague_builds_it(
    environment: Callable[[str], Path], tmp_path: Path, line: str, file_format: str
) -> None:
    team = team_in(tmp_path / "team", environment(line))
    team.git("init", "--quiet")
    assert team.changed() == set(TEAM)
    team.land(1, 2)

    told = team.run(
        *("debezium-spark", "init", ".", "--source", "web", "--connector", "mariadb"),
        *("--input", "landing", "--add-target"),
    )
    assert "It cannot write the tables: it has no catalog of Iceberg" in told
    profile = team.folder / "profiles.yml"
    profile.write_text(profile.read_text().replace(".format: iceberg", f".format: {file_format}"))
    assert team.changed() == {"dbt_project.yml", "profiles.yml", ".gitignore"}

    team.run("debezium-spark", "generate", "--target", "debezium")
    new = team.changed()
    assert "models/debezium/web/current/cur_web__accounts.sql" in new
    assert all(name.startswith("models/debezium/") for name in new)

    (team.folder / "models" / "roles.sql").write_text(OF_THE_TEAM)
    team.run("dbt", "build", "--target", "debezium")
    assert team.changed() == {"models/roles.sql"}
    assert team.rows() != truth()

    team.land(3)
    team.run("dbt", "build", "--target", "debezium")
    assert team.changed() == set()
    assert team.rows() == truth()

    colleague = Team(tmp_path / "elsewhere" / "checkout", team.programs)
    team.git("clone", "--quiet", ".", str(colleague.folder))
    shutil.copytree(team.folder / "landing", colleague.folder / "landing")
    shutil.rmtree(team.folder)
    colleague.run("dbt", "deps")
    colleague.run("dbt", "build", "--target", "debezium")
    assert colleague.changed() == set()
    assert colleague.rows() == truth()
