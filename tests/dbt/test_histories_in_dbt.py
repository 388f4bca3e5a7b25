"""Random histories through dbt's models, on every table format: what the lab leaves out.

Values lie under other keys, so that the fold writes its table of chains, too. There are no
truncates: one of a history would empty the others, which share its table.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.property.dbt_trial import run_in_dbt
from tests.property.groups import Group, draw
from tests.support.formats import DEFAULT_FIRST

pytestmark = pytest.mark.slow

GROUP = Group("postgresql", 51, 20, {"key": "composite", "transforms": False, "truncates": False})
_serial = itertools.count(1)


@pytest.mark.parametrize("target", DEFAULT_FIRST)
def test_histories_that_share_a_table(
    target: str, tmp_path: Path, spark_by_target: dict[str, SparkSession]
) -> None:
    (histories,) = draw([GROUP])

    differences = run_in_dbt(
        tmp_path,
        spark_by_target[target],
        histories,
        schema=f"histories_{next(_serial)}",
        target=target,
        most=2,
    )

    assert not differences, "\n".join(map(str, differences[:10]))
