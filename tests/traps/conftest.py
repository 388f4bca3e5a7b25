"""Every collected story, built once."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.traps.build import Built, build
from tests.traps.cases import CASES


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Built:
    """The tables of all cases that collected tests tell stories on."""
    told = [case for case in CASES if case.stories]
    return build(tmp_path_factory.mktemp("traps"), spark_by_target["iceberg"], told)
