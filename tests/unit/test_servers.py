"""What the servers' helpers do without a server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dev.servers import ServerError, mariadb
from dev.servers.jars import Artifact, _description, _fingerprint, find_ivy, jars
from dev.servers.packages import require_packages
from dev.servers.ports import free_ports
from dev.servers.process import Process, run_to_end


def python(name: str, code: str, folder: Path) -> Process:
    return Process(name, [sys.executable, "-c", code], folder / "process.log")


def test_a_process_that_ends_says_what_its_log_says(tmp_path: Path) -> None:
    process = python("the server", "print('no disk left'); raise SystemExit(3)", tmp_path)
    with pytest.raises(ServerError, match=r"(?s)the server ended \(exit code 3\).*no disk left"):
        process.wait_until(lambda: False, "it listened", seconds=20)


def test_a_process_that_does_nothing_is_not_waited_for_without_end(tmp_path: Path) -> None:
    process = python("the server", "import time; time.sleep(60)", tmp_path)
    try:
        with pytest.raises(ServerError, match="it listened did not happen in 0 s"):
            process.wait_until(lambda: False, "it listened", seconds=0.1)
    finally:
        process.kill()
    assert not process.alive


def test_a_process_that_does_not_hear_is_ended_by_force(tmp_path: Path) -> None:
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "open('deaf', 'w').close(); time.sleep(60)"
    )
    process = python("the server", code, tmp_path)
    process.wait_until((tmp_path / "deaf").exists, "it was deaf", seconds=20)
    started = time.monotonic()
    process.stop((signal.SIGTERM, signal.SIGKILL), seconds=0.5)
    assert not process.alive
    assert time.monotonic() - started < 20


def test_free_ports_differ() -> None:
    assert len(set(free_ports(20))) == 20


def test_a_missing_mariadb_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(mariadb, "SYSTEM_FOLDERS", ())
    with pytest.raises(ServerError, match="apt-get install mariadb-server-core"):
        mariadb.find_binaries()


def test_pyspark_brings_ivy() -> None:
    assert find_ivy().name.startswith("ivy-")


def test_what_was_resolved_needs_neither_java_nor_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEBEZIUM_SPARK_IVY", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    wanted = [Artifact("org.example", "thing", "1.0")]
    with pytest.raises(ServerError, match="Install Java 17"):
        jars("things", wanted)
    resolved = tmp_path / "servers"
    folder = resolved / f"things-{_fingerprint(wanted)}"
    folder.mkdir()
    assert jars("things", wanted) == folder
    with pytest.raises(ServerError):
        jars("things", [Artifact("org.example", "thing", "1.1")])


def test_a_jar_with_a_classifier_comes_with_the_jar_of_its_module() -> None:
    described = _description([Artifact("org.example", "thing", "1.0", "jar", "tests")])
    assert 'type="jar"/><artifact name="thing" ext="jar" type="archive" m:classifier="tests"/>' in (
        described
    )
    assert "<artifact" not in _description([Artifact("org.example", "thing", "1.0")])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_root_runs_databases_as_another_user() -> None:
    from dev.servers.accounts import unprivileged_user

    assert unprivileged_user(("surely-nobody-has-this-name",)) == "nobody"


def test_a_program_that_is_interrupted_goes_with_its_children(tmp_path: Path) -> None:
    script = "sh -c 'while :; do date > beat; sleep 0.05; done' & wait"
    with pytest.raises(subprocess.TimeoutExpired):
        run_to_end(["sh", "-c", script], tmp_path, seconds=1)
    last = (tmp_path / "beat").stat().st_mtime_ns
    time.sleep(0.5)
    assert (tmp_path / "beat").stat().st_mtime_ns == last


def test_a_missing_package_is_named_with_the_extra_that_brings_it() -> None:
    require_packages(("json",), "live")
    with pytest.raises(ServerError, match=r"no_such_module is missing.*\.\[live\]"):
        require_packages(("json", "no_such_module"), "live")
