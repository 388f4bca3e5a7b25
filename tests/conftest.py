"""One Spark per test process, with the settings of profiles/profiles.yml; dbt projects on it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from dbt_common.tests import enable_test_caching
from hypothesis import settings as of_hypothesis
from pyspark.sql import SparkSession
from xdist.scheduler import LoadScopeScheduling

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.kafka_jars import KAFKA_KEY
from dbt_debezium_spark.spark.session import session_for
from tests.cases.built import Built, build
from tests.cases.table import TABLES
from tests.support.durations import DbtCommands, Durations
from tests.support.formats import DEFAULT_FIRST
from tests.support.jvm_options import set_java_options
from tests.support.lab import lab_session
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.project import DbtProject, create_project

# A start reads these once for the whole process; the other target's are set per session.
_JOINED = ("spark.jars.packages", "spark.sql.extensions", "spark.jars.excludes")
_serial = itertools.count(1)


# Their fixture `built` takes long and is of a test process.
_STORIES = ("tests/traps/", "tests/cases/test_sql.py")
# Its tests share nothing but Spark.
_HISTORIES = "tests/property/test_histories.py"
_FULL = "tests/full/"


class _FilesTogether(LoadScopeScheduling):
    """A file stays in one process, which reuses its tables and sessions; so do all stories."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_HISTORIES):
            return nodeid
        return "stories" if nodeid.startswith(_STORIES) else nodeid.split("::", 1)[0]


def pytest_configure(config: pytest.Config) -> None:
    """Set what every Spark of the tests is started with, and count what tests take."""
    set_java_options()
    # dbt parses the text of a macro once per process, not with every project
    enable_test_caching()
    # how long an example takes says how busy the machine is
    of_hypothesis.register_profile("any machine", deadline=None)
    of_hypothesis.load_profile("any machine")
    config.pluginmanager.register(DbtCommands())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations())


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Say which tests share a process."""
    return _FilesTogether(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of `make test-all`, and start slow tests first.

    At the end, one process would wait for the other.
    """
    for item in items:
        if item.nodeid.startswith(_FULL):
            item.add_marker(pytest.mark.full)
    items.sort(
        key=lambda item: not (item.get_closest_marker("slow") or item.nodeid.startswith(_STORIES))
    )


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of catalog, tables and Spark's log of this test process."""
    folder = tmp_path_factory.mktemp("state")
    wanted = {
        "DEBEZIUM_SPARK_STATE": str(folder),
        "DEBEZIUM_SPARK_MASTER": os.environ.get("DEBEZIUM_SPARK_MASTER", "local[2]"),
        "DEBEZIUM_SPARK_DRIVER_MEMORY": os.environ.get("DEBEZIUM_SPARK_DRIVER_MEMORY", "2g"),
        "DEBEZIUM_SPARK_SHUFFLE_PARTITIONS": "2",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in wanted.items():
            patch.setenv(name, value)
        patch.delenv("DEBEZIUM_SPARK_TARGET", raising=False)
        yield folder


@pytest.fixture(scope="session")
def spark_by_target(state: Path) -> dict[str, SparkSession]:
    """Sessions of the targets `iceberg` and `delta`, in one Spark that has both formats."""
    settings = {
        target: read_settings(REPOSITORY, PROFILES, target)[0] for target in ("iceberg", "delta")
    }
    start = {**settings["delta"], **settings["iceberg"]}
    for name in _JOINED:
        values = [options[name] for options in settings.values() if name in options]
        start[name] = ",".join(values)
    # Delta needs a metastore that remembers tables; Iceberg's catalog does not mind.
    for name in ("spark.sql.catalogImplementation", "spark.sql.warehouse.dir"):
        start[name] = settings["delta"][name]
    start[KAFKA_KEY] = "true"
    # The same models run again and again: their generated classes are found, not compiled anew.
    start["spark.sql.codegen.cache.maxEntries"] = "2000"
    session_for(start)
    return {target: session_for(options) for target, options in settings.items()}


@pytest.fixture(scope="session")
def spark(spark_by_target: dict[str, SparkSession]) -> SparkSession:
    """A session with the default settings: Iceberg, an empty schema `spark_tests` in use."""
    session = spark_by_target["iceberg"]
    session.sql("create schema if not exists spark_tests")
    session.sql("use spark_tests")
    return session


@pytest.fixture(scope="session")
def lab_spark(spark_by_target: dict[str, SparkSession]) -> SparkSession:
    """A session for `Lab`: macros on temporary views, without dbt and without a table format."""
    return lab_session(spark_by_target["iceberg"])


@pytest.fixture(scope="session")
def built(request: pytest.FixtureRequest, lab_spark: SparkSession) -> Built:
    """The tables of all traps and of the cases that are to run, built once."""
    asked = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = {id(one.params.get("story")) for one in asked if one is not None}
    for table in TABLES:
        table.stories = [one for one in table.stories if not one.of_case or id(one) in chosen]
    return build(lab_spark, [table for table in TABLES if table.stories])


@pytest.fixture(params=DEFAULT_FIRST)
def target(request: pytest.FixtureRequest) -> str:
    """Every table format in turn; Delta in `make test-all`."""
    return str(request.param)


@pytest.fixture
def dbt_project_factory(
    tmp_path: Path, spark_by_target: dict[str, SparkSession]
) -> Callable[..., DbtProject]:
    """Create dbt projects that use this package: `dbt_project_factory(files, vars=, target=)`."""

    def create(
        files: Mapping[str, str] | None = None,
        *,
        vars: Mapping[str, Any] | None = None,
        target: str = "iceberg",
    ) -> DbtProject:
        number = next(_serial)
        folder = tmp_path / f"project_{number}"
        folder.mkdir()
        return create_project(
            folder,
            schema=f"test_{number}",
            target=target,
            spark=spark_by_target[target],
            files=files or {},
            variables=vars or {},
        )

    return create
