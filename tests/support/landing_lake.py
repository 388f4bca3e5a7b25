"""A raw table, a folder of files, and the runs that a materialization would make."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pyspark.sql import Row, SparkSession

from dbt_debezium_spark import config, landing
from dbt_debezium_spark.landing.schemas import RAW_COLUMNS
from dbt_debezium_spark.spark.local_frames import ddl

SCHEMA = "landing_tests"
EARLY, LATE = 1_795_000_000_000, 1_795_000_900_000  # record timestamps, ms
BETWEEN = "2026-11-18T11:10:00Z"
_serial = itertools.count(1)
# Workers must run the driver's Python, with its libraries; a Spark that starts later reads this.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def record(offset: int, /, **members: Any) -> dict[str, Any]:
    """A record in Kafka's columns; members given replace its own."""
    return {
        "topic": "p.shop.orders",
        "partition": 0,
        "offset": offset,
        "timestamp": EARLY,
        "timestampType": 0,
        "key": f'{{"id":{offset}}}',
        "value": f'{{"op":"c","after":{{"id":{offset}}}}}',
        "headers": [{"key": "h", "value": "v"}],
        **members,
    }


def line(offset: int, /, **members: Any) -> str:
    """A record as one JSON line."""
    return json.dumps(record(offset, **members)) + "\n"


class Lake:
    """One source: its folder and its tables."""

    def __init__(self, session: SparkSession, project: Path, file_format: str = "iceberg") -> None:
        self.session = session
        self.project = project
        self.folder = project / "data"
        self.folder.mkdir(parents=True)
        self.file_format = file_format
        self.name = f"raw_inventory_{next(_serial)}"
        self.raw = f"{SCHEMA}.{self.name}"
        session.sql(f"create schema if not exists {SCHEMA}")
        self.create_raw()
        self._clock = itertools.count(1_700_000_000)
        self.topic_prefix = "p"
        self.options: dict[str, Any] = {}
        self.input: dict[str, Any] = {"type": "files", "path": "data"}

    def create_raw(self) -> None:
        self.session.sql(
            f"create table {self.raw} ({ddl(RAW_COLUMNS)}) using {self.file_format} "
            "partitioned by (topic)"
        )

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file, with a modification time of its own: clocks of file systems are coarse."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (when := next(self._clock), when))
        return path

    def start(self, incarnations: Sequence[str] = (), path: str | None = None) -> landing.Landing:
        """Land, without what the materialization does afterwards."""
        source = {
            "connector": "postgresql",
            "topic_prefix": self.topic_prefix,
            "input": self.input if path is None else {**self.input, "path": path},
            "incarnations": list(incarnations),
            **self.options,
        }
        dbt = SimpleNamespace(
            this=SimpleNamespace(database=None, schema=SCHEMA, identifier=self.name),
            project_dir=str(self.project),
            debezium_source=config.load_source("inventory", {"inventory": source}).to_dict(),
            debezium_file_format=self.file_format,
        )
        return landing.land(dbt, self.session, source="inventory")

    def append(self, run: landing.Landing) -> None:
        if run.frame is not None:
            run.frame.writeTo(self.raw).append()

    def run(self, incarnations: Sequence[str] = (), path: str | None = None) -> None:
        """One whole run of the model."""
        run = self.start(incarnations, path)
        self.append(run)
        run.commit()

    def rows(self, *columns: str) -> list[Row]:
        """Landed records in order, some columns or all of Kafka's."""
        frame = self.session.table(self.raw).orderBy("topic", "partition", "offset", "timestamp")
        return frame.select(*(columns or list(RAW_COLUMNS)[:8])).collect()

    def offsets(self) -> list[int]:
        return [row.offset for row in self.rows("offset")]

    def rejected(self) -> list[tuple[str, int | None, str]]:
        """Open rejections: file, line, code."""
        return [
            ((row.file or "").removeprefix("data/"), row.line, row.reason.split(":")[0])
            for row in self.rejections()
        ]

    def rejections(self) -> list[Row]:
        """Open rejections in order, with all that is told of them."""
        rejected = self.session.table(f"{self.raw}__rejected")
        return rejected.orderBy("file", "line", "reason").collect()

    def reasons(self) -> list[str]:
        """Why the open rejections were made."""
        return [row.reason for row in self.rejections()]

    def versions(self) -> list[Any]:
        """What changes with any write to any of the three tables."""
        found = []
        for table in (self.raw, f"{self.raw}__rejected", f"{self.raw}__files"):
            if self.file_format == "iceberg":
                rows = self.session.sql(f"select snapshot_id from {table}.snapshots").collect()
            else:
                rows = self.session.sql(f"describe history {table}").select("version").collect()
            found.append(sorted(rows))
        return found
