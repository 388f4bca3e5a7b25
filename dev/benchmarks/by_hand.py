"""The project that a team writes by hand: bronze, staging and current tables, without any guard.

Three models in dbt's own materializations, as the guides of Debezium and dbt show them: files are
appended to one bronze table, each topic is parsed and appended, the newest row of each key is
merged by `row_number`. Late, repeated and damaged records, truncates, key changes, placeholders,
snapshots and restored databases are not thought of.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dev.benchmarks.bare import ENVELOPE, typed_columns
from dev.benchmarks.records import topic_of

_SETTINGS = """\
name: by_hand
version: 0.1.0
config-version: 2
profile: debezium_spark
flags: {{send_anonymous_usage_stats: false}}
models:
  +file_format: {target}
  +materialized: incremental
  +incremental_strategy: append
"""
_BRONZE = """\
select
    line.topic, line.`partition`, line.`offset`, timestamp_millis(line.`timestamp`) as `timestamp`,
    line.key, line.value, landed_at
from (
    select
        from_json(
            value,
            'topic string, `partition` int, `offset` bigint, `timestamp` bigint,'
            ' key string, value string'
        ) as line,
        _metadata.file_modification_time as landed_at
    from text.`{records}`
) as lines
{{% if is_incremental() %}}
where landed_at > (select max(landed_at) from {{{{ this }}}})
{{% endif %}}
"""
_STAGING = """\
select
    {columns}, landed_at
from (
    select *, from_json(value, '{envelope}') as e
    from {{{{ ref('bronze') }}}}
    where topic = '{topic}'
    {{% if is_incremental() %}}
    and landed_at > (select max(landed_at) from {{{{ this }}}})
    {{% endif %}}
) as parsed
"""
_CURRENT = """\
{{{{ config(incremental_strategy='merge', unique_key='id') }}}}
select * except (place)
from (
    select *, row_number() over (partition by id order by `offset` desc) as place
    from {{{{ ref('stg_{table}') }}}}
    {{% if is_incremental() %}}
    where landed_at > (select max(landed_at) from {{{{ this }}}})
    {{% endif %}}
) as numbered
where place = 1
"""


def write_project(folder: Path, records: Path, tables: Sequence[str], target: str) -> None:
    """Write the project; its tables are `bronze`, and of each table `stg_` and `cur_`."""
    files = {
        "dbt_project.yml": _SETTINGS.format(target=target),
        "models/bronze.sql": _BRONZE.format(records=records),
    }
    for table in tables:
        files[f"models/stg_{table}.sql"] = _STAGING.format(
            columns=typed_columns(), envelope=ENVELOPE, topic=topic_of(table)
        )
        files[f"models/cur_{table}.sql"] = _CURRENT.format(table=table)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
