"""A PostgreSQL server of our own: temporary data, one port on the loopback, gone at the end."""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from recorder.errors import RecorderError

DATABASE = "shop"
USER = "recorder"
START_SECONDS = 60
STOP_SECONDS = 20
LOCK_TIMEOUT_SECONDS = 20
STATEMENT_TIMEOUT_SECONDS = 60


def find_binaries() -> Path:
    """Return the folder with `initdb` and `postgres`, the newest if there are several.

    Raises:
        RecorderError: no server is installed.
    """
    candidates: list[Path] = []
    pg_config = shutil.which("pg_config")
    if pg_config:
        shown = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, timeout=20)
        if shown.returncode == 0:
            candidates.append(Path(shown.stdout.strip()))
    on_path = shutil.which("initdb")
    if on_path:
        candidates.append(Path(on_path).resolve().parent)
    for root in ("/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"):
        candidates.extend(Path(root).glob("*/bin"))
    usable = [
        path for path in candidates if (path / "initdb").exists() and (path / "postgres").exists()
    ]
    if not usable:
        raise RecorderError(
            "recorder: no PostgreSQL server (initdb, postgres) was found. "
            "Install one with `apt-get install postgresql`."
        )
    return max(usable, key=_major_version)


def _major_version(binaries: Path) -> int:
    shown = subprocess.run(
        [binaries / "postgres", "--version"], capture_output=True, text=True, timeout=20
    )
    found = re.search(r"\) (\d+)", shown.stdout)
    return int(found.group(1)) if found else 0


def _unprivileged_user() -> str | None:
    """Return the account that runs the server, None for our own; it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise RecorderError(
        "recorder: running as root, and neither user `postgres` nor `nobody` exists to run the "
        "server. Run as another user."
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A running server, as a context manager; `folder` must exist and is ours to fill."""

    def __init__(self, folder: Path) -> None:
        """Prepare a server whose data and log stand in `folder`."""
        self._binaries = find_binaries()
        self._folder = folder
        self._data = folder / "data"
        self._log = folder / "postgres.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.password = secrets.token_urlsafe(18)

    def __enter__(self) -> Server:
        """Create the cluster, start it and create the database."""
        try:
            self._initialise()
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server, whatever happened."""
        self._stop()

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

    def _identity(self) -> dict[str, Any]:
        user = _unprivileged_user()
        if user is None:
            return {}
        return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}

    def _initialise(self) -> None:
        password_file = self._folder / "password"
        password_file.write_text(self.password)
        password_file.chmod(0o600)
        user = _unprivileged_user()
        if user is not None:
            account = pwd.getpwnam(user)
            for path in (self._folder, password_file):
                os.chown(path, account.pw_uid, account.pw_gid)
        made = subprocess.run(
            [
                self._binaries / "initdb", "-D", self._data, "-U", USER, "-E", "UTF8",
                "--locale=C", "--auth=scram-sha-256", f"--pwfile={password_file}", "--no-sync",
            ],
            capture_output=True, text=True, cwd=self._folder, timeout=START_SECONDS,
            **self._identity(),
        )  # fmt: skip
        password_file.unlink()
        if made.returncode != 0:
            raise RecorderError(f"recorder: initdb failed: {made.stderr.strip()}")

    def _start(self) -> None:
        for _attempt in range(3):
            # Another process can take the port between the probe and the start: try a few.
            self.port = _free_port()
            settings = {
                "listen_addresses": "127.0.0.1",
                "port": str(self.port),
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
            with open(self._log, "ab") as log:
                self._process = subprocess.Popen(
                    [self._binaries / "postgres", "-D", self._data, *arguments],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._folder,
                    # Ctrl-C at the terminal must reach the recorder, which then stops us in order.
                    start_new_session=True, **self._identity(),
                )  # fmt: skip
            if self._await_start():
                connection = self.connect("postgres")
                connection.run(f"create database {DATABASE}")
                connection.close()
                return
        raise RecorderError(
            f"recorder: PostgreSQL did not start in {START_SECONDS} s. "
            f"Its log says:\n{self._tail()}"
        )

    def _await_start(self) -> bool:
        import pg8000.exceptions

        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                return False
            try:
                self.connect("postgres").close()
            except (OSError, pg8000.exceptions.Error):
                time.sleep(0.1)
            else:
                return True
        self._stop()
        return False

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # Fast shutdown, then immediate, then by force: only ever our own process.
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if process.poll() is not None:
                break
            process.send_signal(how)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue

    def _tail(self) -> str:
        if not self._log.exists():
            return "(no log)"
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])
