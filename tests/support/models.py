"""The texts of a table's models, as `generate` writes them, over records that a test lands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

# in models: the table that stands for raw (`landed.py`)
LANDED = "{{ target.schema }}.landed"


def table_models(
    name: str,
    *,
    source: str,
    columns: Sequence[Mapping[str, Any]],
    key: Sequence[Mapping[str, Any]] | None = None,
    table: str | None = None,
    topics: Sequence[str] | None = None,
    landed: str | None = LANDED,
) -> dict[str, str]:
    """Return the files of raw, staging, state and current models, by path.

    Args:
        name: of the models: `stg_<name>`, `state_<name>` and `cur_<name>`; raw is `raw_<name>`.
        source: its name in `debezium_sources`.
        columns: all of its columns.
        key: its key columns as staging models declare them, empty for none; by default the first.
        table: its name at the source, by default `public.<name>`.
        topics: of the table, by default the one that the connector writes.
        landed: the table that stands for raw; None: there is a model of raw already.
    """
    key = columns[:1] if key is None else key
    table = table or f"public.{name}"
    topics = topics or [f"{source}.{table}"]
    # JSON of such lists is Jinja, too
    declared = json.dumps(list(columns))
    names = json.dumps([column["name"] for column in key])
    decoded = (
        f"debezium_spark.decoded_columns('{source}', {declared}) | map(attribute='name') | list"
    )
    raw = "{{ config(materialized='view') }}\n" + f"select * from {landed}"
    return ({f"models/raw_{name}.sql": raw} if landed else {}) | {
        f"models/stg_{name}.sql": (
            "{{ config(materialized='debezium_append') }}\n"
            f"{{{{ debezium_spark.staging(source='{source}', raw=ref('raw_{name}'),"
            f" topics={json.dumps(list(topics))}, table='{table}', key={json.dumps(list(key))},"
            f" columns={declared}) }}}}"
        ),
        f"models/state_{name}.sql": (
            "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
            f"{{{{ debezium_spark.state(source='{source}', table='{table}',"
            f" staging=ref('stg_{name}'), key={names}, columns={decoded}) }}}}"
        ),
        f"models/cur_{name}.sql": (
            "{{ config(materialized='debezium_view') }}\n"
            f"{{{{ debezium_spark.current(state=ref('state_{name}'), columns={decoded},"
            f" keyless={json.dumps(not key)}) }}}}"
        ),
    }


def history_models(
    name: str,
    *,
    source: str,
    columns: Sequence[Mapping[str, Any]],
    key: Sequence[Mapping[str, Any]] | None = None,
    table: str | None = None,
) -> dict[str, str]:
    """Return the files of a table's history, by path; the arguments are those of `table_models`."""
    key = columns[:1] if key is None else key
    names = json.dumps([column["name"] for column in key])
    decoded = (
        f"debezium_spark.decoded_columns('{source}', {json.dumps(list(columns))})"
        " | map(attribute='name') | list"
    )
    call = f"source='{source}', table='{table or f'public.{name}'}'"
    return {
        f"models/versions_{name}.sql": (
            "{{ config(materialized='debezium_versions') }}\n"
            f"{{{{ debezium_spark.versions({call}, staging=ref('stg_{name}'), key={names},"
            f" columns={decoded}) }}}}"
        ),
        f"models/hist_{name}.sql": (
            "{{ config(materialized='debezium_view') }}\n"
            f"{{{{ debezium_spark.history({call}, versions=ref('versions_{name}'),"
            f" columns={decoded}) }}}}"
        ),
    }
