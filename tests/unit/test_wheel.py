"""What an installed wheel carries: the dbt package, and what `init` copies from it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from tests.support.paths import REPOSITORY
from tests.support.project import link_package


def test_a_wheel_carries_the_dbt_package_that_tests_install(tmp_path):
    # Python 3.12 makes environments without it
    pytest.importorskip("setuptools")
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", tmp_path],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )

    package = tmp_path / "dbt_debezium_spark" / "dbt_package"
    installed = tmp_path / "installed"
    link_package(installed)
    carried = {one.relative_to(package) for one in package.rglob("*") if one.is_file()}
    linked = {
        one.relative_to(installed)
        for link in (*installed.iterdir(), *(installed / "models").iterdir())
        for one in ((link, *link.rglob("*")) if link.name != "models" else ())
        if one.is_file() and one.name != ".user.yml"
    }
    assert carried == linked
    projects = [
        yaml.safe_load((folder / "dbt_project.yml").read_text(encoding="utf-8"))
        for folder in (package, installed)
    ]
    assert projects[0] == projects[1]
    # dbt would take the demo's sources for those of a project that has none
    assert "vars" not in projects[0]
