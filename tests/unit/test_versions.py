"""The ranges of `pyproject.toml`, and the versions of their two ends that are tested."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.paths import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES = [Requirement(one) for one in PROJECT["dependencies"]]
EXTRAS = [Requirement(one) for extra in PROJECT["optional-dependencies"].values() for one in extra]


def pinned(name: str) -> dict[str, str]:
    """Return the versions of a constraints file by canonical name."""
    lines = (REPOSITORY / "dev" / name).read_text(encoding="utf-8").splitlines()
    # Anything else, like a registry's address, is the address of whoever wrote the file.
    wrong = [one for one in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+", one)]
    assert wrong == []
    pairs = [one.split("==") for one in lines]
    versions = {canonicalize_name(name): version for name, version in pairs}
    assert len(versions) == len(lines)
    return versions


def test_every_dependency_has_a_lower_and_an_upper_bound():
    operators = {
        one.name: sorted(bound.operator for bound in one.specifier) for one in DEPENDENCIES
    }

    assert set(map(tuple, operators.values())) == {("<", ">=")}, operators


def test_what_ci_uses_is_within_the_ranges():
    versions = pinned("constraints.txt")

    for one in DEPENDENCIES + EXTRAS:
        assert one.specifier.contains(versions[canonicalize_name(one.name)]), one


def test_the_lowest_versions_are_the_lower_bounds():
    lowest = {
        canonicalize_name(one.name): bound.version
        for one in DEPENDENCIES
        for bound in one.specifier
        if bound.operator == ">="
    }

    assert pinned("constraints-lowest.txt") == lowest
