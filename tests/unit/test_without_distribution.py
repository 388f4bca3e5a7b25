"""The dbt package without the Python distribution: one sentence names the command that is missing.

dbt finds the distribution among the modules of its environment, so here that module is hidden.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.support.blocks import source_options
from tests.support.paths import PROFILES, REPOSITORY

HIDDEN = """
import importlib.abc
import pkgutil
import sys

class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "dbt_debezium_spark":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

modules = pkgutil.iter_modules
pkgutil.iter_modules = lambda *a: (one for one in modules(*a) if one.name != "dbt_debezium_spark")
sys.meta_path.insert(0, Hidden())
from dbt.cli.main import cli
cli()
"""
SENTENCE = (
    "debezium_spark: the adapter spark has no methods of this package. Run `pip install"
    " dbt-debezium-spark` in the Python environment of dbt."
)
SETTINGS = {
    "name": "shop",
    "version": "0.1.0",
    "profile": "debezium_spark",
    "model-paths": ["models", "python_models"],
    "flags": {"send_anonymous_usage_stats": False},
    "vars": {"debezium_sources": {"shop": source_options(prefix="shop")}},
}
GENERATED = REPOSITORY / "tests" / "golden" / "postgresql"


def dbt(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    places = ["--project-dir", str(project), "--profiles-dir", str(PROFILES)]
    environment = {name: one for name, one in os.environ.items() if "DEBEZIUM_" not in name}
    return subprocess.run(
        [sys.executable, "-c", HIDDEN, "--no-use-colors", *command, *places],
        env={**environment, "PYTHONPATH": ""},
        text=True,
        capture_output=True,
    )


@pytest.mark.parametrize(
    ("command", "has_models"),
    [
        pytest.param("parse", False, id="parse-added", marks=pytest.mark.full),
        pytest.param("build", True, id="build-generated"),
        pytest.param("parse", True, id="parse-generated", marks=pytest.mark.full),
        pytest.param("build", False, id="build-added", marks=pytest.mark.full),
    ],
)
def test_dbt_ends_with_one_sentence(tmp_path, command, has_models):
    (tmp_path / "dbt_project.yml").write_text(yaml.safe_dump(SETTINGS))
    (tmp_path / "packages.yml").write_text(yaml.safe_dump({"packages": [{"local": "package"}]}))
    link_package(tmp_path / "package")
    if has_models:
        for name in ("models", "python_models"):
            (tmp_path / name).symlink_to(GENERATED / name)

    if has_models:
        (tmp_path / "dbt_packages").mkdir()
        (tmp_path / "dbt_packages" / "debezium_spark").symlink_to(tmp_path / "package")
    else:
        deps = dbt(tmp_path, "deps")
        assert deps.returncode == 0, deps.stdout + deps.stderr
    result = dbt(tmp_path, command)

    assert result.returncode == 2
    assert result.stdout.count(SENTENCE) == 1, result.stdout
    assert "has no attribute" not in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def link_package(folder: Path) -> None:
    """Install the package by links, with the files that its wheel has."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for name in settings["tool"]["debezium_spark"]["dbt-files"]:
        for source in REPOSITORY.glob(name):
            link = folder / source.relative_to(REPOSITORY)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source)
