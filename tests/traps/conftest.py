"""Every collected story, built once."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.traps.build import Built, build
from tests.traps.cases import CASES


@pytest.fixture(scope="session")
def built(lab_spark: SparkSession) -> Built:
    """The tables of all cases that collected tests tell stories on."""
    return build(lab_spark, [case for case in CASES if case.stories])
