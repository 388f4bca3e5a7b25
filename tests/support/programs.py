"""Programs in processes of their own, with the environment of a new user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

DBT = Path(sys.executable).with_name("dbt")
# Variables of tools that a new user has not set; those of pip, Java and the locale stay.
_NOT_A_USERS = ("DBT_", "DEBEZIUM_", "PYSPARK_", "PYTEST_", "PYTHON", "SPARK_", "VIRTUAL_ENV")


def users_environment(**variables: str) -> dict[str, str]:
    """Return the environment of a new user, with these variables."""
    kept = {
        name: value
        for name, value in os.environ.items()
        # what tests tell every Java: `jvm_options`
        if name == "SPARK_SUBMIT_OPTS" or not name.startswith(_NOT_A_USERS)
    }
    return kept | variables


def run_program(
    *command: str | Path,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    code: int = 0,
    seconds: int = 900,
) -> str:
    """Run a program, which must end with `code`; return what it printed.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        environment: its variables, by default those of a new user.
        code: its exit code.
        seconds: that it may take.
    """
    result = subprocess.run(
        [str(one) for one in command],
        cwd=folder,
        env=users_environment() if environment is None else environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=seconds,
    )
    assert result.returncode == code, f"{command}:\n{result.stdout[-8000:]}"
    return result.stdout
