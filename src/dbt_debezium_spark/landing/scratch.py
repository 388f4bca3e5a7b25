"""What a run in a Spark session keeps there until it ends: cached frames, temporary views."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from pyspark.storagelevel import StorageLevel

from dbt_debezium_spark.landing.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession


class Scratch:
    """A session, and what a run keeps in it."""

    def __init__(self, session: SparkSession) -> None:
        """Keep nothing yet."""
        self.session = session
        self._cached: list[DataFrame] = []
        self._views: list[str] = []
        self.statements = Statements(self._rows, self._rows, Exception, self._kept)

    @property
    def cached(self) -> Sequence[DataFrame]:
        """The frames that Spark caches."""
        return tuple(self._cached)

    def cache(self, frame: DataFrame) -> DataFrame:
        """Return a frame that Spark computes once, and keeps on its disks.

        The rows of a run may be more than fits in memory.
        """
        frame = frame.persist(StorageLevel.DISK_ONLY)
        self._cached.append(frame)
        return frame

    def view(self, frame: DataFrame) -> str:
        """Return the name of a view of a frame, for SQL."""
        name = f"debezium_landing_{uuid.uuid4().hex}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def uncache(self, frames: Sequence[DataFrame]) -> None:
        """Let go of frames, the last first: Spark would keep it by computing it again."""
        for frame in reversed(frames):
            frame.unpersist()
        self._cached = [frame for frame in self._cached if frame not in frames]

    def release(self) -> None:
        """Let go of everything."""
        for name in self._views:
            self.session.catalog.dropTempView(name)
        self._views.clear()
        self.uncache(self.cached)

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.session.sql(sql).collect()]

    def _kept(self, select: str) -> str:
        # No cache: Spark would compute it anew after a table that it reads has changed.
        return self.view(self.session.sql(select).localCheckpoint())
