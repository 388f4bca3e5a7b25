"""The demo's sources as tables that somebody else fills, and a project that lands them by SQL."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pyspark.sql import SparkSession

from dev.demo.__main__ import SOURCES, Source
from tests.support.paths import DEMO, REPOSITORY
from tests.support.project import DbtProject, create_project

RELATIONAL = tuple(source for source in SOURCES if source.folder != "mongodb")
_DDL = (
    "kafka_topic string, kafka_partition int, kafka_offset bigint, at bigint, at_type int,"
    " kafka_key binary, kafka_value binary, headers array<struct<key: string, value: string>>"
)
_COLUMNS = {
    "topic": "kafka_topic",
    "partition": "kafka_partition",
    "offset": "kafka_offset",
    "timestamp": "at",
    "timestampType": "at_type",
    "key": "kafka_key",
    "value": "kafka_value",
}


class DemoTable:
    """The records of one source in a table, of which more and more arrive."""

    def __init__(self, session: SparkSession, source: Source, schema: str) -> None:
        """Create the table, empty.

        Args:
            session: Spark, on the catalog of the table.
            source: the source.
            schema: where the table stands, with its catalog.
        """
        self.session = session
        self.source = source
        self.name = f"{schema}.{source.name}"
        session.sql(f"create schema if not exists {schema}")
        session.sql(f"create table {self.name} ({_DDL}) using iceberg")

    def parts(self) -> list[Path]:
        """Return the files of the source's records, in order."""
        return sorted((DEMO / self.source.folder / "records").glob("*.jsonl"))

    def add(self, parts: Sequence[Path]) -> None:
        """Add the records of some files."""
        lines = [
            json.loads(line) for part in parts for line in part.read_text("utf-8").splitlines()
        ]
        rows = [
            (
                line["topic"], line["partition"], line["offset"], line["timestamp"],
                line.get("timestampType", 0), _bytes(line["key"]), _bytes(line["value"]),
                [(one["key"], one["value"]) for one in line.get("headers") or []],
            )
            for line in lines
        ]  # fmt: skip
        self.session.createDataFrame(rows, _DDL).writeTo(self.name).append()

    def project(self, folder: Path, schema: str, **further: Any) -> DbtProject:
        """Return a project with this source alone, configured as in the demo.

        Args:
            folder: of the project.
            schema: of its tables.
            further: options of the source besides those of the demo.
        """
        demo = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text("utf-8"))
        options: dict[str, Any] = demo["vars"]["debezium_sources"][self.source.name]
        options["input"] = {
            "type": "table", "relation": self.name, "columns": _COLUMNS, "landing": "sql",
        }  # fmt: skip
        options |= further
        return create_project(
            folder,
            schema=schema,
            target="iceberg",
            spark=self.session,
            files={},
            variables={"debezium_sources": {self.source.name: options}},
        )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
