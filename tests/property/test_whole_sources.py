"""Random histories of sources whose tables share a topic, or are dropped and created anew."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.property.histories import check
from tests.property.whole_sources import WITH_ENDS, fold_ended, fold_routed


@pytest.mark.full
@pytest.mark.parametrize(
    "connector",
    [
        "mariadb",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("postgresql", "sqlserver", "oracle", "mysql")
        ),
    ],
)
def test_two_tables_that_share_a_topic(lab_spark: SparkSession, connector: str) -> None:
    check(fold_routed(lab_spark, connector, 5, 4))


@pytest.mark.full
@pytest.mark.parametrize("connector", WITH_ENDS)
def test_tables_that_are_dropped_and_created_anew(lab_spark: SparkSession, connector: str) -> None:
    check(fold_ended(lab_spark, connector, 9, 4))
