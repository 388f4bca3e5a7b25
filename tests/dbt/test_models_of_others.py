"""Models that have nothing to do with Debezium, in a project with our adapter and our profiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.support.formats import DEFAULT_FIRST
from tests.support.project import create_project

EVENTS = "select 1 as id, {{ var('at') }} as at union all select 2, {{ var('at') }}"
_MODEL = "{{{{ config(materialized='{kind}', file_format='{target}') }}}}\n"
# as dbt's guides show it: the newest row of each key, of what arrived since the last run
NEWEST = """
{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id') }}
select * except (place)
from (
    select *, row_number() over (partition by id order by at desc) as place
    from {{ ref('events') }}
    {% if is_incremental() %}
    where at > (select max(at) from {{ this }})
    {% endif %}
) as numbered
where place = 1
"""


@pytest.mark.parametrize("target", DEFAULT_FIRST)
def test_an_incremental_merge_reads_its_own_table(
    target: str, tmp_path: Path, spark_by_target: dict[str, SparkSession]
) -> None:
    project = create_project(
        tmp_path,
        schema=f"others_{target}",
        target=target,
        spark=spark_by_target[target],
        files={
            "models/events.sql": _MODEL.format(kind="incremental", target=target) + EVENTS,
            "models/newest.sql": _MODEL.format(kind="incremental", target=target) + NEWEST,
        },
        variables={},
    )

    for at in (1, 2, 3):
        project.run("run", "--vars", f"at: {at}")

    assert project.sql("select id, at from {schema}.newest order by id") == [(1, 3), (2, 3)]
