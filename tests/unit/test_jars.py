"""The jars that Spark loads: fetched by one process at a time, those of the committed list."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from dbt_common.exceptions import DbtRuntimeError
from filelock import FileLock

from dbt_debezium_spark import jar_cache, jar_sums, session
from dbt_debezium_spark.jar_cache import LOCK_FILE_NAME, cache_folder, resolved_jar, resolving
from dbt_debezium_spark.jar_sums import check, fetch_and_check, known_sums
from dbt_debezium_spark.spark_versions import LINES, SQLITE
from tests.support.held_lock import another_process, let_go

ONE = "org.example:one_2.13:1.0"
NAME = "org.example_one_2.13-1.0.jar"


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """A list of one jar, and Spark's folder."""
    digest = hashlib.sha256(b"good").hexdigest()
    sums = tmp_path / "jars.sha256"
    sums.write_text(f"# A comment: of two.\n\n# {ONE}\n{digest}  {NAME}\n")
    monkeypatch.setattr(jar_sums, "SUMS", sums)
    known_sums.cache_clear()
    folder = tmp_path / "ivy"
    (folder / "jars").mkdir(parents=True)
    yield folder
    known_sums.cache_clear()


def test_every_package_of_the_product_is_in_the_list():
    named = {
        package
        for packages in LINES.values()
        for package in asdict(packages).values()
        if package is not None
    }

    assert named | {SQLITE} == set(known_sums())
    for package, jars in known_sums().items():
        group, module, version = package.split(":")
        assert resolved_jar(cache_folder({}), group, module, version).name in jars
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in jars.values())


@pytest.mark.parametrize("place", [f"jars/{NAME}", "cache/org.example/one/jars/one_2.13-1.0.jar"])
def test_a_jar_that_is_another_is_not_loaded(listed, place):
    jar = listed / place
    jar.parent.mkdir(parents=True, exist_ok=True)
    jar.write_bytes(b"good")
    check(listed, [ONE])

    jar.write_bytes(b"evil")
    with pytest.raises(DbtRuntimeError, match=rf"{jar.name} is not the jar that {ONE} was tested"):
        check(listed, [ONE])


def test_what_is_missing_is_fetched_before_spark_starts_and_compared(listed, monkeypatch):
    settings = {"spark.jars.ivy": str(listed), "spark.jars.packages": f"{ONE}, org.other:two:2.0"}
    asked = []

    def fetch(given):
        asked.append(given)
        (listed / "jars" / NAME).write_bytes(b"evil")

    monkeypatch.setattr(jar_sums, "_fetch", fetch)
    with pytest.raises(DbtRuntimeError, match="Nothing of it was loaded"):
        fetch_and_check(settings)
    (listed / "jars" / NAME).write_bytes(b"good")
    fetch_and_check(settings)

    assert asked == [settings]


def test_packages_of_the_user_are_left_to_ivy(listed, monkeypatch):
    monkeypatch.setattr(jar_sums, "_fetch", lambda given: pytest.fail("fetched"))
    fetch_and_check({"spark.jars.ivy": str(listed), "spark.jars.packages": "org.other:two:2.0"})
    fetch_and_check({"spark.jars.ivy": str(listed)})


# -- the folder of jars ---------------------------------------------------------------------------


HOLDER = """
import sys
from dbt_debezium_spark.jar_cache import resolving

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
