"""Carry the dbt package inside the wheel, where `dbt_debezium_spark.package_path()` finds it.

With the variable PROJECT_URL, the address of the repository, the distribution has links to it.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Files and folders of dbt; not the demo's models, which dbt would read in every project.
DBT_FILES = SETTINGS["tool"]["debezium_spark"]["dbt-files"]
ADDRESS = os.environ.get("PROJECT_URL", "").rstrip("/")
TAG = f"v{SETTINGS['project']['version']}"


def dbt_files() -> Iterator[Path]:
    """Yield every file of the dbt package, in the clone or in a source distribution.

    Raises:
        FileNotFoundError: one of them is missing.
    """
    for name in DBT_FILES:
        found = sorted(ROOT.glob(name))
        if not found:
            raise FileNotFoundError(f"debezium_spark: no {name} in {ROOT}. Build from a clone.")
        for one in found:
            yield from files_below(one) if one.is_dir() else [one]


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, but none that is hidden or that Python wrote."""
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder).parts
        if file.is_file() and not any(part.startswith((".", "__pycache__")) for part in inside):
            yield file


class BuildWithDbtPackage(build_py):
    """Copy dbt's files beside the module; an editable install needs none, it is the clone."""

    def run(self) -> None:
        """Build the module, then add the dbt package."""
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "dbt_debezium_spark" / "dbt_package"
        shutil.rmtree(package, ignore_errors=True)
        for source in dbt_files():
            copy = package / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
        leave_out_vars(package / "dbt_project.yml")

    def get_source_files(self) -> list[str]:
        """Return what a source distribution needs, from which a wheel is built again."""
        ours = [*dbt_files(), ROOT / "CHANGELOG.md"]
        return [*super().get_source_files(), *(str(file.relative_to(ROOT)) for file in ours)]


def leave_out_vars(file: Path) -> None:
    """Remove the demo's sources: dbt would take them for those of a project that has none."""
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?ms)^vars:\n.*?(?=^\S|\Z)", "", text), encoding="utf-8")


def description() -> str:
    """Return README.md, whose links lead to the repository if its address is known."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if not ADDRESS:
        return text
    for start, kind in ((r"(!\[[^\]]*\]\()", "raw"), (r"((?<!!)\[[^\]]*\]\()", "blob")):
        text = re.sub(rf"{start}(?!https?:|#)", rf"\1{ADDRESS}/{kind}/{TAG}/", text)
    return text


def addresses() -> dict[str, str]:
    """Return the links of the distribution's page, by name."""
    places = {
        "Repository": "",
        "Documentation": f"/blob/{TAG}/README.md#documentation",
        "Changelog": f"/blob/{TAG}/CHANGELOG.md",
        "Issues": "/issues",
    }
    return {name: f"{ADDRESS}{path}" for name, path in places.items()} if ADDRESS else {}


setup(
    cmdclass={"build_py": BuildWithDbtPackage},
    long_description=description(),
    long_description_content_type="text/markdown",
    project_urls=addresses(),
)
