"""A Spark server in a process of its own, for tests that are its clients."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dbt_debezium_spark.spark.jar_cache import resolving
from dbt_debezium_spark.spark.settings import state_dir
from dev.demo.server import HOST, Kind, server_command, server_environment
from dev.servers.ports import free_port
from tests.support.paths import PROFILES, REPOSITORY

START_SECONDS = 240


@contextmanager
def spark_server(kind: Kind, settings: Mapping[str, str]) -> Iterator[int]:
    """Run a server with these settings; gives its port on 127.0.0.1."""
    port = free_port()
    state_dir(settings).mkdir(parents=True, exist_ok=True)
    log = state_dir(settings) / "server.log"
    with resolving(settings["spark.jars.ivy"], print):
        process = _start(server_command(kind, settings, port), port, log)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def _start(command: list[str], port: int, log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=server_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None, f"the server ended:\n{_tail(log)}"
            assert time.monotonic() < deadline, f"nothing listens on {port}:\n{_tail(log)}"
            time.sleep(0.5)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return process


def client_environment(folder: Path, **wanted: str) -> dict[str, str]:
    """Return the environment of a dbt process that writes nothing outside a folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DEBEZIUM_")}
    return (
        kept
        | {
            "DEBEZIUM_SPARK_STATE": str(folder / "client"),
            "DBT_TARGET_PATH": str(folder / "target"),
            "DBT_LOG_PATH": str(folder / "logs"),
            "DBT_PROFILES_DIR": str(PROFILES),
            "PYTHONPATH": os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")]),
        }
        | wanted
    )


def _listens(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex((HOST, port)) == 0


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])
