"""Random histories through dbt's models, on every table format: what the lab leaves out.

Values lie under other keys, so that the fold writes its table of chains, too. Of versions,
histories that land in order go on from their last versions by one MERGE; others fold keys again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference.versions import Options
from tests.property.dbt_trial import run_in_dbt
from tests.property.groups import Group, draw
from tests.property.histories import check

pytestmark = [pytest.mark.slow, pytest.mark.full]

# A lab's histories have both; here, a truncate would empty all of them.
_PLAIN = {"transforms": False, "truncates": False}
_IN_ORDER = {"toast": False, "partitions": 1, "add_partitions": False, "second_topic": False}
# Seeds of which no two histories change rows at one place: in one table, that is a key change.
IN_ORDER = Group(
    "sqlserver", 2161, 12, {**_IN_ORDER, "key": "single", "compaction": False} | _PLAIN
)


def late(count: int) -> Group:
    return Group("postgresql", 51, count, {"key": "composite"} | _PLAIN)


@pytest.mark.parametrize(
    ("group", "more"),
    [
        pytest.param(late(20), {}, id="rows"),
        pytest.param(
            IN_ORDER, {"late": False, "options": Options(deleted_rows=True)}, id="versions-in-order"
        ),
        pytest.param(late(12), {"options": Options()}, id="versions"),
    ],
)
def test_histories_that_share_a_table(
    target: str,
    tmp_path: Path,
    spark_by_target: dict[str, SparkSession],
    group: Group,
    more: dict[str, Any],
) -> None:
    (histories,) = draw([group])
    where = {"schema": tmp_path.name, "target": target}

    check(run_in_dbt(tmp_path, spark_by_target[target], histories, **where, most=2, **more))
