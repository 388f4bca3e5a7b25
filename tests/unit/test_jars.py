"""The jars that Spark loads: fetched by one process at a time, or given by the profile."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from dbt_debezium_spark.spark import jar_cache, session
from dbt_debezium_spark.spark import versions as spark_versions
from dbt_debezium_spark.spark.defaults import with_defaults
from dbt_debezium_spark.spark.jar_cache import LOCK_FILE_NAME, resolving
from dbt_debezium_spark.spark.kafka_jars import with_kafka
from dbt_debezium_spark.spark.versions import LINES, SQLITE
from tests.support.held_lock import another_process, let_go

# as Ivy names it
ICEBERG = "org.apache.iceberg_iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
HOLDER = """
import sys
from dbt_debezium_spark.spark.jar_cache import resolving

with resolving(sys.argv[1], print):
    print("held", flush=True)
    sys.stdin.readline()
    open(sys.argv[2], "w").close()
"""


def is_held(cache: Path) -> bool:
    try:
        with FileLock(cache / LOCK_FILE_NAME, blocking=False):
            return False
    except TimeoutError:
        return True


def test_the_second_process_waits_and_says_so(tmp_path: Path) -> None:
    cache, finished = tmp_path / "new" / "ivy", tmp_path / "finished"
    with another_process(HOLDER, cache, finished) as process:
        told: list[str] = []

        def say(text: str) -> None:
            told.append(text)
            assert not finished.exists()
            let_go(process)

        with resolving(cache, say):
            assert finished.exists()
    assert len(told) == 1
    assert "waiting for another process" in told[0] and str(cache) in told[0]


def test_a_process_that_hangs_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jar_cache, "WAIT_SECONDS", 0.2)
    said: list[str] = []
    with another_process(HOLDER, tmp_path, tmp_path / "finished"), resolving(tmp_path, said.append):
        assert not (tmp_path / "finished").exists()
    assert len(said) == 2 and "continuing without the lock" in said[1]


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    with another_process(HOLDER, tmp_path, tmp_path / "finished") as process:
        assert is_held(tmp_path)
        process.kill()
        process.wait()
    said: list[str] = []
    with resolving(tmp_path, said.append):
        assert is_held(tmp_path)
    assert said == [] and not is_held(tmp_path)


def test_a_folder_without_locks_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE_NAME).mkdir()
    said: list[str] = []
    with resolving(tmp_path, said.append):
        pass
    assert len(said) == 1 and "start one process at a time" in said[0]


@pytest.mark.parametrize("packages", ["org.example:one:1", None])
def test_spark_starts_alone_where_it_fetches_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packages: str | None
) -> None:
    settings = {"spark.jars.ivy": str(tmp_path), "debezium_spark.state": str(tmp_path)}
    if packages:
        settings["spark.jars.packages"] = packages
    held: list[bool] = []
    monkeypatch.setattr(session, "_launch", lambda _settings: held.append(is_held(tmp_path)))

    session._start(settings)

    assert held == [packages is not None]
    assert not is_held(tmp_path)


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        ([ICEBERG, "sqlite-jdbc-3.53.4.0.jar"], None),
        ([ICEBERG], SQLITE),
        (["postgresql-42.7.7.jar"], f"{LINES['4.1'].iceberg},{SQLITE}"),
    ],
)
@pytest.mark.parametrize("pattern", ["*.jar", None])
def test_what_is_among_the_jars_of_the_profile_is_not_downloaded(
    names: list[str],
    missing: str | None,
    pattern: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spark_versions, "installed_version", lambda: "4.1.4")
    for name in names:
        (tmp_path / name).touch()
    paths = [pattern] if pattern else names
    jars = ", ".join(str(tmp_path / path) for path in paths)

    settings = with_defaults({"debezium_spark.format": "iceberg", "spark.jars": jars})

    assert settings.get("spark.jars.packages") == missing
    assert settings["spark.jars"] == jars


def test_kafka_among_the_jars_is_not_downloaded() -> None:
    given = {"spark.jars": "/opt/spark-sql-kafka-0-10_2.13-4.1.3.jar", "debezium_spark.kafka": "1"}

    assert with_kafka(given) == given
