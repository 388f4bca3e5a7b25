"""Random histories through dbt's models of a history, on every table format: what the lab leaves
out.

Histories that land in order go on from their last versions by one MERGE; others fold keys again.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from reference.versions import Options
from tests.property.dbt_trial import run_in_dbt
from tests.property.groups import Group, draw
from tests.support.formats import BOTH

pytestmark = pytest.mark.slow

_IN_ORDER = {"toast": False, "partitions": 1, "add_partitions": False, "second_topic": False}
# A lab's histories have them; a truncate would empty all histories, which share a table.
_PLAIN = {"transforms": False, "truncates": False}
IN_ORDER = Group(
    "sqlserver", 2101, 12, {**_IN_ORDER, "key": "single", "compaction": False} | _PLAIN
)
LATE = Group("postgresql", 51, 12, {"key": "composite"} | _PLAIN)
_serial = itertools.count(1)


@pytest.mark.full
@pytest.mark.parametrize("target", BOTH)
@pytest.mark.parametrize(
    ("group", "late", "options"),
    [
        pytest.param(IN_ORDER, False, Options(deleted_rows=True), id="in-order"),
        pytest.param(LATE, True, Options(), id="late", marks=pytest.mark.full),
    ],
)
def test_versions_of_histories_that_share_a_table(
    target: str,
    tmp_path: Path,
    spark_by_target: dict[str, SparkSession],
    group: Group,
    late: bool,
    options: Options,
) -> None:
    (histories,) = draw([group])

    differences = run_in_dbt(
        tmp_path,
        spark_by_target[target],
        histories,
        schema=f"versions_{next(_serial)}",
        target=target,
        most=2,
        late=late,
        options=options,
    )

    assert not differences, "\n".join(map(str, differences[:10]))
