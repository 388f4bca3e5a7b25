"""A real PostgreSQL, recorded through real Debezium, into tables that equal its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.live.platform import require_everything
from dev.recorder.recording import record
from dev.servers import ServerError
from tests.support.shop import Shop, differences

pytestmark = pytest.mark.slow


def test_a_fresh_recording_becomes_the_tables_it_was_made_from(
    tmp_path: Path, spark: SparkSession
) -> None:
    try:
        require_everything(with_mariadb=False)
    except ServerError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))
    recording = tmp_path / "recording"
    # a seed of the day's would be another test every day; the times and positions differ anyway
    manifest = record(recording, seed=11, size="small")
    parts = sorted((recording / "records").iterdir())

    shop = Shop(tmp_path)
    half = len(parts) // 2
    shop.land(parts[:half])
    shop.init()
    shop.configure()
    shop.command("generate")
    shop.dbt("run")
    shop.land(parts[half:])
    shop.command("generate")
    shop.dbt("build")

    compared = shop.compare(recording)
    print(
        f"{manifest.records} records, {manifest.redelivered} redelivered;"
        f" {sum(one.rows for one in compared)} rows of {len(compared)} tables compared"
    )
    assert {one.table: one.rows for one in compared} == manifest.truth_rows
    assert not differences(compared)
