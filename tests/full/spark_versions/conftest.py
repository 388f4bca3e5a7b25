"""One environment for each line of PySpark, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.full.spark_versions.environments import make_environment


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Make an environment with a line of PySpark: `environment(line)` is its folder of programs."""
    return cache(lambda line: make_environment(tmp_path_factory.mktemp(f"spark_{line}"), line))
