"""Projects whose records a test lands itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.support.landed import LandedProject, landed_project

_serial = itertools.count(1)


@pytest.fixture(scope="session")
def landed(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Callable[..., LandedProject]:
    """Create a project of one source: `landed(source, files, target=, options=, variables=)`."""

    def create(
        source: str, files: Mapping[str, str], *, target: str = "iceberg", **more: Any
    ) -> LandedProject:
        schema = f"{source}_{target}_{next(_serial)}"
        folder = tmp_path_factory.mktemp(schema)
        spark = spark_by_target[target]
        return landed_project(folder, source, spark, files, schema=schema, target=target, **more)

    return create
