"""A release: one version, and a workflow that publishes what was tested."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from dev import release
from tests.support.paths import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (REPOSITORY / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
JOBS: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]
PYTHON = "Programming Language :: Python :: 3."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of a release that is complete."""
    for name in ("pyproject.toml", "CHANGELOG.md"):
        (tmp_path / name).write_text((REPOSITORY / name).read_text(encoding="utf-8"))
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_version_stands_in_one_file_and_the_changelog() -> None:
    assert set(release.versions().values()) == {version("dbt-debezium-spark")}
    # dbt needs none
    settings = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    assert "version" not in settings


def test_unreleased_stands_before_the_versions_which_have_dates(folder: Path) -> None:
    newest, *_ = release.sections(folder)
    assert newest == PROJECT["version"]
    assert "**Inputs**" in release.sections(folder)[newest]

    change(folder / "CHANGELOG.md", f"## {newest} - ", f"## {newest} ")
    with pytest.raises(ValueError, match="is not like"):
        release.sections(folder)
    change(folder / "CHANGELOG.md", "## Unreleased", "## Later")
    with pytest.raises(ValueError, match="no section Unreleased"):
        release.sections(folder)


def test_a_tag_of_another_version_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main([f"v{PROJECT['version']}"]) == 0
    assert capsys.readouterr().out.startswith("The first version.")
    assert release.main(["v9.9.9"]) == 1
    assert "9.9.9 in the tag" in capsys.readouterr().err


def test_the_workflow_tests_the_pythons_of_the_classifiers() -> None:
    told = [one.removeprefix(PYTHON) for one in PROJECT["classifiers"] if one.startswith(PYTHON)]
    assert JOBS["test"]["strategy"]["matrix"]["python"] == [f"3.{minor}" for minor in told]
    assert PROJECT["requires-python"] == f">=3.{told[0]}"


def test_every_action_is_a_commit_with_its_version_beside_it() -> None:
    used = re.findall(r"uses: (.+)", TEXT)
    assert len(used) > 8
    wrong = [one for one in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)]
    assert wrong == []
    # one version of each
    assert len(set(used)) == len({one.partition("@")[0] for one in used})


def test_only_the_job_that_publishes_gets_a_token_of_the_index() -> None:
    assert yaml.safe_load(TEXT)["permissions"] == {}
    writes = {
        name: [k for k, v in job["permissions"].items() if v == "write"]
        for name, job in JOBS.items()
    }
    assert writes == {"build": [], "test": [], "publish": ["id-token"], "notes": ["contents"]}
    # it runs nothing but the action, on what was tested
    assert all("run" not in step for step in JOBS["publish"]["steps"])
    assert (JOBS["test"]["needs"], JOBS["publish"]["needs"]) == ("build", "test")
