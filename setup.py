"""Carry the dbt package inside the wheel, where `dbt_debezium_spark.package_path()` finds it."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Files and folders of dbt; not the demo's models, which dbt would read in every project.
DBT_FILES = SETTINGS["tool"]["debezium_spark"]["dbt-files"]


class BuildWithDbtPackage(build_py):
    """Copy dbt's files beside the module; an editable install needs none, it is the clone."""

    def run(self) -> None:
        """Build the module, then add the dbt package."""
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "dbt_debezium_spark" / "dbt_package"
        shutil.rmtree(package, ignore_errors=True)
        for source in (one for name in DBT_FILES for one in ROOT.glob(name)):
            copy = package / source.relative_to(ROOT)
            if source.is_dir():
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)
        leave_out_vars(package / "dbt_project.yml")


def leave_out_vars(file: Path) -> None:
    """Remove the demo's sources: dbt would take them for those of a project that has none."""
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?ms)^vars:\n.*?(?=^\S|\Z)", "", text), encoding="utf-8")


setup(cmdclass={"build_py": BuildWithDbtPackage})
