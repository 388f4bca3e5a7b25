"""The demo on a Spark Connect server, which is another process."""

from __future__ import annotations

import sys

import pytest

from dbt_debezium_spark.notebook import read_settings
from dev.demo.server import Kind
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.programs import DBT, run_program
from tests.support.spark_server import client_environment, spark_server

pytestmark = pytest.mark.slow

# SQL and Python models: rows by MERGE, and documents walked in Python workers
SOURCES = ("inventory", "content")
# Sessions that come and go, as those of Python models do.
SESSIONS = f"""
import gc
from pyspark.sql.connect.client.reattach import ExecutePlanResponseReattachableIterator as Answers
from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.session import isolated_session, release, session_for

settings = read_settings({str(REPOSITORY)!r}, {str(PROFILES)!r}, "iceberg")[0]
session_for(settings).range(3).collect()
shared = Answers._release_thread_pool_instance
for released in (True, False):
    one = isolated_session(settings)
    one.range(3).createOrReplaceTempView("rows_of_one")
    assert len(one.table("rows_of_one").collect()) == 3
    if released:
        release(one)
    one.itself = one
    del one
    gc.collect()
    assert shared is Answers._release_thread_pool_instance, "others wait for its threads"
    assert not session_for(settings).catalog.tableExists("rows_of_one")
print("the shared session answers")
"""


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
        )


def call(environment, *command):
    return run_program(*command, folder=REPOSITORY, environment=environment)


def test_the_demo_passes_and_a_second_run_finds_nothing_new(connect, folder):
    output = call(connect, sys.executable, "-m", "dev.demo", *SOURCES)
    assert "rows compared with the truth, 0 rows differ" in output
    output = call(connect, DBT, "run", "--select", "tag:content")
    assert "content: no new files" in output
    # the client has no Spark of its own
    assert not (folder / "client" / "spark.log").exists()


def test_a_session_that_ends_leaves_the_others_their_threads(connect):
    assert "the shared session answers" in call(connect, sys.executable, "-c", SESSIONS)
