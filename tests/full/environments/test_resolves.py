"""pip finds one environment for this distribution and for what dbt users install beside it.

Nothing is installed: pip resolves as if the environment were empty, and reports what it would take.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from tests.support.paths import REPOSITORY
from tests.support.stand_in_wheel import write_stand_in

# With each, the oldest version that counts: pip goes back to releases of years ago, if it must.
BESIDE = {
    "dbt-databricks": "1.12.0",
    "dbt-glue": "1.12.0",
    "dbt-athena": "1.11.0",
    "elementary-data": "0.26.0",
}
OURS = "dbt-debezium-spark"
# dbt-core 1.12 requires it for an optional parser. To tell pip its name, its source distribution
# downloads a program, so a machine that reaches nothing but a registry cannot resolve it.
UNREADABLE = "dbt-core-experimental-parser"


def resolved(folder: Path, *requirements: str) -> dict[str, Version]:
    """Return the versions that pip would install into an empty environment, by name."""
    report = folder / "report.json"
    links = write_stand_in(folder / "links", UNREADABLE, "2.9999")
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--dry-run", "--ignore-installed", "--report", str(report)),
            *("--find-links", str(links)),
            *requirements,
        ],
        text=True,
        capture_output=True,
    )
    if result.returncode != 0:
        names = " and ".join(requirements)
        pytest.fail(
            f"debezium_spark: pip finds no environment for {names}. Widen the ranges in"
            f" pyproject.toml, or say in docs/clusters.md what excludes the other:\n{result.stderr}"
        )
    found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        one["metadata"]["name"].lower().replace("_", "-"): Version(one["metadata"]["version"])
        for one in found
    }


@pytest.mark.parametrize("name", BESIDE)
def test_pip_resolves_this_distribution_beside(name: str, tmp_path: Path) -> None:
    found = resolved(tmp_path, str(REPOSITORY), name)

    assert OURS in found
    assert found[name] >= Version(BESIDE[name]), (
        f"debezium_spark: beside it, pip goes back to {name} {found[name]}, not to"
        f" {BESIDE[name]} or newer. Compare its requirements with pyproject.toml."
    )
    assert {"pyspark", "dbt-core", "dbt-spark"} <= set(found)


@pytest.mark.parametrize("minor", ["1.11", "1.12"])
def test_pip_resolves_each_minor_version_of_dbt(minor: str, tmp_path: Path) -> None:
    found = resolved(tmp_path, str(REPOSITORY), f"dbt-core=={minor}.*")

    assert str(found["dbt-core"]).startswith(f"{minor}.")


def test_a_conflict_is_told_in_one_message(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception) as failed:
        resolved(tmp_path, str(REPOSITORY), "dbt-core==1.10.*")

    text = str(failed.value)
    assert text.startswith("debezium_spark: pip finds no environment for ")
    assert "dbt-core" in text.split("\n", 1)[1]
