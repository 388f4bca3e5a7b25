"""Macros on temporary views: their session is that of a lab."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(lab_spark: SparkSession) -> SparkSession:
    """A session for large plans over few rows, without a table format."""
    return lab_spark
