"""Each minor version of dbt finds nothing deprecated in a new project and in generated models."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.full.environments.test_resolves import UNREADABLE
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.programs import run_program, users_environment
from tests.support.stand_in_wheel import write_stand_in

pytestmark = pytest.mark.slow

MINORS = ("1.11", "1.12")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Install the newest of a minor version: `environment(minor)` is its folder of programs."""

    def install(minor: str) -> Path:
        folder = tmp_path_factory.mktemp("dbt")
        programs = folder / "environment" / "bin"
        run_program(sys.executable, "-m", "venv", folder / "environment")
        links = write_stand_in(folder / "links", UNREADABLE, "2.9999")
        run_program(
            *(programs / "pip", "install", "--quiet", "--no-compile", "--find-links", links),
            *(REPOSITORY, f"dbt-core=={minor}.*"),
        )
        return programs

    return cache(install)


def deprecations(programs: Path, project: Path, *arguments: str | Path) -> list[str]:
    """Return what dbt prints of a project that is deprecated."""
    told = run_program(
        *(programs / "dbt", "--no-use-colors", "parse", "--no-partial-parse"),
        *("--show-all-deprecations", "--project-dir", project, *arguments),
        environment=users_environment(DBT_TARGET_PATH=str(programs.parent / "target")),
    )
    assert "Performance info" in told
    return [line for line in told.splitlines() if "deprecat" in line.lower()]


@pytest.mark.parametrize("minor", MINORS)
def test_a_new_project(environment: Callable[[str], Path], minor: str, tmp_path: Path) -> None:
    programs = environment(minor)
    (tmp_path / "landing").mkdir()
    run_program(
        *(programs / "debezium-spark", "init", "lake", "--source", "shop"),
        *("--connector", "postgresql", "--input", "landing", "--topic-prefix", "shop"),
        folder=tmp_path,
    )
    lake = tmp_path / "lake"
    assert deprecations(programs, lake, "--profiles-dir", lake) == []

    # so that nothing found means that dbt looked
    settings = lake / "dbt_project.yml"
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\nlog-path: log\n")
    assert deprecations(programs, lake, "--profiles-dir", lake) != []


@pytest.mark.parametrize("minor", MINORS)
def test_generated_models(environment: Callable[[str], Path], minor: str, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("dbt_project.yml", "macros", "models", "python_models", "seeds"):
        source = REPOSITORY / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, clone / name)

    target = ("--profiles-dir", PROFILES, "--target", "delta")
    assert deprecations(environment(minor), clone, *target) == []
