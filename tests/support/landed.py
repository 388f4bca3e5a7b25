"""A dbt project whose records land in a table that the test fills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.cases.log import Log
from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row


@dataclass
class LandedProject(DbtProject):
    """The project, and what lands in it."""

    source: str = ""

    def land(self, batch: int, records: Iterable[KafkaRecord]) -> None:
        """Let records land as a batch."""
        rows = [raw_row(record, batch) for record in records]
        if rows:
            frame = self.spark.createDataFrame(rows, RAW_TYPE).coalesce(1)
            frame.writeTo(self.table("landed")).append()

    def land_log(self, batch: int, log: Log, topic: str) -> None:
        """Let what was added to a log since the last time land in a topic."""
        held = self.spark.table(self.table("landed")).where(f"topic = '{topic}'").count()
        self.land(batch, [replace(one, topic=topic) for one in log.records[held:]])

    def land_rows(self, batch: int, **ids: int) -> None:
        """Let the insert of one row of each table named land."""
        for name, id_ in ids.items():
            row = {"id": id_, "name": f"{name} {id_}"}
            (record,) = Log().add("c", {"id": id_}, 10 * batch, row).records
            topic = f"{self.source}.public.{name}"
            self.land(batch, [replace(record, topic=topic, offset=batch)])


def landed_project(
    folder: Path,
    source: str,
    spark: SparkSession,
    files: Mapping[str, str],
    *,
    schema: str,
    target: str = "iceberg",
    options: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
) -> LandedProject:
    """Create a project of one source, whose topics begin with its name; nothing has landed.

    Args:
        folder: of the project.
        source: its name.
        spark: session of the target.
        files: of the project.
        schema: of its tables.
        target: of dbt.
        options: of the source, one of PostgreSQL unless they say else.
        variables: further vars.
    """
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    block = {"connector": "postgresql", "topic_prefix": source}
    block |= {"input": {"type": "files", "path": str(data)}, **(options or {})}
    spark.sql(f"create schema if not exists `{schema}`")
    empty = spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed")
    empty.using(target).createOrReplace()
    made = create_project(
        folder,
        schema=schema,
        target=target,
        spark=spark,
        files=files,
        variables={"debezium_sources": {source: block}, **(variables or {})},
    )
    return LandedProject(made.path, schema, target, spark, source=source)
