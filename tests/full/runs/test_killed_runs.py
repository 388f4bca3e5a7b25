"""dbt as people call it: a process of its own, from any folder, on a fresh state."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.paths import PROFILES
from tests.support.programs import DBT

SLOW_REBUILD = """
{{ config(materialized='debezium_append') }}
{% if should_full_refresh() %}
select id, reflect('java.lang.Thread', 'sleep', 60000L) as slept from range(1) as rows(id)
{% else %}
select id, '' as slept from range(3) as rows(id)
{% endif %}
"""


class Command:
    """A dbt command line in a project, called from another folder."""

    def __init__(self, project: Path, elsewhere: Path) -> None:
        self.project = project
        self.elsewhere = elsewhere
        # The project's own state, not the one that this process's tests share.
        self.environment = {
            name: value for name, value in os.environ.items() if name != "DEBEZIUM_SPARK_STATE"
        } | {"DEBEZIUM_SPARK_MASTER": "local[2]", "DEBEZIUM_SPARK_DRIVER_MEMORY": "1g"}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [DBT, "--no-use-colors", *arguments, "--project-dir", self.project]
            + ["--profiles-dir", PROFILES],
            cwd=self.elsewhere,
            env=self.environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, *arguments: str) -> str:
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=600)
        assert process.returncode == 0, output
        return output


@pytest.fixture
def command(tmp_path: Path) -> Command:
    project, elsewhere = tmp_path / "my shop", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / "models").mkdir(parents=True)
    (project / "dbt_project.yml").write_text(
        "{name: shop, version: 0.1.0, config-version: 2, profile: debezium_spark,"
        " vars: {debezium_sources: {}}}\n"
    )
    (project / "models" / "log.sql").write_text(SLOW_REBUILD)
    return Command(project, elsewhere)


def test_a_killed_full_refresh_leaves_the_old_table_and_a_quiet_console(command):
    output = command.run("run")
    assert "WARN " not in output and "Ivy" not in output, output
    assert list(command.elsewhere.iterdir()) == []
    assert (command.project / ".lakehouse" / "catalog.db").is_file()

    killed = command.start("run", "--full-refresh")
    log = command.project / "logs" / "dbt.log"
    wait_for(lambda: "create or replace table" in after(log, "--full-refresh"), killed)
    time.sleep(3)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()

    shown = command.run("show", "--inline", "select count(*) as held from {{ ref('log') }}")
    assert "| held |" in shown and "|    3 |" in shown, shown


def after(file: Path, mark: str) -> str:
    """Return the text of a log that follows the last mark."""
    return file.read_text().rpartition(mark)[2] if file.exists() else ""


def wait_for(condition, process: subprocess.Popen[str], seconds: int = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, f"nothing after {seconds} s"
        time.sleep(0.5)
