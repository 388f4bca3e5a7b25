"""Real databases, Debezium on Kafka Connect and a Kafka broker, landed while they work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.live.platform import require_everything
from dev.live.run import live
from dev.servers import ServerError
from tests.support.shop import differences


@pytest.mark.covers(
    "support PostgreSQL: repeats, key changes, truncates",
    "support PostgreSQL: unavailable values, incremental snapshots, types",
    "support MariaDB: rows, repeats, key changes, truncates, incremental snapshots, types",
)
@pytest.mark.slow
@pytest.mark.parametrize("flattened", [False, True], ids=["envelopes", "flattened"])
def test_current_tables_equal_the_databases_that_changed_while_they_landed(
    tmp_path: Path, spark: SparkSession, flattened: bool
) -> None:
    skip_without_servers()

    report = live(tmp_path, seed=7, size="small", target="iceberg", say=print, flattened=flattened)

    for source, delivered in report.delivered.items():
        landed = report.landed[source]
        print(
            f"{source}: {delivered.records} records, {delivered.redelivered} redelivered,"
            f" {landed.records} and {landed.heartbeats} heartbeats landed in"
            f" {landed.batches} batches"
        )
        assert delivered.redelivered > 0, "a kill repeats what was not committed"
        assert landed.records == delivered.records
        assert landed.heartbeats > 0
        assert landed.batches > 2, "landed while the workload ran"
    print(f"{report.rows_compared} rows compared, {report.rows_different} different")
    assert {one.table: one.rows for one in report.comparisons} == report.truth_rows
    assert not differences(report.comparisons)
    # what else it finds, or does not find, ends the run
    unseen = [one.table for one in report.verified if one.unseen]
    assert unseen == ([] if flattened else ["public.orders", "web.carts"])


def skip_without_servers() -> None:
    """Skip where servers or jars are missing, except in CI."""
    try:
        require_everything()
    except ServerError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))
