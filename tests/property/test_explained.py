"""`explain` over random histories: its verdicts and outcomes are those of the reference."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark.sql import SparkSession

from tests.property.explained import explain_documents, explain_together
from tests.property.groups import Group, by_kind, draw
from tests.property.histories import check

pytestmark = pytest.mark.slow

RELATIONAL = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
GROUP = 100
_KEYED = {"key": "single"}
QUICK = {
    "keyed": [Group(name, 3001, 10, _KEYED) for name in RELATIONAL],
    "keyless": [Group(name, 3101, 4, {"key": "none"}) for name in ("sqlserver", "mysql")],
    "closing": [
        Group(
            "sqlserver",
            3201,
            10,
            {**_KEYED, "close_unseen": True, "hidden_deletes": True, "snapshot_again": True},
        )
    ],
}


@pytest.mark.parametrize("groups", QUICK.values(), ids=QUICK)
def test_verdicts_are_those_of_the_reference(
    lab_spark: SparkSession, groups: Sequence[Group]
) -> None:
    check(explain_together(lab_spark, draw(groups)))


def test_verdicts_of_documents_are_those_of_the_reference(lab_spark: SparkSession) -> None:
    check(explain_documents(lab_spark, range(3001, 3051)))


@pytest.mark.full
@pytest.mark.parametrize("first", range(4001, 4201, GROUP))
@pytest.mark.parametrize("connector", [*RELATIONAL, "mongodb"])
def test_two_hundred_histories_of_each_connector(
    lab_spark: SparkSession, connector: str, first: int
) -> None:
    if connector == "mongodb":
        check(explain_documents(lab_spark, range(first, first + GROUP)))
        return
    for groups in by_kind(draw([Group(connector, first, GROUP)])):
        check(explain_together(lab_spark, groups))
