"""The demo with each version of Spark and each table format that is supported, as pip installs it.

The environment of each line has the newest PySpark of the line, and this distribution as a wheel.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from dbt_debezium_spark.spark_versions import FORMATS, LINES
from tests.support.paths import PROFILES, REPOSITORY

pytestmark = pytest.mark.slow

PAIRS = [
    (line, one) for line, packages in LINES.items() for one in FORMATS if packages.runtime(one)
]
PLACES = ("--project-dir", str(REPOSITORY), "--profiles-dir", str(PROFILES))
SECONDS = 1800


def call(folder: Path, command: list[str], **variables: str) -> tuple[int, str]:
    """Run a command in the clone, whose dbt writes below a folder; return its code and output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DEBEZIUM_", "DBT_", "PYTHON", "SPARK_"))
    }
    places = {"DBT_TARGET_PATH": str(folder / "target"), "DBT_LOG_PATH": str(folder / "logs")}
    result = subprocess.run(
        command,
        cwd=REPOSITORY,
        env=kept | places | variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
    )
    return result.returncode, result.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Make an environment with a line of PySpark: `environment(line)` is its folder of programs."""

    @cache
    def make(line: str) -> Path:
        folder = tmp_path_factory.mktemp(f"spark_{line}")
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
            code, output = call(folder, command)
            assert code == 0, output
        code, version = call(folder, [str(programs / "python"), "-c", VERSION])
        assert code == 0 and version.startswith(f"{line}."), version
        return programs

    return make


VERSION = "import pyspark; print(pyspark.__version__)"


def variables(folder: Path, file_format: str) -> Mapping[str, str]:
    return {
        "DEBEZIUM_SPARK_TARGET": file_format,
        "DEBEZIUM_SPARK_STATE": str(folder / "state"),
        "DEBEZIUM_SPARK_MASTER": "local[2]",
    }


@pytest.mark.parametrize(("line", "file_format"), PAIRS)
def test_the_demo_equals_its_truth(
    environment: Callable[[str], Path], tmp_path: Path, line: str, file_format: str
) -> None:
    programs = environment(line)
    chosen = variables(tmp_path, file_format)

    code, output = call(tmp_path, [str(programs / "python"), "-m", "dev.demo"], **chosen)
    print(output[-400:])
    assert code == 0, output[-8000:]
    assert "rows compared with the truth, 0 rows differ" in output

    generate = [str(programs / "debezium-spark"), "generate", "--check", "--no-build", *PLACES]
    code, output = call(tmp_path, generate, **chosen)
    assert code == 0, output[-8000:]
    assert "23 tables; files " in output


@pytest.mark.parametrize(
    ("line", "file_format"),
    [
        (line, one)
        for line, packages in LINES.items()
        for one in FORMATS
        if not packages.runtime(one)
    ],
)
def test_a_pair_without_a_runtime_is_told_before_spark_starts(
    environment: Callable[[str], Path], tmp_path: Path, line: str, file_format: str
) -> None:
    chosen = variables(tmp_path, file_format)
    command = [str(environment(line) / "dbt"), "--no-use-colors", "run", *PLACES]

    code, output = call(tmp_path, command, **chosen)

    assert code == 2
    told = [text for text in output.splitlines() if "debezium_spark: PySpark" in text]
    assert len(told) == 1, output
    assert "supported are iceberg on Spark 4.0, 4.1: run `pip install 'pyspark==4.1.*'`" in told[0]
    assert not (tmp_path / "state" / "spark.log").exists()
