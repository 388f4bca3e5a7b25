"""Random histories, cut into random batches, against the reference fold: no row may differ.

`python -m tests.property --histories 10000` does the same for longer.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from tests.property.trial import Difference, fold_histories, histories_of
from tests.simulator import History
from tests.simulator.strategies import histories

pytestmark = pytest.mark.slow

GROUP = 25
LARGE_GROUP = 60
BINLOG_GROUP = 70
NAMED = 3  # histories of a failing group that are tried one by one

CLOSING = {
    "key": "single",
    "close_unseen": True,
    "hidden_deletes": True,
    "snapshot_again": True,
}

# First seeds of the groups: they draw what a group has in common. Where values can be
# unavailable, rows are looked for under other keys, which is most of the time of a trial: one
# group does.
GROUPS = [
    pytest.param("postgresql", 51, {}, id="postgresql-composite"),
    pytest.param("postgresql", 126, {}, id="postgresql-keyless"),
    pytest.param("postgresql", 151, {"toast": False}, id="postgresql"),
    pytest.param("postgresql", 251, {"toast": False}, id="postgresql-full-identity"),
    pytest.param("sqlserver", 1, {}, id="sqlserver-keyless"),
    pytest.param("sqlserver", 26, {}, id="sqlserver-composite"),
    pytest.param("sqlserver", 51, {}, id="sqlserver"),
    pytest.param("sqlserver", 176, {}, id="sqlserver-more"),
    pytest.param("sqlserver", 301, CLOSING, id="sqlserver-closing"),
    pytest.param("oracle", 101, {"key": "composite", "binary": "hex"}, id="oracle-lobs"),
]

# Most of the time of such a group is dbt's, so it may be large.
LARGE_GROUPS = [
    pytest.param("oracle", 1, {"key": "none"}, id="oracle-keyless"),
    pytest.param("oracle", 201, {"key": "single", "toast": False}, id="oracle"),
    pytest.param("oracle", 301, {"toast": False, **CLOSING}, id="oracle-closing"),
]

BINLOG_GROUPS = [
    pytest.param("mysql", 101, {"key": "single", "compressed": False}, id="mysql"),
    pytest.param("mysql", 501, {"key": "composite", "compressed": True}, id="mysql-compressed"),
    pytest.param("mysql", 201, {"key": "none", "compressed": True}, id="mysql-keyless"),
    pytest.param("mariadb", 1, {"key": "composite"}, id="mariadb-composite"),
    pytest.param("mariadb", 301, {"key": "single"}, id="mariadb"),
    pytest.param("mariadb", 401, {"key": "none"}, id="mariadb-keyless"),
]

# Epochs and incarnations by time bind a whole source: such a history has one of its own.
SINGLE = [
    pytest.param("postgresql", 37, {"recreate_topic": True, "toast": False}, id="postgresql"),
    pytest.param("sqlserver", 3, {"recreate_topic": True, "restore": "epoch"}, id="sqlserver"),
    pytest.param("oracle", 3, {"recreate_topic": True, "restore": "epoch"}, id="oracle"),
    pytest.param("mariadb", 3, {"recreate_topic": True, "restore": "epoch"}, id="mariadb"),
]

Fold = Callable[[Sequence[History], str], list[Difference]]

_serial = itertools.count(1)


@pytest.fixture(scope="module")
def fold_in(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Fold:
    """Fold histories with dbt on a table format, in a schema of their own."""

    def fold_in(told: Sequence[History], target: str) -> list[Difference]:
        schema = f"histories_{next(_serial)}"
        folder = tmp_path_factory.mktemp(schema)
        return fold_histories(folder, spark_by_target[target], told, schema=schema, target=target)

    return fold_in


def check(fold_in: Fold, told: Sequence[History], target: str = "iceberg") -> None:
    """Fail with the seeds whose rows differ, and with those among them that fail alone."""
    differences = fold_in(told, target)
    if not differences:
        return
    seeds = sorted({difference.seed for difference in differences})
    alone = [
        history.seed
        for history in told
        if history.seed in seeds[:NAMED] and (len(told) == 1 or fold_in([history], target))
    ]
    shown = "\n".join(map(str, differences[:10]))
    pytest.fail(f"seeds {seeds} differ from the reference; alone, too: {alone}\n{shown}")


@pytest.mark.parametrize(("connector", "first", "fixed"), GROUPS)
def test_histories_that_share_a_table(
    fold_in: Fold, connector: str, first: int, fixed: dict[str, Any]
) -> None:
    check(fold_in, histories_of(range(first, first + GROUP), connector, **fixed))


@pytest.mark.parametrize(("connector", "first", "fixed"), LARGE_GROUPS)
def test_many_histories_that_share_a_table(
    fold_in: Fold, connector: str, first: int, fixed: dict[str, Any]
) -> None:
    check(fold_in, histories_of(range(first, first + LARGE_GROUP), connector, **fixed))


@pytest.mark.parametrize(("connector", "first", "fixed"), BINLOG_GROUPS)
def test_histories_that_follow_a_binlog(
    fold_in: Fold, connector: str, first: int, fixed: dict[str, Any]
) -> None:
    check(fold_in, histories_of(range(first, first + BINLOG_GROUP), connector, **fixed))


@pytest.mark.parametrize(("connector", "seed", "fixed"), SINGLE)
def test_a_history_with_a_source_of_its_own(
    fold_in: Fold, connector: str, seed: int, fixed: dict[str, Any]
) -> None:
    told = histories_of([seed], connector, **fixed)

    config = told[0].config
    assert config.incarnations and any(epoch.from_ms for epoch in config.epochs)
    check(fold_in, told)


def test_histories_on_delta(fold_in: Fold) -> None:
    check(fold_in, histories_of(range(101, 111), "postgresql", toast=False), "delta")


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
def test_histories_that_hypothesis_draws(fold_in: Fold, history: History) -> None:
    check(fold_in, [history])
