"""Transactions and cuts of random sources, in random batches: as the reference says."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.property.transaction_sources import draw_source
from tests.property.transactions import transaction_differences

CONNECTORS = ("postgresql", "sqlserver", "mysql", "mariadb", "oracle")


@pytest.mark.parametrize("connector", CONNECTORS)
@pytest.mark.parametrize(
    ("seeds", "most"),
    [
        pytest.param(range(1, 3), 3, id="three-batches"),
        pytest.param(range(101, 121), 12, id="twelve-batches", marks=pytest.mark.full),
    ],
)
def test_transactions_land_batch_by_batch(
    lab_spark: SparkSession, connector: str, seeds: range, most: int
) -> None:
    sources = [draw_source(seed, connector, most=most, late=True) for seed in seeds]

    differences = transaction_differences(lab_spark, connector, sources)

    assert not differences, "\n".join(map(str, differences[:10]))
