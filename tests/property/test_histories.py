"""Random histories, cut into random batches, against the reference: no row may differ.

`python -m tests.property --histories 10000` does the same for longer.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dev.simulator import History
from dev.simulator.strategies import histories
from tests.property.groups import (
    ALONE,
    CLOSED,
    FED,
    FED_CLOSED,
    IN_ORDER,
    KEYLESS,
    POSITIONS,
    UNAVAILABLE_AND_CONTENTS,
    Group,
    draw,
)
from tests.property.histories import check
from tests.property.lab_trial import fold_together

BATCHES = 3  # into which a history is cut, at most


@pytest.mark.covers("form schemas in JSON: every input")
@pytest.mark.parametrize(
    "groups",
    [
        pytest.param(
            POSITIONS,
            id="positions",
            marks=pytest.mark.covers(
                "support PostgreSQL: rows, repeats",
                "support SQL Server 1.9: repeats, incremental snapshots",
                "support SQL Server 2.1, MariaDB: rows, repeats, incremental snapshots",
                "support MySQL: rows, key changes, incremental snapshots",
            ),
        ),
        pytest.param(
            UNAVAILABLE_AND_CONTENTS,
            id="unavailable-and-contents",
            marks=[
                pytest.mark.full,
                pytest.mark.covers(
                    "support PostgreSQL: rows, unavailable values",
                    "support Oracle: unavailable values",
                    "support MySQL: repeats",
                ),
            ],
        ),
        pytest.param(CLOSED, id="closing", marks=pytest.mark.full),
        pytest.param(
            KEYLESS,
            id="keyless",
            marks=[
                pytest.mark.full,
                pytest.mark.covers(
                    "support PostgreSQL, SQL Server 2.1, MySQL, MariaDB: rows",
                    "support Oracle: rows, repeats",
                ),
            ],
        ),
    ],
)
def test_histories_that_are_folded_together(
    lab_spark: SparkSession, groups: Sequence[Group]
) -> None:
    check(fold_together(lab_spark, draw(groups), most=BATCHES))


def test_histories_that_land_in_order_go_on_from_the_state(lab_spark: SparkSession) -> None:
    told: list[str] = []

    keys: list[int] = []

    check(
        fold_together(
            lab_spark,
            draw(IN_ORDER),
            most=BATCHES,
            late=False,
            plans=told.append,
            in_order=keys.append,
        )
    )

    assert len(told) == BATCHES
    # keys that also the short plan folded
    assert min(keys) > 20 and sum(keys) > 200, keys


@pytest.mark.parametrize(
    ("groups", "most"),
    [
        # keys that a truncate ends, late files, and rows that take values from other keys
        pytest.param(FED, 4, id="rows-of-all-kinds", marks=pytest.mark.full),
        pytest.param(FED_CLOSED, 4, id="closing", marks=pytest.mark.full),
        pytest.param(FED, 20, id="twenty-batches", marks=pytest.mark.full),
        pytest.param(FED_CLOSED, 20, id="closing-twenty-batches", marks=pytest.mark.full),
    ],
)
def test_a_copy_follows_the_change_feed(
    lab_spark: SparkSession, groups: Sequence[Group], most: int
) -> None:
    deletes: list[int] = []

    check(fold_together(lab_spark, draw(groups), most=most, feed=deletes.append))

    # rows that truncates or snapshots ended after the copy had them alive
    assert deletes and deletes[0] > 0, deletes


@pytest.mark.parametrize("group", ALONE.values(), ids=list(ALONE))
def test_a_history_with_a_source_of_its_own(lab_spark: SparkSession, group: Group) -> None:
    drawn = draw([group], alone=True)

    config = drawn[0][0].config
    assert config.incarnations and any(epoch.from_ms for epoch in config.epochs)
    check(fold_together(lab_spark, drawn))


@settings(
    max_examples=6,
    deadline=None,
    derandomize="CI" in os.environ,
    database=None,
    # An example takes seconds: the seed of a failing one says enough.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    history=st.one_of(
        histories("postgresql", toast=False),
        histories("sqlserver"),
        histories("oracle", toast=False),
        histories("mysql"),
        histories("mariadb"),
    )
)
def test_histories_that_hypothesis_draws(lab_spark: SparkSession, history: History) -> None:
    check(fold_together(lab_spark, [[history]]))


def test_each_connector_has_two_hundred_histories() -> None:
    counts: dict[str, int] = {}
    for group in (*POSITIONS, *UNAVAILABLE_AND_CONTENTS, *CLOSED, *KEYLESS, *IN_ORDER):
        counts[group.connector] = counts.get(group.connector, 0) + group.count

    assert set(counts) == {"postgresql", "sqlserver", "oracle", "mysql", "mariadb"}
    assert min(counts.values()) >= 200, counts
