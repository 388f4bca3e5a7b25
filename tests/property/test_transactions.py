"""Transactions and cuts of random sources, in random batches: as the reference says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark.sql import SparkSession

from tests.property.histories import check
from tests.property.transaction_sources import draw_source
from tests.property.transactions import transaction_differences

CONNECTORS = ("postgresql", "sqlserver", "mysql", "mariadb", "oracle")
QUICK = ("postgresql",)  # the others in `make test-all`


@pytest.mark.covers("trap 41", "trap 42")
@pytest.mark.parametrize(
    "connector",
    [pytest.param(name, marks=[] if name in QUICK else pytest.mark.full) for name in CONNECTORS],
)
@pytest.mark.parametrize(
    ("seeds", "most"),
    [
        pytest.param(
            range(1, 3),
            3,
            id="three-batches",
            marks=pytest.mark.covers(
                "support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: transactions"
            ),
        ),
        pytest.param(range(101, 113), 6, id="six-batches", marks=pytest.mark.full),
    ],
)
def test_transactions_land_batch_by_batch(
    lab_spark: SparkSession, connector: str, seeds: range, most: int
) -> None:
    sources = [draw_source(seed, connector, most=most, late=True) for seed in seeds]

    check(transaction_differences(lab_spark, sources))


@pytest.mark.covers("support MySQL: transactions")
@pytest.mark.parametrize(
    ("connector", "seeds", "most"),
    [
        # two tables, a cut amid what landed
        pytest.param(
            "postgresql",
            [26],
            3,
            id="three-batches-postgresql",
            marks=[pytest.mark.full, pytest.mark.covers("support PostgreSQL: transactions")],
        ),
        pytest.param(
            "sqlserver",
            [27],
            3,
            id="three-batches-sqlserver",
            marks=[pytest.mark.full, pytest.mark.covers("support SQL Server: transactions")],
        ),
        pytest.param(
            "mariadb",
            [26],
            3,
            id="three-batches-mariadb",
            marks=[pytest.mark.full, pytest.mark.covers("support MariaDB: transactions")],
        ),
        *(
            pytest.param(
                name, range(201, 207), 4, id=f"four-batches-{name}", marks=pytest.mark.full
            )
            for name in CONNECTORS
        ),
    ],
)
def test_all_tables_are_read_as_of_one_commit(
    lab_spark: SparkSession, connector: str, seeds: Sequence[int], most: int
) -> None:
    sources = [draw_source(seed, connector, most=most, late=True) for seed in seeds]

    check(transaction_differences(lab_spark, sources, histories=True))
