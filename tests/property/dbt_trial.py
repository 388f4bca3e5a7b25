"""Random histories through the models of a dbt project: what dbt and a table format add to them.

The fold itself is tested without them (`lab_trial.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from dev.simulator import History
from reference import fold
from reference.versions import Options, versions
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
from tests.property.version_trial import TIMES, compare_versions, configured, told
from tests.support.landed import LandedProject, landed_project
from tests.support.models import history_models, table_models
from tests.support.project import DbtProject
from tests.support.table_columns import is_of_table


def run_in_dbt(
    folder: Path,
    spark: SparkSession,
    histories: Sequence[History],
    *,
    schema: str,
    target: str = "iceberg",
    most: int = BATCHES,
    late: bool = True,
    options: Options | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> list[Difference]:
    """Run the models of histories that fit into one table, batch by batch.

    With options, their versions are kept, too. Returns every difference from the reference, up to
    the first batch that has any.
    """
    batches = {history.topic: landings(history, most, late=late) for history in histories}
    project = create_histories_project(folder, spark, histories, schema, target, kept=options)
    differences: list[Difference] = []
    for batch in range(1, max(map(len, batches.values())) + 1):
        landed = [record for cut in batches.values() for record in cut[batch - 1 : batch]]
        records = [record for cut in landed for record in cut]
        project.land(batch, records)
        project.run(
            "run",
            *([] if batch == 1 else ["--select", "stg_*", "state_*", "versions_*"]),
        )
        kept = {} if options is None else _versions(project, histories)
        found = _current(project, histories)
        for history in histories:
            said = [record for cut in batches[history.topic][:batch] for record in cut]
            expected = fold(said, history.config)
            differences += compare(history, batch, expected, found.pop(history.topic, {}))
            if options is not None:
                wanted = versions(said, history.config, options)
                own = kept.pop(history.topic, [])
                differences += compare_versions(history, batch, wanted, own)
        assert not found, f"rows of no history: {found}"
        progress(f"batch {batch}: {len(records)} records")
        if differences:
            break
    return differences


def create_histories_project(
    folder: Path,
    spark: SparkSession,
    histories: Sequence[History],
    schema: str,
    target: str = "iceberg",
    *,
    options: Mapping[str, Any] | None = None,
    more: Mapping[str, str] | None = None,
    kept: Options | None = None,
) -> LandedProject:
    """Create a project for the table of these histories, and the table that records land in.

    Args:
        folder: of the project.
        spark: session of the target.
        histories: that fit into one table.
        schema: of its tables.
        target: of dbt.
        options: further options of the source.
        more: further files.
        kept: options of the history table; None for none.
    """
    first = histories[0]
    place: dict[str, Any] = {
        "source": "sim",
        "table": f"{first.table.schema}.{first.table.name}",
        "key": first.declared_key(),
        "columns": first.declared_columns(),
    }
    block = source_block(histories) | dict(options or {})
    if kept is not None:
        block["history"] = configured(kept)
    files = {} if kept is None else history_models("sim__articles", **place)
    topics = [topic for history in histories for topic in history.topics]
    files |= table_models("sim__articles", topics=topics, **place) | dict(more or {})
    return landed_project(folder, "sim", spark, files, schema=schema, target=target, options=block)


def _versions(project: DbtProject, histories: Sequence[History]) -> dict[str, list[dict[str, Any]]]:
    """Return what `hist_` shows, by topic."""
    frame = project.spark.table(project.table("hist_sim__articles"))
    columns = [f"unix_micros(_cdc_{name}) as micros_{name}" for name in TIMES]
    found: dict[str, list[dict[str, Any]]] = {}
    for row in frame.selectExpr(*columns, "*").collect():
        history = histories[row["id"] // KEYS]
        names = {name: name for name in frame.columns if is_of_table(name)}
        found.setdefault(history.topic, []).append(told(row, names))
    return found


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
