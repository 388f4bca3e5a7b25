"""Environments with one line of PySpark each, and this distribution as a wheel."""

from __future__ import annotations

import sys
from pathlib import Path

from dbt_debezium_spark.spark.versions import FORMATS, LINES
from tests.support.paths import REPOSITORY
from tests.support.programs import run_program

PAIRS = [
    (line, one) for line, packages in LINES.items() for one in FORMATS if packages.runtime(one)
]
SECONDS = 1800
_VERSION = "import pyspark; print(pyspark.__version__)"


def make_environment(folder: Path, line: str) -> Path:
    """Make an environment whose PySpark is the newest of a line; return its folder of programs."""
    programs = folder / "environment" / "bin"
    pinned = folder / "constraints.txt"
    pins = (REPOSITORY / "dev" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned.write_text("\n".join(one for one in pins if not one.startswith("pyspark==")))
    install = [str(programs / "pip"), "install", "--quiet", "--constraint", str(pinned)]
    run_program(sys.executable, "-m", "venv", folder / "environment")
    run_program(*install, f"pyspark=={line}.*", seconds=SECONDS)
    # pip must keep the PySpark that is there
    run_program(*install, REPOSITORY, seconds=SECONDS)
    assert run_program(programs / "python", "-c", _VERSION).startswith(f"{line}.")
    return programs
