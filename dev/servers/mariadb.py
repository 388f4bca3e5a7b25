"""A MariaDB server of our own: temporary data, one port on the loopback, gone at the end."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import Any

from dev.servers.accounts import hand_over, identity, unprivileged_user
from dev.servers.errors import ServerError
from dev.servers.managed import Managed
from dev.servers.ports import free_port
from dev.servers.process import Process, run_to_end

DATABASE = "web"
USER = "recorder"
START_SECONDS = 60
STATEMENT_TIMEOUT_SECONDS = 60
SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/opt/mariadb/bin")
"""Where servers stand that are not on everybody's PATH."""


def find_binaries() -> tuple[Path, Path]:
    """Return `mariadbd` and `mariadb-install-db`.

    Raises:
        ServerError: no server is installed.
    """
    found = [_find("mariadbd"), _find("mariadb-install-db"), _find("my_print_defaults")]
    if None in found:
        raise ServerError(
            "servers: no MariaDB server (mariadbd, mariadb-install-db, my_print_defaults) was "
            "found. Install one with `apt-get install mariadb-server-core mariadb-client-core`."
        )
    server, install, _ = found
    assert server and install
    return server, install


def _find(program: str) -> Path | None:
    found = shutil.which(program)
    if found:
        return Path(found)
    return next(
        (path for folder in SYSTEM_FOLDERS if (path := Path(folder, program)).exists()), None
    )


class Server(Managed):
    """A running server, as a context manager; `folder` must exist and is ours to fill."""

    def __init__(self, folder: Path) -> None:
        """Prepare a server whose data and log stand in `folder`."""
        self._server, self._install = find_binaries()
        self._folder = folder
        self._data = folder / "data"
        self._log = folder / "mariadb.log"
        self._user = unprivileged_user(("mysql",))
        self.port = 0
        self.password = secrets.token_urlsafe(18)

    def connect(self) -> Any:
        """Return a new autocommit connection in UTC, with time-outs."""
        import pymysql

        return pymysql.connect(
            host="127.0.0.1", port=self.port, user=USER, password=self.password,
            database=DATABASE, charset="utf8mb4", autocommit=True,
            connect_timeout=10, read_timeout=STATEMENT_TIMEOUT_SECONDS + 10,
            init_command=(
                f"set time_zone = '+00:00', innodb_lock_wait_timeout = 20,"
                f" max_statement_time = {STATEMENT_TIMEOUT_SECONDS}"
            ),
        )  # fmt: skip

    def version(self) -> str:
        """Return the server's version, as `10.11.19`."""
        connection = self.connect()
        try:
            with connection.cursor() as cursor:
                cursor.execute("select version()")
                return str(cursor.fetchone()[0]).split("-")[0]
        finally:
            connection.close()

    def _initialise(self) -> None:
        hand_over(self._user, self._folder)
        code, said = run_to_end(
            [
                self._install, "--no-defaults", f"--datadir={self._data}", "--skip-test-db",
                "--auth-root-authentication-method=normal", "--skip-name-resolve",
            ],
            self._folder, START_SECONDS, identity(self._user),
        )  # fmt: skip
        if code != 0:
            raise ServerError(f"servers: mariadb-install-db failed: {said.strip()[-2000:]}")
        # Root has no password until these have run, and then it is gone.
        first = self._folder / "first.sql"
        first.touch(mode=0o600)
        first.write_text(
            f"create database {DATABASE} character set utf8mb4;\n"
            f"create user '{USER}'@'127.0.0.1' identified by '{self.password}';\n"
            f"grant all on *.* to '{USER}'@'127.0.0.1';\n"
            "delete from mysql.global_priv where user <> 'recorder' and user <> 'mariadb.sys';\n"
            "flush privileges;\n"
        )
        hand_over(self._user, first)

    def start(self) -> None:
        """Create the system tables, start the server, create the database and its user."""
        self._initialise()

        def launch(attempt: int) -> Process:
            self.port = free_port()
            return Process(
                "MariaDB",
                [
                    self._server, "--no-defaults", f"--datadir={self._data}",
                    f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
                    f"--socket={self._folder / 'mariadb.sock'}",
                    f"--pid-file={self._folder / 'mariadb.pid'}",
                    f"--init-file={self._folder / 'first.sql'}",
                    "--server-id=1", "--log-bin=mysql-bin", "--binlog-format=ROW",
                    "--binlog-row-image=FULL", "--max-binlog-size=65536",
                    "--default-time-zone=+00:00", "--character-set-server=utf8mb4",
                    # What a crash of the machine loses is of no interest.
                    "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0",
                    "--innodb-buffer-pool-size=64M",
                ],
                self._log,
                identity=identity(self._user),
            )  # fmt: skip

        self._launch(launch, self._answers, "it took connections", START_SECONDS)
        (self._folder / "first.sql").unlink()

    def _answers(self) -> bool:
        import pymysql

        try:
            self.connect().close()
        except (OSError, pymysql.err.MySQLError):
            return False
        return True
