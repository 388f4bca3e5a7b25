"""The demo on a Spark server: another process, which this one reaches by Spark Connect."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dbt_debezium_spark.notebook import read_settings
from demo.server import Kind
from project_harness import PROFILES, REPOSITORY
from spark_server import client_environment, spark_server

# SQL and Python models: rows by MERGE, and documents walked in Python workers
SOURCES = ("inventory", "content")
DBT = str(Path(sys.executable).with_name("dbt"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables below `server`; what the clients write elsewhere."""
    return tmp_path_factory.mktemp("remote")


@pytest.fixture(scope="module")
def settings(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEBEZIUM_SPARK_STATE", str(folder / "server"))
        patch.setenv("DEBEZIUM_SPARK_MASTER", "local[2]")
        patch.setenv("DEBEZIUM_SPARK_DRIVER_MEMORY", "1g")
        return read_settings(REPOSITORY, PROFILES, "iceberg")[0]


@pytest.fixture(scope="module")
def connect(folder, settings):
    """Environment of clients of a Spark Connect server."""
    with spark_server(Kind.CONNECT, settings) as port:
        yield client_environment(
            folder,
            SPARK_REMOTE=f"sc://127.0.0.1:{port}",
            # they say nothing of the server, and take longer than all the rest
            DBT_EXCLUDE_RESOURCE_TYPES="unit_test",
        )


def call(environment, *command):
    result = subprocess.run(
        command, cwd=REPOSITORY, env=environment, text=True, capture_output=True, timeout=600
    )
    assert result.returncode == 0, f"{result.stdout[-6000:]}\n{result.stderr[-3000:]}"
    return result.stdout


def test_the_demo_passes_and_a_second_run_finds_nothing_new(connect, folder):
    output = call(connect, sys.executable, "-m", "demo", *SOURCES)
    assert "rows compared with the truth, 0 rows differ" in output
    output = call(connect, DBT, "run", "--select", "tag:content")
    assert "content: no new files" in output
    # the client has no Spark of its own
    assert not (folder / "client" / "spark.log").exists()
