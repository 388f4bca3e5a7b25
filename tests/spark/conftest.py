"""What most tests of landing begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.support.landing_lake import Lake


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path) -> Lake:
    """Return a source that reads files, of which none has come."""
    return Lake(spark, tmp_path)
