"""Random histories through the models of a dbt project: what dbt and a table format add to them.

The fold itself is tested without them (`lab_trial.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from dev.simulator import History
from tests.property.histories import (
    BATCHES,
    KEYS,
    Difference,
    compare,
    landings,
    name_of,
    source_block,
)
from tests.property.plain_values import comparable
from tests.reference import fold
from tests.support.lab import table_of
from tests.support.models import table_models
from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row
from tests.support.table_columns import is_of_table

_TABLE_OF = "{% macro default__table_of(topic) %}" + table_of("{{ topic }}") + "{% endmacro %}"


def run_in_dbt(
    folder: Path,
    spark: SparkSession,
    histories: Sequence[History],
    *,
    schema: str,
    target: str = "iceberg",
    most: int = BATCHES,
    progress: Callable[[str], None] = lambda text: None,
) -> list[Difference]:
    """Run the models of histories that fit into one table, batch by batch.

    Returns every difference from the reference, up to the first batch that has any.
    """
    batches = {history.topic: landings(history, most) for history in histories}
    project = _project(folder, spark, histories, schema, target)
    spark.sql(f"create schema if not exists `{schema}`")
    spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed").createOrReplace()
    differences: list[Difference] = []
    for batch in range(1, max(map(len, batches.values())) + 1):
        landed = [record for cut in batches.values() for record in cut[batch - 1 : batch]]
        rows = [raw_row(record, batch) for records in landed for record in records]
        spark.createDataFrame(rows, RAW_TYPE).writeTo(f"`{schema}`.landed").append()
        project.run(
            "run", "--select", *(["+cur_sim__articles"] if batch == 1 else ["stg_*", "state_*"])
        )
        found = _current(project, histories)
        for history in histories:
            said = [record for cut in batches[history.topic][:batch] for record in cut]
            expected = fold(said, history.config)
            differences += compare(history, batch, expected, found.pop(history.topic, {}))
        assert not found, f"rows of no history: {found}"
        progress(f"batch {batch}: {len(rows)} records")
        if differences:
            break
    return differences


def _project(
    folder: Path, spark: SparkSession, histories: Sequence[History], schema: str, target: str
) -> DbtProject:
    first = histories[0]
    data = folder / "data"
    data.mkdir(parents=True)
    block = source_block(histories) | {"input": {"type": "files", "path": str(data)}}
    return create_project(
        folder,
        schema=schema,
        target=target,
        spark=spark,
        files=table_models(
            "sim__articles",
            source="sim",
            landed=f"`{schema}`.landed",
            topics=[topic for history in histories for topic in history.topics],
            table=f"{first.table.schema}.{first.table.name}",
            key=first.declared_key(),
            columns=first.declared_columns(),
        )
        | {"macros/default__table_of.sql": _TABLE_OF},
        variables={"debezium_sources": {"sim": block}},
    )


def _current(project: DbtProject, histories: Sequence[History]) -> dict[str, dict[str, Any]]:
    """Return the rows of `cur_` by topic and by what names a row; how often, without a key."""
    frame = project.spark.table(project.table("cur_sim__articles"))
    columns = [name for name in frame.columns if is_of_table(name)]
    found: dict[str, dict[str, Any]] = {}
    for row in frame.select(*columns).collect():
        values = {name: comparable(row[name]) for name in columns}
        history = histories[row["id"] // KEYS]
        own = found.setdefault(history.topic, {})
        name = name_of(history, values)
        if history.table.key:
            assert name not in own, f"cur_ has key {name} twice"
            own[name] = values
        else:
            own[name] = own.get(name, 0) + 1
    return found
