"""Spark starts while dbt reads a project, for the commands that need it."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark import session

DERBY = {"spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:;databaseName=x"}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Return the settings of each start, which fails."""
    starts: list[Mapping[str, str]] = []

    def start(settings: Mapping[str, str]) -> None:
        assert threading.current_thread() is not threading.main_thread()
        starts.append(settings)
        raise DbtRuntimeError("Spark did not start")

    monkeypatch.setattr(session, "_open", start)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    return starts


def start_ahead(settings: Mapping[str, str], command: str) -> None:
    session.start_ahead(settings, command)
    for thread in set(threading.enumerate()) - {threading.main_thread()}:
        thread.join(1)


def test_a_command_that_runs_sql_starts_spark_and_is_told_once_what_prevents_it(
    started: list[Mapping[str, str]],
) -> None:
    for command in ("run", "build", "test", "retry"):
        start_ahead({"name": command}, command)
    assert [one["name"] for one in started] == ["run", "build", "test", "retry"]

    with pytest.raises(DbtRuntimeError, match="did not start"):
        session.session_for({"name": "run"})
    with pytest.raises(AssertionError):  # it tries again, on this thread
        session.session_for({"name": "run"})


def test_a_command_that_only_reads_the_project_starts_none_unless_the_next_one_needs_it(
    started: list[Mapping[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    start_ahead({}, "parse")
    assert started == []
    with session.needing_spark():
        start_ahead({}, "parse")
        start_ahead(DERBY, "parse")
        monkeypatch.setenv("SPARK_REMOTE", "sc://there")
        start_ahead({}, "parse")
    assert started == [{}]
