"""Environments with one line of PySpark each, and this distribution as a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dbt_debezium_spark.spark_versions import FORMATS, LINES
from tests.support.paths import REPOSITORY

PAIRS = [
    (line, one) for line, packages in LINES.items() for one in FORMATS if packages.runtime(one)
]
SECONDS = 1800
_VERSION = "import pyspark; print(pyspark.__version__)"


def call(command: list[str], folder: Path, **variables: str) -> tuple[int, str]:
    """Run a command in a folder, without what this process's environment configures.

    Returns:
        Its exit code and its output.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DEBEZIUM_", "DBT_", "PYTHON", "SPARK_"))
    }
    result = subprocess.run(
        command,
        cwd=folder,
        env=kept | variables,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
    )
    return result.returncode, result.stdout


def make_environment(folder: Path, line: str) -> Path:
    """Make an environment whose PySpark is the newest of a line; return its folder of programs."""
    programs = folder / "environment" / "bin"
    pinned = folder / "constraints.txt"
    pins = (REPOSITORY / "dev" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned.write_text("\n".join(one for one in pins if not one.startswith("pyspark==")))
    install = [str(programs / "pip"), "install", "--quiet", "--constraint", str(pinned)]
    for command in (
        [sys.executable, "-m", "venv", str(folder / "environment")],
        [*install, f"pyspark=={line}.*"],
        # pip must keep the PySpark that is there
        [*install, str(REPOSITORY)],
    ):
        code, output = call(command, folder)
        assert code == 0, output
    code, version = call([str(programs / "python"), "-c", _VERSION], folder)
    assert code == 0 and version.startswith(f"{line}."), version
    return programs
