"""Random histories, cut into random batches: their versions are those of the reference.

`python -m tests.property --versions --histories 10000` does the same for longer.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark.sql import SparkSession

from reference.versions import Options
from tests.property.groups import Group, draw
from tests.property.histories import check
from tests.property.version_trial import keep_together

BATCHES = 3  # into which a history is cut, at most

_IN_ORDER = {"toast": False, "partitions": 1, "add_partitions": False, "second_topic": False}
_IN_ORDER |= {"compaction": False, "truncates": False, "key": "single", "transforms": False}
EVERYTHING = (
    Group("postgresql", 2001, 30, {"key": "single"}),
    Group("sqlserver", 2001, 30, {"key": "composite"}),
    Group("oracle", 2001, 30, {"key": "single", "binary": "hex"}),
    Group("mysql", 2001, 30, {"key": "composite"}),
    Group("mariadb", 2001, 30, {"key": "single"}),
)
IN_ORDER = (
    Group("postgresql", 2101, 30, _IN_ORDER),
    Group("sqlserver", 2101, 30, _IN_ORDER),
    Group("oracle", 2101, 30, {**_IN_ORDER, "unordered": False}),
    Group("mysql", 2101, 30, {**_IN_ORDER, "compressed": False}),
    Group("mariadb", 2101, 30, _IN_ORDER),
)
CLOSED = (
    Group(
        "sqlserver",
        2201,
        30,
        {"key": "single", "close_unseen": True, "hidden_deletes": True, "snapshot_again": True},
    ),
)


@pytest.mark.parametrize(
    ("groups", "options"),
    [
        pytest.param(
            EVERYTHING,
            Options(),
            id="everything",
            marks=[
                pytest.mark.full,
                pytest.mark.covers(
                    "support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: history"
                ),
            ],
        ),
        pytest.param(
            EVERYTHING[::2],
            Options(within_transaction="all", deleted_rows=True),
            id="every-change",
            marks=pytest.mark.full,
        ),
        pytest.param(CLOSED, Options(deleted_rows=True), id="closing", marks=pytest.mark.full),
    ],
)
def test_versions_of_histories(
    lab_spark: SparkSession, groups: Sequence[Group], options: Options
) -> None:
    check(keep_together(lab_spark, draw(groups), options, most=BATCHES))


def test_versions_of_histories_that_land_in_order(lab_spark: SparkSession) -> None:
    told: list[str] = []

    found = keep_together(
        lab_spark, draw(IN_ORDER), Options(), most=BATCHES, late=False, plans=told.append
    )

    check(found)
    assert len(told) == BATCHES
