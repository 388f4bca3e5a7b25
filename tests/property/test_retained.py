"""Retention between the batches of random histories, by SQL: the same rows and counts."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.property.groups import Group, draw
from tests.property.histories import check
from tests.property.retained import retain_together

# Another topic has a horizon of its own: it does not tell what it repeats of the first.
ONE_TOPIC: dict[str, Any] = {"second_topic": False, "transforms": False}
CLOSING = {"close_unseen": True, "hidden_deletes": True, "snapshot_again": True, "truncates": True}
FULL = pytest.mark.full


@pytest.mark.parametrize(
    ("group", "most"),
    [
        pytest.param(Group("sqlserver", 1001, 6, {"key": "composite"}), 3, id="sqlserver"),
        pytest.param(Group("postgresql", 1001, 20, {"key": "single"}), 6, id="pg", marks=FULL),
        pytest.param(Group("oracle", 1001, 20, {"key": "single"}), 6, id="oracle", marks=FULL),
        pytest.param(
            Group("mysql", 1001, 20, {"key": "composite", "compressed": False}),
            6,
            id="mysql",
            marks=FULL,
        ),
        pytest.param(
            Group("mysql", 1001, 20, {"key": "single", "compressed": True}),
            6,
            id="mysql-compressed",
            marks=FULL,
        ),
        pytest.param(
            Group("mariadb", 1001, 20, {"key": "single", **CLOSING}), 6, id="closing", marks=FULL
        ),
    ],
)
def test_what_retention_keeps_says_the_same(
    lab_spark: SparkSession, group: Group, most: int
) -> None:
    group.fixed.update(ONE_TOPIC)
    differences, counts = retain_together(lab_spark, draw([group]), seed=1, most=most)
    check(differences)
    assert counts["dropped"] > 20 and counts["late"] > 10, counts
