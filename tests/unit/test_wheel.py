"""What an installed wheel carries: the dbt package, and what `init` copies from it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import REPOSITORY


def test_a_wheel_carries_the_dbt_package(tmp_path):
    # Python 3.12 makes environments without it
    pytest.importorskip("setuptools")
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", tmp_path],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )

    package = tmp_path / "dbt_debezium_spark" / "dbt_package"
    assert {one.name for one in package.iterdir()} >= {
        "dbt_project.yml",
        "macros",
        "models",
        "python_models",
        "profiles",
        ".sqlfluff",
    }
    carried = {one.relative_to(package) for one in package.rglob("*") if one.is_file()}
    folders = ("macros", "models", "python_models", "profiles")
    assert carried >= {
        one.relative_to(REPOSITORY)
        for folder in folders
        for one in (REPOSITORY / folder).rglob("*.*")
        if one.suffix in (".sql", ".yml", ".md", ".py") and one.name != ".user.yml"
    }
