"""The recipes of docs/status.md in their schedulers; dbt and the command are stubs."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY
from tests.support.programs import run_program, users_environment

pytestmark = [pytest.mark.slow, pytest.mark.full]

PAGE = (REPOSITORY / "docs" / "status.md").read_text(encoding="utf-8")
AIRFLOW, DAGSTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
STATES = """
tasks = dag.test().get_task_instances()
print(dict(sorted((task.task_id, str(task.state)) for task in tasks)))
"""
CHECKS = """
job = definitions.resolve_job_def(every.job_name)
result = job.execute_in_process(raise_on_error=False)
(found,) = result.get_asset_check_evaluations()
print({"shop": result.success, "passed": found.passed, "wrong": found.metadata["wrong"].value})
"""
WRONG = [{"table": "public.orders", "wrong": {"unexplained": "2"}}]


class Scheduler:
    """An environment with a scheduler, in which recipes meet stubs of the commands."""

    def __init__(self, folder: Path, *packages: str) -> None:
        """Install the packages."""
        self.folder = folder
        self.python = folder / "environment" / "bin" / "python"
        run_program(sys.executable, "-m", "venv", self.python.parent.parent)
        run_program(self.python, "-m", "pip", "install", "--quiet", *packages)
        (folder / "bin").mkdir()
        path = (str(folder / "bin"), str(self.python.parent), os.environ["PATH"])
        self.variables = {
            **{"AIRFLOW_HOME": str(folder), "AIRFLOW__CORE__LOAD_EXAMPLES": "false"},
            "AIRFLOW__CORE__DAGS_FOLDER": str(folder / "dags"),
            "PATH": os.pathsep.join(path),
        }

    def outcome(self, recipe: str, question: str, build: int, status: int) -> str:
        """Return the last line that a recipe prints, with the exit codes of the commands."""
        tables = json.dumps({"tables": WRONG if status else []})
        for name, code, text in (("dbt", build, ""), ("debezium-spark", status, tables)):
            stub = self.folder / "bin" / name
            stub.write_text(f"#!/bin/sh\necho '{text}'\nexit {code}\n", encoding="utf-8")
            stub.chmod(0o755)
        assert recipe.count('"/srv/shop"') == 2
        script = self.folder / "dags" / "recipe.py"
        script.parent.mkdir(exist_ok=True)
        text = recipe.replace("/srv/shop", str(self.folder))
        script.write_text(f"{text}\nif __name__ == '__main__':\n{indented(question)}", "utf-8")
        return self.run(self.python, script).strip().splitlines()[-1]

    def run(self, *command: str | Path) -> str:
        """Run a program of the environment."""
        return run_program(*command, environment=users_environment(**self.variables))


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip().splitlines())


def test_airflow(tmp_path: Path) -> None:
    packages = ("apache-airflow-core", "apache-airflow-providers-standard")
    scheduler = Scheduler(tmp_path, *packages)
    scheduler.run(scheduler.python.parent / "airflow", "db", "migrate")
    found = [scheduler.outcome(AIRFLOW, STATES, *codes) for codes in ((0, 0), (0, 1), (1, 1))]
    assert found == [
        "{'build': 'success', 'status': 'success'}",
        "{'build': 'success', 'status': 'failed'}",
        "{'build': 'failed', 'status': 'failed'}",
    ]


def test_dagster(tmp_path: Path) -> None:
    scheduler = Scheduler(tmp_path, "dagster")
    found = [scheduler.outcome(DAGSTER, CHECKS, *codes) for codes in ((0, 0), (0, 1), (1, 1))]
    wrong = {"shop": True, "passed": False, "wrong": WRONG}
    assert found == [str({"shop": True, "passed": True, "wrong": []}), str(wrong), str(wrong)]
