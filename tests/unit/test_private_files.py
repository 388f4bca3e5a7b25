"""Files and folders for one user, and how Spark is told its settings."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from dbt_common.exceptions import DbtRuntimeError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from dbt_debezium_spark.generator.scaffold import scaffold
from dbt_debezium_spark.spark import private_files, session
from dbt_debezium_spark.spark.private_files import (
    make_private,
    make_project_folders_private,
    read_trusted,
    write_private,
)
from dbt_debezium_spark.spark.properties import SUBMIT_ARGS, settings_file
from tests.support.blocks import source_options

SECRET = "hunter2 =:#!\\\u00e9\U0001f600\n"
# In place of Spark: it keeps what it was started with, and the file that it was pointed to.
SUBMIT = """#!/bin/sh
printf '%s\\n' "$@" > "$OUT/arguments"
echo "$LC_ALL" > "$OUT/locale"
while [ $# -gt 0 ]; do
  [ "$1" = --properties-file ] && { stat -c %a "$2" > "$OUT/mode"; cat "$2" > "$OUT/file"; }
  shift
done
exit 1
"""


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_folder_that_is_made_is_private_and_one_that_is_there_stays(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    make_private(shared)
    make_private(shared / "state")

    assert (mode(shared), mode(shared / "state")) == (0o755, 0o700)


def test_folders_of_dbt_are_private_unless_they_are_older(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "dbt.log").touch()
    make_project_folders_private(tmp_path / "target", logs)
    assert (mode(tmp_path / "target"), mode(logs)) == (0o700, 0o700)

    logs.chmod(0o755)
    (logs / "other.log").touch()
    make_project_folders_private(tmp_path / "target", logs)
    assert mode(logs) == 0o755

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(elsewhere)
    make_project_folders_private(tmp_path / "target", tmp_path / "link")
    assert mode(elsewhere) == 0o755


def test_a_new_project_has_private_folders(tmp_path):
    scaffold(tmp_path / "shop", "inventory", source_options("mysql"))

    assert [mode(tmp_path / "shop" / name) for name in ("logs", "target")] == [0o700, 0o700]
    assert {"logs/", "target/"} <= set((tmp_path / "shop" / ".gitignore").read_text().split())


def test_nothing_is_written_through_a_link(tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    path = tmp_path / "shop.json"
    path.symlink_to(other)
    path.with_suffix(f".{os.getpid()}").symlink_to(other)

    write_private(path, "told")

    assert other.read_text() == "mine"
    assert (path.read_text(), path.is_symlink(), mode(path)) == ("told", False, 0o600)


def test_what_is_no_file_of_ours_is_not_read(tmp_path, monkeypatch):
    good = tmp_path / "good"
    good.write_text("told")
    assert read_trusted(good) == "told"

    (tmp_path / "link").symlink_to(good)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "long").write_text("x" * (private_files.MAX_BYTES + 1))
    for name in ("link", "pipe", "folder", "long", "none"):
        with pytest.raises(OSError):
            read_trusted(tmp_path / name)

    told = os.fstat

    def of_another(handle):
        state = told(handle)
        return SimpleNamespace(st_mode=state.st_mode, st_size=state.st_size, st_uid=4711)

    monkeypatch.setattr(os, "fstat", of_another)
    with pytest.raises(OSError, match="belongs to another user"):
        read_trusted(good)


# -- Spark's settings -----------------------------------------------------------------------------


@pytest.fixture
def spark_home(tmp_path, monkeypatch):
    home = tmp_path / "spark"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "spark-submit").write_text(SUBMIT)
    (home / "bin" / "spark-submit").chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setenv("OUT", str(tmp_path))
    monkeypatch.delenv(SUBMIT_ARGS, raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    return home


def test_no_setting_is_an_argument_of_the_java_process(tmp_path, spark_home, monkeypatch):
    # another test of this process may have started one
    for member in ("_gateway", "_jvm", "_active_spark_context"):
        monkeypatch.setattr(SparkContext, member, None)
    monkeypatch.setattr(SparkSession, "_instantiatedSession", None)
    name = "spark.hadoop.fs.s3a.secret.key"
    state = tmp_path / "the state"
    make_private(state)
    settings = {name: SECRET, "spark.master": "local[1]", "debezium_spark.state": str(state)}

    with pytest.raises(DbtRuntimeError, match="Spark did not start") as raised:
        session._launch(settings)

    arguments = (tmp_path / "arguments").read_text()
    assert "hunter2" not in arguments + str(raised.value)
    assert "--load-spark-defaults" in arguments and "pyspark-shell" in arguments
    assert (tmp_path / "mode").read_text() == "600\n"
    assert (tmp_path / "locale").read_text() == "C.UTF-8\n"
    assert (tmp_path / "file").read_text().splitlines() == [
        name + r"=hunter2\ \=\:\#\!\\\u00e9\ud83d\ude00\n",
        "spark.master=local[1]",
    ]
    assert [path.name for path in state.iterdir()] == ["spark.log"]
    assert SUBMIT_ARGS not in os.environ


def test_arguments_of_the_environment_stay_and_a_second_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv(SUBMIT_ARGS, "--verbose pyspark-shell")
    with settings_file({}, tmp_path):
        assert os.environ[SUBMIT_ARGS].endswith("--load-spark-defaults --verbose pyspark-shell")
    assert os.environ[SUBMIT_ARGS] == "--verbose pyspark-shell"

    monkeypatch.setenv(SUBMIT_ARGS, "--properties-file mine pyspark-shell")
    with pytest.raises(DbtRuntimeError, match="names a --properties-file"):
        settings_file({}, tmp_path).__enter__()
