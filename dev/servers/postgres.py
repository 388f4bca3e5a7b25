"""A PostgreSQL server of our own: temporary data, one port on the loopback, gone at the end."""

from __future__ import annotations

import re
import secrets
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.servers import ServerError
from dev.servers.accounts import hand_over, identity, unprivileged_user
from dev.servers.managed import Managed
from dev.servers.ports import free_port

DATABASE = "shop"
USER = "recorder"
LOCK_TIMEOUT_SECONDS = 20
STATEMENT_TIMEOUT_SECONDS = 60


def find_binaries() -> Path:
    """Return the folder with `initdb` and `postgres`, the newest if there are several.

    Raises:
        ServerError: no server is installed.
    """
    candidates: list[Path] = []
    if on_path := shutil.which("initdb"):
        candidates.append(Path(on_path).resolve().parent)
    for root in ("/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"):
        candidates.extend(Path(root).glob("*/bin"))
    usable = [
        path for path in candidates if (path / "initdb").exists() and (path / "postgres").exists()
    ]
    if not usable:
        raise ServerError(
            "servers: no PostgreSQL server (initdb, postgres) was found. "
            "Install one with `apt-get install postgresql`."
        )
    return max(usable, key=_major_version)


def _major_version(binaries: Path) -> int:
    shown = subprocess.run(
        [binaries / "postgres", "--version"], capture_output=True, text=True, timeout=20
    )
    found = re.search(r"\) (\d+)", shown.stdout)
    return int(found.group(1)) if found else 0


class Server(Managed):
    """A running server, as a context manager; `folder` must exist and is ours to fill."""

    name = "PostgreSQL"
    log_name = "postgres"
    # Fast shutdown, then immediate, then by force.
    signals = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)

    def __init__(self, folder: Path) -> None:
        """Prepare a server whose data and log stand in `folder`."""
        super().__init__(folder)
        self._binaries = find_binaries()
        self._data = folder / "data"
        self._user = unprivileged_user(("postgres",))
        self.identity = identity(self._user)
        self.password = secrets.token_urlsafe(18)

    def connect(self, database: str = DATABASE) -> Any:
        """Return a new autocommit connection with time-outs and fixed output settings."""
        import pg8000.native

        connection = pg8000.native.Connection(
            USER, host="127.0.0.1", port=self.port, password=self.password, database=database,
            timeout=STATEMENT_TIMEOUT_SECONDS + 10,
        )  # fmt: skip
        for setting in (
            f"lock_timeout = '{LOCK_TIMEOUT_SECONDS}s'",
            f"statement_timeout = '{STATEMENT_TIMEOUT_SECONDS}s'",
            "timezone = 'UTC'",
            "datestyle = 'ISO, YMD'",
            "intervalstyle = 'iso_8601'",
            "bytea_output = 'hex'",
        ):
            connection.run(f"set {setting}")
        return connection

    def version(self) -> str:
        """Return the server's version, as `15.18`."""
        connection = self.connect()
        try:
            return str(connection.run("show server_version")[0][0]).split()[0]
        finally:
            connection.close()

    def start(self) -> None:
        """Create the cluster, start it and create the database."""
        password_file = self.folder / "password"
        password_file.write_text(self.password)
        password_file.chmod(0o600)
        hand_over(self._user, self.folder, password_file)
        self._run(
            "initdb",
            [
                self._binaries / "initdb", "-D", self._data, "-U", USER, "-E", "UTF8",
                "--locale=C", "--auth=scram-sha-256", f"--pwfile={password_file}", "--no-sync",
            ],
        )  # fmt: skip
        password_file.unlink()
        super().start()
        connection = self.connect("postgres")
        connection.run(f"create database {DATABASE}")
        connection.close()

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port = free_port()
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "wal_level": "logical",
            "max_replication_slots": "4",
            "max_wal_senders": "4",
            "fsync": "off",
            "shared_buffers": "32MB",
            "timezone": "UTC",
            "log_min_messages": "warning",
        }
        arguments = [f"-c{name}={value}" for name, value in settings.items()]
        return [self._binaries / "postgres", "-D", self._data, *arguments]

    def _answers(self) -> bool:
        import pg8000.exceptions

        try:
            self.connect("postgres").close()
        except (OSError, pg8000.exceptions.Error):
            return False
        return True
