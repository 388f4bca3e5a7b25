"""Carry the dbt package inside the wheel, where `dbt_debezium_spark.package_path()` finds it."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

DBT_FILES = (
    "dbt_project.yml",
    "packages.yml",
    ".sqlfluff",
    "macros",
    "models",
    "python_models",
    "profiles",
    "seeds",
    "tests/data_tests",
)
ROOT = Path(__file__).resolve().parent


class BuildWithDbtPackage(build_py):
    """Copy dbt's files beside the module; an editable install needs none, it is the clone."""

    def run(self) -> None:
        """Build the module, then add the dbt package."""
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "dbt_debezium_spark" / "dbt_package"
        shutil.rmtree(package, ignore_errors=True)
        for name in DBT_FILES:
            source, copy = ROOT / name, package / name
            if source.is_dir():
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            elif source.is_file():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)


setup(cmdclass={"build_py": BuildWithDbtPackage})
