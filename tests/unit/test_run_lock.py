"""The lock that keeps two processes apart on a metastore in Derby, between real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from argparse import Namespace
from types import SimpleNamespace

import pytest
from dbt.adapters.spark.impl import SparkAdapter
from dbt.flags import set_from_args
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter import extended
from dbt_debezium_spark.spark.connection import OwnSession
from dbt_debezium_spark.spark.run_lock import (
    DEFAULT_TIMEOUT_SECONDS,
    Holder,
    LockError,
    Place,
    RunLock,
    command_line,
    lock_of,
    place_of,
    timeout_seconds,
)
from dbt_debezium_spark.spark.settings import resolve_settings
from tests.support.held_lock import another_process, let_go

HOLD = """
import sys
from pathlib import Path
from dbt_debezium_spark.spark.run_lock import Place, RunLock
lock = RunLock(Place(Path(sys.argv[1]), "schema `shop`"))
lock.take("dbt build", 30, print)
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path / "state" / "locks" / "shop.lock", "schema `shop`")


@pytest.fixture
def other(place):
    """Another process that holds the lock."""
    with another_process(HOLD, place.path) as process:
        yield process


def test_a_second_run_gives_up_and_names_the_first(place, other):
    with pytest.raises(LockError) as caught:
        RunLock(place).take("dbt run", 0, lambda text: None)
    text = str(caught.value)
    assert "another run holds schema `shop`" in text
    assert f"`dbt build`, process {other.pid} on " in text
    assert "debezium_lock_timeout_seconds (now 0)" in text


def test_a_second_run_waits_says_for_whom_and_goes_on(place, other):
    said = []

    def say(text):
        said.append(text)
        let_go(other)

    lock = RunLock(place)
    lock.take("dbt run", 60, say)

    assert len(said) == 1 and f"process {other.pid}" in said[0] and "at most 60" in said[0]
    assert lock.holder().command == "dbt run"


def test_a_killed_run_leaves_no_lock(place, other):
    other.kill()
    other.wait()
    lock = RunLock(place)
    lock.take("dbt run", 20, lambda text: None)


def test_a_process_takes_its_own_lock_again(place):
    lock = lock_of(place)
    assert lock_of(place) is lock
    for _ in range(2):
        lock.take("dbt run", 0, lambda text: None)
    assert held_elsewhere(place)
    assert not isinstance(lock.holder(), str)


def held_elsewhere(place):
    """Say whether another process finds the lock held."""
    process = subprocess.run(
        [sys.executable, "-c", HOLD.replace("30", "0"), str(place.path)],
        input="\n\n",
        text=True,
        capture_output=True,
    )
    assert process.returncode == 0 or "LockError" in process.stderr, process.stderr
    return process.returncode != 0


def test_a_folder_that_cannot_be_written_is_named_with_the_remedy(tmp_path):
    (tmp_path / "state").write_text("a file")
    lock = RunLock(Place(tmp_path / "state" / "locks" / "shop.lock", "schema `shop`"))
    with pytest.raises(LockError, match="cannot be locked: .*DEBEZIUM_SPARK_STATE"):
        lock.take("dbt run", 0, print)


def test_a_lock_that_is_a_link_is_refused_and_its_target_stays(place, tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    place.path.parent.mkdir(parents=True)
    place.path.symlink_to(other)

    with pytest.raises(LockError, match="shop.lock is a link"):
        RunLock(place).take("dbt run", 0, print)
    assert other.read_text() == "mine"

    place.path.unlink()
    place.path.parent.rmdir()
    place.path.parent.symlink_to(tmp_path)
    with pytest.raises(LockError, match="locks is a link"):
        RunLock(place).take("dbt run", 0, print)
    assert not (tmp_path / "shop.lock").exists()


def test_the_holders_file_leads_nowhere_else(place, tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    place.path.parent.mkdir(parents=True)
    place.path.with_suffix(".json").symlink_to(other)
    place.path.with_suffix(f".{os.getpid()}").symlink_to(other)
    lock = RunLock(place)

    assert lock.holder() == "a process that has just started"
    lock.take("dbt run", 0, print)
    assert lock.holder().command == "dbt run"
    assert other.read_text() == "mine"


def test_folders_of_a_lock_are_private(place):
    before = os.umask(0o022)
    try:
        lock = RunLock(place)
        lock.take("dbt run", 0, print)
    finally:
        os.umask(before)
    folder = place.path.parent
    assert [one.stat().st_mode & 0o777 for one in (folder.parent, folder)] == [0o700, 0o700]


def test_what_a_holder_says_is_printed_without_control_characters():
    shown = str(Holder(1, "h\x1b[31m", "dbt run", "now"))
    assert shown == "`dbt run`, process 1 on h[31m, since now"


@pytest.mark.parametrize(
    ("value", "seconds"), [(None, DEFAULT_TIMEOUT_SECONDS), (0, 0), ("90", 90), (2.5, 2.5)]
)
def test_the_time_to_wait_is_a_var(value, seconds):
    assert timeout_seconds(value) == seconds


@pytest.mark.parametrize("value", [-1, "soon", True, float("inf"), float("nan"), [1]])
def test_a_time_that_is_none_is_refused(value):
    with pytest.raises(LockError, match="must be a number of seconds, got: "):
        timeout_seconds(value)


ICEBERG = {"debezium_spark.state": "lake", "spark.sql.defaultCatalog": "lake"}
DERBY = ICEBERG | {
    "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:;databaseName=<state>/metastore"
}


def test_only_derby_has_a_lock(tmp_path, monkeypatch):
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    assert place_of(resolve_settings(ICEBERG, tmp_path)) is None
    settings = resolve_settings(DERBY, tmp_path)
    assert place_of(settings).path == tmp_path / "lake" / "locks" / "metastore.lock"
    monkeypatch.setenv("SPARK_REMOTE", "sc://spark.example:15002/")
    assert place_of(settings) is None


def test_arguments_are_not_shown(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/bin/dbt", "run", "--vars", "{password: x}"])
    assert command_line("dbt run") == "dbt run"
    monkeypatch.setattr(sys, "argv", ["/bin/debezium-spark", "generate"])
    assert command_line("dbt run") == "debezium-spark: dbt run"


# -- when dbt takes it ----------------------------------------------------------------------------


class Connections(OwnSession):
    """In place of dbt's connection manager."""

    def __init__(self, *_):
        self.opened = []

    def set_connection_name(self, name):
        self.opened.append(name)

    def cleanup_all(self):
        self.opened.clear()


@pytest.fixture
def adapter(tmp_path, monkeypatch):
    adapter = extended(SparkAdapter)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    monkeypatch.setattr(adapter, "ConnectionManager", Connections)
    values = {"debezium_lock_timeout_seconds": 3600, "shop": {"debezium_lock_timeout_seconds": 0}}
    config = SimpleNamespace(
        credentials=SimpleNamespace(
            method="session", schema="debezium", host="NA", server_side_parameters=dict(DERBY)
        ),
        project_root=str(tmp_path),
        project_name="shop",
        target_name="iceberg",
        project_env_vars={},
        vars=SimpleNamespace(to_dict=lambda: values),
        cli_vars={},
        log_cache_events=False,
    )
    yield adapter(config, None)
    set_from_args(Namespace(), None)


@pytest.fixture
def place_of_adapter(tmp_path):
    return Place(tmp_path / "lake" / "locks" / "metastore.lock", "the metastore")


@pytest.mark.parametrize("which", ["build", "test", "show", "run-operation"])
def test_every_command_on_derby_holds_the_lock_until_its_process_ends(
    adapter, place_of_adapter, which
):
    set_from_args(Namespace(WHICH=which), None)
    adapter.acquire_connection("master")
    adapter.acquire_connection("list_schemas")
    adapter.cleanup_connections()
    assert held_elsewhere(place_of_adapter)


def test_other_catalogs_need_no_lock(adapter, place_of_adapter):
    set_from_args(Namespace(WHICH="build"), None)
    adapter.config.credentials.server_side_parameters = dict(ICEBERG)
    adapter.acquire_connection("master")
    assert adapter.connections.opened == ["master"]
    assert not place_of_adapter.path.parent.exists()


def test_no_connection_is_opened_without_the_lock(adapter, place_of_adapter):
    set_from_args(Namespace(WHICH="build"), None)
    with another_process(HOLD, place_of_adapter.path) as holder:
        started = time.monotonic()
        with pytest.raises(DbtRuntimeError, match=f"process {holder.pid} on"):
            adapter.acquire_connection("master")
        # the project's own value wins over the one for all projects
        assert time.monotonic() - started < 30
        assert adapter.connections.opened == []
        adapter.config.cli_vars["debezium_lock_timeout_seconds"] = "soon"
        with pytest.raises(DbtRuntimeError, match="must be a number of seconds"):
            adapter.acquire_connection("master")
    assert place_of_adapter.path.exists()
