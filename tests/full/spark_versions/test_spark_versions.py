"""The demo with each version of Spark and each table format that is supported, as pip installs it.

The environment of each line has the newest PySpark of the line, and this distribution as a wheel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dbt_debezium_spark.spark.versions import FORMATS, LINES
from tests.full.spark_versions.environments import PAIRS, SECONDS
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.programs import run_program, users_environment

pytestmark = pytest.mark.slow

PLACES = ("--project-dir", str(REPOSITORY), "--profiles-dir", str(PROFILES))


def variables(folder: Path, file_format: str) -> Mapping[str, str]:
    return users_environment(
        DEBEZIUM_SPARK_TARGET=file_format,
        DEBEZIUM_SPARK_STATE=str(folder / "state"),
        DEBEZIUM_SPARK_MASTER="local[2]",
        DBT_TARGET_PATH=str(folder / "target"),
        DBT_LOG_PATH=str(folder / "logs"),
    )


@pytest.mark.parametrize(("line", "file_format"), PAIRS)
def test_the_demo_equals_its_truth(
    environment: Callable[[str], Path], tmp_path: Path, line: str, file_format: str
) -> None:
    programs = environment(line)
    chosen = variables(tmp_path, file_format)

    def run(*command: str | Path) -> str:
        return run_program(*command, folder=REPOSITORY, environment=chosen, seconds=SECONDS)

    output = run(programs / "python", "-m", "dev.demo")
    assert "rows compared with the truth, 0 rows differ" in output
    output = run(programs / "debezium-spark", "generate", "--check", "--no-build", *PLACES)
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
    command = (environment(line) / "dbt", "--no-use-colors", "run", *PLACES)

    output = run_program(*command, folder=REPOSITORY, environment=chosen, code=2)

    told = [text for text in output.splitlines() if "debezium_spark: PySpark" in text]
    assert len(told) == 1, output
    assert "supported are iceberg on Spark 4.0, 4.1: run `pip install 'pyspark==4.1.*'`" in told[0]
    assert not (tmp_path / "state" / "spark.log").exists()
