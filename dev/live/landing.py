"""dbt lands what the broker holds, run after run, while the play goes on; then it compares."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from dbt_debezium_spark.config.sources import HEARTBEAT_PREFIX
from dbt_debezium_spark.verify import verify
from dbt_debezium_spark.verify.reading import PASSWORD, USER
from dev.demo.truth import Comparison
from dev.live import connectors, web_tables
from dev.live.pace import Pace
from dev.live.project import Project
from dev.recorder import tables

SOURCES = {
    connectors.SHOP: ("postgresql", tables.SOURCE_OPTIONS),
    connectors.WEB: ("mariadb", web_tables.SOURCE_OPTIONS),
}
"""Connector and options by source; a source has the name of its topic prefix."""

APPEND_ONLY = frozenset(("public.readings", "web.hits"))
"""Tables without a key: flattened records do not show which of their rows went."""

BUILD = ("build",)


@dataclass(frozen=True)
class Landed:
    """What the raw table of a source holds.

    Attributes:
        records: without heartbeats, of which more come while a run ends.
        heartbeats: of the connector.
        batches: of all these.
    """

    records: int
    heartbeats: int
    batches: int


class Landing:
    """A project with both sources, and its runs."""

    def __init__(
        self,
        folder: Path,
        target: str,
        brokers: str,
        say: Callable[[str], None] = lambda text: None,
        *,
        flattened: bool = False,
    ) -> None:
        """Make the project.

        Args:
            folder: new or empty; gets the project.
            target: table format, `iceberg` or `delta`.
            brokers: addresses of Kafka.
            say: is told what happens.
            flattened: the connectors flatten their records.
        """
        self._say = say
        self._flattened = flattened
        self._project = Project(folder / "project", {"DEBEZIUM_SPARK_TARGET": target})
        for source, (connector, options) in SOURCES.items():
            told = options | ({"flattened": True} if flattened else {})
            self._project.add_source(source, connector, f"kafka://{brokers}", told)

    def run(self, pace: Pace, acts: int) -> int:
        """Land after every act, and build after every act but the first.

        Returns:
            The number of runs.
        """
        try:
            for number in range(1, acts + 1):
                pace.run_begins(number)
                started = time.monotonic()
                self._say(f"run {number} of {acts} begins")
                if number in (1, acts):
                    # The first models; in the end those of the tables as they were altered.
                    self._project.debezium_spark("generate")
                # `generate` has landed what there is: the next run folds it with what follows.
                if number > 1:
                    self._project.run_dbt("--quiet", *(BUILD if number == acts else ("run",)))
                self._say(f"run {number} of {acts} took {time.monotonic() - started:.0f} s")
        except BaseException as error:
            pace.fail(error)
            raise
        return acts

    def landed(self) -> dict[str, Landed]:
        """Return what the raw tables hold; each record once, or there is an error.

        Raises:
            AssertionError: a record landed twice.
        """
        found = {}
        spark = self._project.spark()
        for source in SOURCES:
            row = spark.sql(
                "select count(*) as records, count(distinct _cdc_batch_id) as batches,"
                " count(distinct topic, partition, offset) as places,"
                f" count_if(topic like '{HEARTBEAT_PREFIX}%') as heartbeats from raw_{source}"
            ).first()
            assert row is not None
            if row["records"] != row["places"]:
                raise AssertionError(
                    f"live: {row['records'] - row['places']} records of `{source}` landed twice."
                )
            records = row["records"] - row["heartbeats"]
            found[source] = Landed(records, row["heartbeats"], row["batches"])
        return found

    def verify(self, table: str, url: str, user: str, password: str) -> dict[str, Any]:
        """Compare a table with its database, which may change meanwhile."""
        with self._project.inside(), mock.patch.dict(os.environ, {USER: user, PASSWORD: password}):
            return verify(table, url, build=True)

    def load_drivers(self, drivers: Iterable[Path]) -> None:
        """Let the project's Spark load drivers of databases; users name their packages."""
        for driver in drivers:
            self._project.spark().sql(f"add jar '{driver}'")

    def compare(self, truth: Path) -> list[Comparison]:
        """Hold all current tables against the truth, which `Play.save_truth` wrote."""
        return [
            comparison
            for source in SOURCES
            for comparison in self._project.compare_with(source, truth / source)
            if not (self._flattened and comparison.table in APPEND_ONLY)
        ]
