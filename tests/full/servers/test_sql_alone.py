"""Every relational source of the demo on a thrift server, which runs SQL and no Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.session import session_for
from dev.demo.__main__ import Source, compare_source
from dev.demo.server import Kind
from tests.support.demo_tables import RELATIONAL, DemoTable
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.programs import DBT, run_program
from tests.support.project import newest_files
from tests.support.shop import differences
from tests.support.spark_server import client_environment, spark_server

pytestmark = pytest.mark.slow

THRIFT_PROFILE = """
debezium_spark:
  target: iceberg
  outputs:
    iceberg:
      type: spark
      method: thrift
      host: 127.0.0.1
      port: {port}
      user: dbt
      schema: debezium
      threads: 2
      server_side_parameters:
        debezium_spark.format: iceberg
"""
# What is read besides current tables, for the source whose current tables have contracts.
FURTHER = {"mysql": {"feed": True, "history": True}}
GENERATE = "from dbt_debezium_spark.cli import main; main()"


class Client:
    """Commands of one project, in processes that have no Spark of their own."""

    def __init__(self, folder: Path, profiles: Path) -> None:
        self.folder = folder
        kept = client_environment(folder, DBT_PROFILES_DIR=str(profiles))
        self.environment = {name: text for name, text in kept.items() if name != "SPARK_REMOTE"}

    def call(self, *command: str | Path, code: int = 0, project: Path | None = None) -> str:
        return run_program(
            *command, folder=project or self.folder, environment=self.environment, code=code
        )

    def generate(self) -> str:
        return self.call(sys.executable, "-c", GENERATE, "generate")

    def build(self) -> str:
        return self.call(DBT, "build")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sql_alone")


@pytest.fixture(scope="module")
def settings(folder: Path, spark: SparkSession) -> Iterator[dict[str, str]]:
    """Settings of the server; the session of the tests reads its tables, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEBEZIUM_SPARK_STATE", str(folder / "server"))
        patch.setenv("DEBEZIUM_SPARK_MASTER", "local[2]")
        patch.setenv("DEBEZIUM_SPARK_DRIVER_MEMORY", "1g")
        (folder / "server").mkdir()
        yield read_settings(REPOSITORY, PROFILES, "iceberg")[0]


@pytest.fixture(scope="module")
def session(settings: dict[str, str]) -> SparkSession:
    session = session_for(settings)
    # PyHive begins with `use default`
    for schema in ("default", "debezium"):
        session.sql(f"create schema if not exists `{schema}`")
    session.sql("use debezium")
    return session


@pytest.fixture(scope="module")
def profiles(folder: Path, settings: dict[str, str], session: SparkSession) -> Iterator[Path]:
    """The folder with the profile of a running server."""
    with spark_server(Kind.THRIFT, settings) as port:
        (folder / "profiles.yml").write_text(THRIFT_PROFILE.format(port=port))
        yield folder


def versions(session: SparkSession, source: str) -> dict[str, str]:
    """Return what any commit to a table of a source changes."""
    files = newest_files(session, "debezium")
    return {name: file for name, file in files.items() if f"_{source}" in name}


@pytest.mark.parametrize("source", RELATIONAL, ids=lambda source: source.folder)
def test_a_source_is_equal_to_its_truth_and_lands_once(
    session: SparkSession, profiles: Path, tmp_path: Path, source: Source
) -> None:
    table = DemoTable(session, source, "lake.bronze")
    further = FURTHER.get(source.folder, {})
    client = Client(table.project(tmp_path, "debezium", **further).path, profiles)
    parts = table.parts()
    middle = (len(parts) + 1) // 2
    # some records come twice
    for batch in (parts[:middle], [*parts[middle:], parts[0]]):
        table.add(batch)
        client.generate()
        output = client.build()
        assert "ERROR=0" in output
    assert not list((client.folder / "python_models").rglob("*.py"))

    compared = [one for one, _ in compare_source(session, source)]
    truth = {file.stem for file in (table.parts()[0].parents[1] / "truth").glob("*.jsonl")}
    assert {one.table for one in compared} == truth
    assert not differences(compared)
    if further:
        for layer in ("cur", "all", "hist"):
            shown = f"{layer}_{source.name}__goods"
            assert session.table(shown).count() > 5, shown
    records = session.table(table.name).dropDuplicates(
        ["kafka_topic", "kafka_partition", "kafka_offset"]
    )
    assert session.table(f"raw_{source.name}").count() == records.count()

    before = versions(session, source.name)
    assert f"raw_{source.name}" in before
    assert "no new rows in" in client.build()
    assert versions(session, source.name) == before


def test_python_models_are_refused(profiles: Path, tmp_path: Path) -> None:
    names = ("raw_inventory", "state_content__articles")
    told = Client(tmp_path, profiles).call(
        *(DBT, "run", "--select", *names), code=1, project=REPOSITORY
    )
    for name in names:
        assert f"{name} is a Python model, and a thrift server runs none" in told
