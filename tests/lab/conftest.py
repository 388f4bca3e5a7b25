"""Macros on temporary views: their session is that of a lab."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tests.support.lab import Lab


@pytest.fixture(scope="session")
def spark(lab_spark: SparkSession) -> SparkSession:
    """A session for large plans over few rows, without a table format."""
    return lab_spark


@pytest.fixture
def lab(lab_spark: SparkSession) -> Iterator[Lab]:
    """Return a lab without tables, which goes with the test."""
    with Lab(lab_spark) as lab:
        yield lab
