"""Models that have nothing to do with Debezium, in a project with our adapter and our profiles."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.project import DbtProject

EVENTS = "select 1 as id, {{ var('at') }} as at union all select 2, {{ var('at') }}"
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


def test_an_incremental_merge_reads_its_own_table(
    target: str, dbt_project_factory: Callable[..., DbtProject]
) -> None:
    head = f"{{{{ config(materialized='incremental', file_format='{target}') }}}}\n"
    files = {"models/events.sql": head + EVENTS, "models/newest.sql": head + NEWEST}
    project = dbt_project_factory(files, target=target)

    for at in (1, 2, 3):
        project.run("run", "--vars", f"at: {at}")

    assert project.sql("select id, at from {schema}.newest order by id") == [(1, 3), (2, 3)]
