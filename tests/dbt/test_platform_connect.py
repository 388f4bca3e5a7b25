"""The demo on a Spark Connect server: another process, which this one reaches by SPARK_REMOTE."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dbt_debezium_spark.notebook import read_settings
from demo.server import Kind
from project_harness import PROFILES, REPOSITORY
from spark_server import client_environment, spark_server

# SQL and Python models: rows by MERGE, and documents walked in Python workers
SOURCES = ("inventory", "content")


@pytest.fixture(scope="module")
def remote(tmp_path_factory):
    folder = tmp_path_factory.mktemp("connect")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEBEZIUM_SPARK_STATE", str(folder / "server"))
        patch.setenv("DEBEZIUM_SPARK_MASTER", "local[2]")
        patch.setenv("DEBEZIUM_SPARK_DRIVER_MEMORY", "1g")
        settings, _ = read_settings(REPOSITORY, PROFILES, "iceberg")
    with spark_server(Kind.CONNECT, settings) as port:
        yield folder, client_environment(folder, SPARK_REMOTE=f"sc://127.0.0.1:{port}")


def test_the_demo_passes_and_a_second_run_finds_nothing_new(remote):
    folder, environment = remote
    for expected in ("PASS=", "no new files"):
        result = subprocess.run(
            [sys.executable, "-m", "demo", *SOURCES],
            cwd=REPOSITORY,
            env=environment,
            text=True,
            capture_output=True,
            timeout=600,
        )
        assert result.returncode == 0, f"{result.stdout[-6000:]}\n{result.stderr[-3000:]}"
        assert expected in result.stdout
        assert "rows compared with the truth, 0 rows differ" in result.stdout
    # the client has no Spark of its own
    assert not (folder / "client" / "spark.log").exists()
